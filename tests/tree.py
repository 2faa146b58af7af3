"""The paths of the source tree, for tests at any depth."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests" / "scenarios"
VECTORS = ROOT / "tests" / "vectors"
