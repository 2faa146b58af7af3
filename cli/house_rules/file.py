"""House rules in a file: a rule set, the changes to it, and the size of the game, in TOML.

    rules = "walnut"
    set = 9
    blanks = "25-50"

Changes to the rules may also be in a table `[with]`. Every mistake is reported in one sentence that
names the key. A file written by `save_choice` is read back the same.
"""

import argparse
from pathlib import Path
from typing import Any, Final

from cli.choices.choice import Choice, explained, find
from cli.choices.table import FIRST, NAME, RULES, SIZES, TABLE
from cli.exits import CommandFailed, ExitCode
from cli.files import read_octets, read_toml, write_new
from cli.house_rules.choice import TableChoice, on_top, rules_of
from cli.language import say
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, value_text

_FILE_BYTES_MAX: Final = 65_536
"""The limit of a table file; one with every switch and its comment takes about 10 kB."""

_WITH: Final = "with"
_KEYS: Final[dict[str, Choice[Any]]] = {NAME.key: NAME, **TABLE, FIRST.key: FIRST}


def is_table_file(text: str) -> bool:
    """Return True if an argument names a file rather than a rule set."""
    return text.endswith(".toml") or "/" in text or "\\" in text


def choice_of(options: argparse.Namespace, named: str) -> TableChoice:
    """Return the choice of a rule set or a table file, with the typed changes on top.

    Raises `CommandFailed` for an unknown rule set or a bad file; the typed changes are not checked
    here.
    """
    if is_table_file(named):
        return on_top(read_choice(named), options.changes)
    return on_top(TableChoice(RULES.word(named)), options.changes)


def read_choice(name: str) -> TableChoice:
    """Return the choice in a table file, whose contents may be hostile.

    Raises `CommandFailed` with a sentence that names file and key, also if the rules in it exclude
    each other.
    """
    keys = read_toml(read_octets(name, _FILE_BYTES_MAX), name)
    try:
        found = _choice_from(keys)
        rules_of(found)
    except CommandFailed as failed:
        raise CommandFailed(ExitCode.BAD_FILE, f"{name}: {failed.sentence}") from None
    return found


def _choice_from(keys: dict[str, object]) -> TableChoice:
    """Return the choice made by the keys of a file; the key `with` is taken out of `keys`.

    Raises `CommandFailed` for an unknown key, a bad value, or a key given twice, but does not check
    whether the values agree.
    """
    changes = keys.pop(_WITH, {})
    if not isinstance(changes, dict):
        text = 'The key with is a table of switches: [with], then blanks = "25-50".'
        raise CommandFailed(ExitCode.USAGE, say(text))
    found: dict[str, str] = {}
    for key, raw in (*keys.items(), *changes.items()):
        choice = find(_KEYS, key)
        word = choice.word(raw)
        if choice.key in found:
            text = say("The key {key} is given twice.", key=choice.key)
            raise CommandFailed(ExitCode.USAGE, text)
        found[choice.key] = word
    return on_top(TableChoice(found.pop(RULES.key, STANDARD)), found.items())


def write_choice(choice: TableChoice) -> str:
    """Return the text of a table file: the choices made, and all others as comments."""
    head = say(
        "House rules for Boneyard. Change what you like; lines that begin with # do nothing."
    )
    rules, parts = RULE_SETS[choice.preset], [f"# {head}"]
    words = {RULES.key: choice.preset, **choice.values}
    for key, each in _KEYS.items():
        usual, whose = each.kind.shown(each.usual), say("usual")
        if key in SWITCHES.keys() - SIZES.keys():
            usual, whose = value_text(rules, key), choice.preset
        if key == each.key:
            parts.append(explained(each, words.get(key), usual, whose))
    return "\n\n".join(parts) + "\n"


def save_choice(path: str, choice: TableChoice) -> None:
    """Write a new table file.

    Raises `CommandFailed` if the file exists already, leaving it as it is, or if it cannot be
    written whole.
    """
    try:
        write_new(Path(path), write_choice(choice).encode())
    except FileExistsError:
        text = "{path} exists already; remove it first, or choose another name (write)."
        raise CommandFailed(ExitCode.USAGE, say(text, path=path)) from None
