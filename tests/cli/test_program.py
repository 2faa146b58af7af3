"""What is to be typed in a shell is said in the words by which the program was called."""

import os
from pathlib import Path

import pytest

from cli.program import called_by, typed_in_shell
from tests.cli.running import boneyard, complaint, printed, small_game


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A script of this name that a shell finds by its name."""
    script = tmp_path / "bin" / "boneyard"
    script.parent.mkdir()
    script.write_text("")
    script.chmod(0o700)
    return script


def test_the_name_is_said_where_it_leads_to_this_program(installed):
    """The system tells a path then, too."""
    assert called_by({"PATH": str(installed.parent)}, str(installed)) == "boneyard"
    link = installed.parent.parent / "boneyard"
    link.symlink_to(installed)
    assert called_by({"PATH": str(installed.parent)}, str(link)) == "boneyard"


def test_a_path_is_said_where_the_name_leads_nowhere_or_elsewhere(installed, tmp_path):
    """As it was typed, and quoted for a shell."""
    assert called_by({"PATH": os.devnull}, ".venv/bin/boneyard") == ".venv/bin/boneyard"
    other = tmp_path / "my games" / "boneyard"
    other.parent.mkdir()
    other.write_text("")
    assert called_by({"PATH": str(installed.parent)}, str(other)) == f"'{other}'"


def test_uv_run_is_said_where_uv_runs_the_program(installed):
    """As whoever has a clone types it, and knows no other way."""
    environment = {"PATH": str(installed.parent), "UV_RUN_RECURSION_DEPTH": "1"}
    assert called_by(environment, str(installed)) == "uv run boneyard"


def test_what_is_no_script_of_this_name_is_called_by_the_name():
    """A test, or `python -m`, has other words."""
    assert typed_in_shell("resume", "--wall") == "boneyard resume --wall"


def test_who_leaves_and_who_mistypes_reads_what_they_can_type(tmp_path):
    """The way back to a game, what can be done with its record, and where help is."""
    uv = {"UV_RUN_RECURSION_DEPTH": "1"}
    left = boneyard("play", "--plain", "--set", "6", data=tmp_path, text="quit\n", **uv)
    assert left.stdout.endswith("Come back with: uv run boneyard resume\n")
    played = small_game(tmp_path, "--auto", **uv)
    for command in ("replay", "verify"):
        assert f": uv run boneyard {command} 2\n" in played
    assert complaint("learn", "5", **uv).endswith(" See: uv run boneyard learn --help\n")
    told = printed("config", data=tmp_path / "none", **uv)
    assert "uv run boneyard config --write makes it." in " ".join(told.split())
    assert told.endswith(": uv run boneyard config show KEY\n")
