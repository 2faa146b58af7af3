"""The optional wheel of compiled modules is taken only if it was made of these sources."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine import sources_digest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("made_of_these", [True, False])
def test_only_a_wheel_of_these_sources_is_taken(made_of_these, tmp_path):
    """One that was made of other sources is left alone, whatever stands in it."""
    wheel = tmp_path / "boneyard_engine"
    wheel.mkdir()
    made_of = sources_digest() if made_of_these else "others"
    (wheel / "__init__.py").write_text(f"MADE_OF = {made_of!r}\n")
    (wheel / "tiles.py").write_text("")
    asked = f"import sys; sys.path[:0] = {[str(tmp_path), str(ROOT)]}; import engine.tiles as it"
    code = f"{asked}; print(it.__file__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (Path(told.stdout.strip()).parent == wheel) is made_of_these
