"""What the wheel is told, and what it is made of."""

from hashlib import sha256
from pathlib import Path

from engine.bots.facts import FLAT_SOURCES

FLAT = Path(__file__).parents[3] / "native" / "engine" / "flat"


def test_a_wheel_with_other_c_is_made_of_other_modules():
    """Else one that was built before a change of the C alone would be taken after it."""
    octets = [path.read_bytes() for path in sorted(FLAT.iterdir())]
    assert sha256(b"".join(octets)).hexdigest() == FLAT_SOURCES
