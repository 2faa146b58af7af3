"""Make `docs/boneyard.1`, the manual page, from what the program declares.

The commands come from the parser of the command line, variables and files from the settings, exit
codes from `cli.exits`, and the words typed at a table from its verbs; `VARIABLES` and `FILES` add
what nothing else declares.

Run from the project's root: `uv run --group dev python docs/make_man.py`.
"""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent

VARIABLES: Final[Mapping[str, str]] = {
    "BONEYARD_DATA": "The folder for identity, records, settings and log, in place of all the "
    "folders under FILES; --data comes before it.",
    "NO_COLOR": "No colours and no bold, if it is not empty. It comes before all other variables.",
    "FORCE_COLOR, CLICOLOR_FORCE": "Colours in a pipe and on a dumb terminal too, if one of them "
    "is neither empty nor 0.",
    "CLICOLOR": "No colours, if it is 0.",
    "PAGER": "The command that shows help and rule sheets longer than the window; empty or cat for "
    "none. Without it, less -FRX if there is a less.",
    "LESS": "Options of less; if it is not set, -FRX is.",
    "ACCESSIBLE": "If it is not empty: sentences and numbered choices, no drawings and no pager.",
    "TERM, COLORTERM, COLORFGBG": "What the terminal can show, and on which background.",
    "TERM_PROGRAM, VTE_VERSION, WT_SESSION, TMUX, STY": "Which terminal it is, and whether tmux or "
    "screen stands before it: for the title of the window and notices of the desktop.",
    "LANGUAGE, LC_ALL, LC_MESSAGES, LANG": "The language, unless the setting language names one: "
    "English or Spanish. In the C locale all text is ASCII.",
}
"""The meaning of each variable that is not a setting."""

FILES: Final[Mapping[str, str]] = {
    "~/.config/boneyard/config.toml": "Settings. boneyard config --write makes it, with every "
    "setting explained in it; boneyard config path says where it is.",
    "~/.local/share/boneyard/identity.key": "Your key: whoever has it is you at every table.",
    "~/.local/share/boneyard/known-peers.toml": "Keys and addresses of those you have met.",
    "~/.local/share/boneyard/tables/": "A folder for each table: the record, the journal of what "
    "you have signed, the secret of your seat, notes, and evidence against cheats.",
    "~/.local/state/boneyard/log/boneyard.log": "What --verbose writes.",
}
"""A user's files on Linux, if no XDG variable names another folder."""

_FILES_ELSEWHERE: Final = (
    "These are the places on Linux, unless XDG_CONFIG_HOME, XDG_DATA_HOME or XDG_STATE_HOME name "
    "others. On macOS they are below ~/Library, on Windows below %LOCALAPPDATA%."
)

_AT_THE_TABLE: Final = (
    "What you type once you sit. A word may be cut short while only one begins that way, a train "
    "is named by its owner, and help lists what means something now. Without a verb, tiles are "
    "played, and a number plays that line of the list."
)


def page() -> str:
    """Return the page in roff; its usage lines break as at a terminal of 80 columns."""
    sys.path.insert(0, str(ROOT))
    os.environ["COLUMNS"] = "80"
    from argparse_manpage.manpage import Manpage

    from cli.arguments.parser import MENU, build_parser
    from cli.exits import MEANINGS
    from cli.session.verbs.table import VERBS
    from cli.settings.declared import SETTINGS
    from cli.settings.place import variable_of

    parser = build_parser(whole=True)
    parser.formatter_class = RawDescriptionHelpFormatter  # roff breaks the lines of prose itself
    parser.description, parser.epilog = f"{parser.description} {MENU}", None
    for command in _commands_of(parser):  # the page has no room for an epilog below the arguments
        command.description = " ".join(filter(None, (command.description, command.epilog)))
    facts = {
        "project_name": "boneyard",
        "description": "Mexican Train dominoes for a LAN party",
        "manual_title": "Boneyard",
        "date": "2026",
    }
    verbs = ((each.syntax, " ".join([each.sentence, *_examples(each.examples)])) for each in VERBS)
    settings = (
        (variable_of(key), f"{each.about} Values: {each.kind.brief}.")
        for key, each in SETTINGS.items()
    )
    sections = (
        _section("At the table", _AT_THE_TABLE, verbs),
        _section("Exit status", "", ((str(code.value), text) for code, text in MEANINGS.items())),
        _section("Environment", "", (*VARIABLES.items(), *settings)),
        _section("Files", _FILES_ELSEWHERE, FILES.items()),
    )
    made = str(Manpage(parser, facts, "pretty")).rstrip()
    return "\n".join([made, *sections]) + "\n"


def _commands_of(parser: ArgumentParser) -> list[ArgumentParser]:
    actions = (each for each in parser._actions if isinstance(each, _SubParsersAction))
    return [command for action in actions for command in action.choices.values()]


def _examples(lines: Iterable[str]) -> tuple[str, ...]:
    told = "; ".join(lines)
    return (f"Such as: {told}.",) if told else ()


def _section(title: str, prose: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return a section in roff: a paragraph, if there is one, and a list of terms."""
    lines = [f".SH {title.upper()}", *([_roff(prose)] if prose else [])]
    for term, text in entries:
        lines += [".TP", f"\\fB{_roff(term)}\\fR", _roff(text)]
    return "\n".join(lines)


def _roff(text: str) -> str:
    """Return text escaped so that roff prints it unchanged, even if it begins with a dot."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    (ROOT / "docs" / "boneyard.1").write_text(page(), encoding="utf-8")
