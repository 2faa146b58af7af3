"""Commands that the program suggests begin with the words by which the user called it."""

import ast
import os
import re
from pathlib import Path

import pytest

from cli.arguments.parser import COMMANDS, LAB_COMMANDS
from cli.program import called_by, typed_in_shell
from tests.cli.running import boneyard, boneyard_here, complaint, printed, small_game
from tests.tree import ROOT


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Create an executable file called `boneyard` in a folder of its own, and return its path."""
    script = tmp_path / "bin" / "boneyard"
    script.parent.mkdir()
    script.write_text("")
    script.chmod(0o700)
    return script


def test_the_name_is_said_where_it_leads_to_this_program(installed):
    """Advice uses the program's name if the search path leads to it.

    This holds even if the user typed a path to the program, or a link to it.
    """
    assert called_by({"PATH": str(installed.parent)}, str(installed)) == "boneyard"
    link = installed.parent.parent / "boneyard"
    link.symlink_to(installed)
    assert called_by({"PATH": str(installed.parent)}, str(link)) == "boneyard"


def test_a_path_is_said_where_the_name_leads_nowhere_or_elsewhere(installed, tmp_path):
    """Advice shows the typed path, quoted for a shell, if `boneyard` leads elsewhere or nowhere."""
    assert called_by({"PATH": os.devnull}, ".venv/bin/boneyard") == ".venv/bin/boneyard"
    other = tmp_path / "my games" / "boneyard"
    other.parent.mkdir()
    other.write_text("")
    assert called_by({"PATH": str(installed.parent)}, str(other)) == f"'{other}'"


def test_uv_run_is_said_where_uv_runs_the_program(installed):
    """Under `uv run`, as in a clone, advice uses `uv run boneyard`."""
    environment = {"PATH": str(installed.parent), "UV_RUN_RECURSION_DEPTH": "1"}
    assert called_by(environment, str(installed)) == "uv run boneyard"


def test_uvx_is_said_where_uvx_runs_the_program(installed):
    """Under `uvx`, which leaves no command installed, advice uses `uvx boneyard-dominoes`."""
    environment = {"PATH": str(installed.parent), "UV": "/usr/bin/uv"}
    assert called_by(environment, str(installed)) == "uvx boneyard-dominoes"


def test_the_name_of_the_package_is_said_where_that_was_typed(installed):
    """Advice uses the package's name, which is also a command, if that name was typed."""
    other = installed.with_name("boneyard-dominoes")
    other.write_text("")
    other.chmod(0o700)
    assert called_by({"PATH": str(other.parent)}, str(other)) == "boneyard-dominoes"


def test_what_is_no_script_of_this_name_is_called_by_the_name():
    """Under another name, as in these tests and after `python -m cli`, advice uses `boneyard`."""
    assert typed_in_shell("resume", "--wall") == "boneyard resume --wall"
    assert called_by({"PATH": os.devnull}, str(ROOT / "cli" / "__main__.py")) == "boneyard"


def test_who_leaves_and_who_mistypes_reads_what_they_can_type(tmp_path):
    """Under `uv run`, the commands that the program suggests begin with `uv run boneyard`."""
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


FOR_OTHERS = {
    "If a firewall is on: {opening}. Else others join by address: boneyard join HOST:PORT",
    "Ask its host to run boneyard doctor and to open {ports}. But {apart}.",
    "Others join with: boneyard join {where}",
    "The join code is {code}. Others type: boneyard join {code}",
    "Nobody needs a join code here. Others type: boneyard join",
    "Where that finds no table: boneyard join {where}",
    "The host has nothing for this kind of computer. With internet, `boneyard share --gather` "
    "fetches it there. A browser may be your way in: ask whether there is a page.",
    "boneyard join ",  # the door on a screen for the whole room
}
"""Commands for others, who may call the program by another name."""

ON_PAGES = {
    # in the settings file
    "Boneyard's settings. Lines that begin with # do nothing: take the # away and change the "
    "value. `boneyard config` shows the values in effect. A variable such as "
    "BONEYARD_BELL=off overrides this file, and an option on the command line overrides both.",
    # also in the manual page
    "Leave; in mid-game the others wait, and boneyard resume brings you back.",
}
"""Texts that name a command and are also read after this run, like those in `arguments`."""


def test_no_sentence_has_a_command_in_other_words_than_the_program_was_called_by():
    """Outside `arguments`, only `FOR_OTHERS` and `ON_PAGES` spell out `boneyard COMMAND`."""
    command = re.compile(rf"\bboneyard (?:{'|'.join({*COMMANDS, *LAB_COMMANDS})})\b")
    found = set()
    for room in ("cli", "netgame", "engine"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.parent.name == "arguments":
                continue
            for text in texts_in(ast.parse(path.read_text(encoding="utf-8"))):
                if command.search(text):
                    found.add(text)
    assert found == FOR_OTHERS | ON_PAGES


def texts_in(tree):
    """Empty the docstrings in a module's syntax tree, and yield all strings in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rules",), "uv run boneyard rules NAME shows what"),
        (("rules", "--with", "zzz=1"), "There is no setting 'zzz'; see: uv run boneyard rules."),
        (("play", "--seats", "4", "--bots", "1"), "let people in with: uv run boneyard host"),
    ],
)
def test_an_advice_is_said_in_the_words_of_the_call(words, said, tmp_path):
    """Under `uv run`, the commands that these calls suggest begin with `uv run boneyard`."""
    done = boneyard_here(*words, data=tmp_path, UV_RUN_RECURSION_DEPTH="1")
    assert said in " ".join((done.stdout + done.stderr).split())
