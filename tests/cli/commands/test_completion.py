"""The completion scripts, the manual page and the log file."""

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cli.arguments.parser import COMMANDS
from cli.exits import ExitCode
from cli.logbook import log_path
from cli.session.verbs.table import VERBS
from cli.settings.declared import SETTINGS
from cli.settings.place import config_path, variable_of
from netgame.io.disk.identity import KEY_FILE, default_data_dir
from tests.cli.running import boneyard, printed
from tests.tree import ROOT

MADE = runpy.run_path(str(ROOT / "docs" / "make_completions.py"))
FOLDER, FILES = MADE["FOLDER"], MADE["FILES"]
PLACES = {
    "share/bash-completion/completions/boneyard",
    "share/zsh/site-functions/_boneyard",
    "share/fish/vendor_completions.d/boneyard.fish",
}
"""The files in which bash-completion, zsh and fish look for a command's script."""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_completes_commands_options_and_values(shell):
    """Each script contains every command, and options and values such as `no-seat` and `shown`."""
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
        ("config get mo", "mouse"),
        ("help stan", "standings"),
        ("games --forg", "--forget"),
        ("replay --no", "--notation"),
    ],
)
def test_bash_reads_its_script(typed, offered):
    """With its script, bash completes commands, options, rule sets, levels, sets and settings."""
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
    """Every command is in the manual page as generated, and in the copy in the tree."""
    made = runpy.run_path(str(ROOT / "docs" / "make_man.py"))["page"]()
    kept = (ROOT / "docs" / "boneyard.1").read_text(encoding="utf-8")
    for word in COMMANDS:
        assert f"boneyard {word}'" in made
        assert f"boneyard {word}'" in kept, "run: uv run --group dev python docs/make_man.py"


def test_verbose_keeps_a_log(tmp_path):
    """`--verbose` keeps a log and says where it is, or says why nothing can be logged."""
    done = boneyard("--verbose", "games", data=tmp_path)
    assert str(tmp_path / "boneyard.log") in done.stderr
    assert "boneyard games" in (tmp_path / "boneyard.log").read_text()
    (tmp_path / "file").write_text("")
    refused = boneyard("--verbose", "games", data=tmp_path / "file")
    assert "Nothing is logged: cannot write" in refused.stderr


@pytest.mark.parametrize("shell", FILES)
def test_the_scripts_that_an_install_puts_in_place_are_those_of_the_command(shell):
    """Each script in the tree is up to date, and the wheel installs it where shells look."""
    kept = FOLDER / FILES[shell]
    assert kept.read_text(encoding="utf-8") == printed("completion", shell)
    placed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = placed["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared[str(kept.relative_to(ROOT))] in PLACES


def test_the_manual_page_tells_what_else_there_is():
    """The manual page lists the table's verbs, the exit codes, all settings' variables and files.

    The copy in the tree has the same sections.
    """
    man = runpy.run_path(str(ROOT / "docs" / "make_man.py"))
    made = man["page"]()
    own = made[made.index(".SH AT THE TABLE") :]  # argparse formats the rest by Python version
    assert (ROOT / "docs" / "boneyard.1").read_text(encoding="utf-8").endswith(own)
    sections = dict(re.findall(r"^\.SH ([A-Z ]+)\n(.*?)(?=^\.SH |\Z)", made, re.M | re.S))
    terms = {
        name: re.findall(r"^\.TP\n\\fB(.*)\\fR$", text, re.M) for name, text in sections.items()
    }
    assert terms["EXIT STATUS"] == [str(code.value) for code in ExitCode]
    assert [term.split()[0] for term in terms["AT THE TABLE"]] == [verb.word for verb in VERBS]
    assert {*terms["ENVIRONMENT"]} > {variable_of(key) for key in SETTINGS}
    assert len(terms["FILES"]) == len(man["FILES"])


def test_the_manual_page_has_every_variable_that_is_read():
    """Of the variables that the program reads, the manual page leaves out only a few foreign ones.

    They belong to the shell, Python, the pager and pip.
    """
    told = runpy.run_path(str(ROOT / "docs" / "make_man.py"))["VARIABLES"]
    names = {name for terms in told for name in terms.split(", ")}
    read = set()
    for room in ("cli", "netgame", "engine"):
        for path in (ROOT / room).rglob("*.py"):
            for line in path.read_text(encoding="utf-8").splitlines():
                if "environ" in line:
                    read |= {*re.findall(r'"([A-Z][A-Z_]{2,})"', line)}
    assert {"PAGER", "BONEYARD_DATA", "ACCESSIBLE"} < read
    others = {"LC_CTYPE", "PATH", "PYTHONIOENCODING", "LESSCHARSET", "PYTHONPATH", "PIP_"}
    assert read - names <= others


def test_the_files_of_the_manual_page_are_where_the_program_looks(monkeypatch, tmp_path):
    """The manual page names the files and folders used on Linux if no variable is set."""
    if sys.platform != "linux":
        pytest.skip("the page has the places on Linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("BONEYARD_DATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    files = runpy.run_path(str(ROOT / "docs" / "make_man.py"))["FILES"]
    folder = default_data_dir()
    found = [
        config_path(),
        folder / KEY_FILE,
        folder / "known-peers.toml",
        folder / "tables",
        log_path(),
    ]
    assert [Path(name.replace("~", str(tmp_path), 1)) for name in files] == found
