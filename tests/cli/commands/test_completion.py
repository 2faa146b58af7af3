"""Completion scripts, the manual page and the log file."""

import runpy
import subprocess

import pytest

from cli.arguments.parser import COMMANDS
from tests.cli.running import boneyard, printed
from tests.tree import ROOT


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_completes_commands_options_and_values(shell):
    """All from the one parser."""
    told = printed("completion", shell)
    for word in (*COMMANDS, "no-seat", "latecomers", "shown"):
        assert word in told


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ver", "verify"),
        ("rules wal", "walnut"),
        ("play --rules wolf", "wolf-lake"),
        ("play --bots ex", "expert"),
        ("host --set 1", "12 15 18"),
        ("config set pa", "pace"),
        ("replay --no", "--notation"),
    ],
)
def test_bash_reads_its_script(typed, offered):
    """And completes with it: commands, options, names of rule sets, levels, sets and settings."""
    script = printed("completion", "bash")
    asks = f"COMP_WORDS=(boneyard {typed}); COMP_CWORD={len(typed.split())}; _shtab_boneyard"
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{asks}; echo ${{COMPREPLY[@]}}"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{offered}\n", "")


def test_the_manual_page_has_every_command():
    """Made by one command; what is in the tree names every command too."""
    made = runpy.run_path(str(ROOT / "docs" / "make_man.py"))["page"]()
    kept = (ROOT / "docs" / "boneyard.1").read_text(encoding="utf-8")
    for word in COMMANDS:
        assert f"boneyard {word}'" in made
        assert f"boneyard {word}'" in kept, "run: uv run --group dev python docs/make_man.py"


def test_verbose_keeps_a_log(tmp_path):
    """It says where; what cannot be written is a sentence."""
    done = boneyard("--verbose", "games", data=tmp_path)
    assert str(tmp_path / "boneyard.log") in done.stderr
    assert "boneyard games" in (tmp_path / "boneyard.log").read_text()
    (tmp_path / "file").write_text("")
    refused = boneyard("--verbose", "games", data=tmp_path / "file")
    assert "Nothing is logged: cannot write" in refused.stderr
