"""Where the tree stands in which these tests are, however deep a test lies."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests" / "scenarios"
VECTORS = ROOT / "tests" / "vectors"
