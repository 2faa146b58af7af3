"""House rules in a file: a preset, what is changed in it, and the size of the game, in TOML.

    rules = "walnut"
    set = 9
    [with]
    blanks = "25-50"

Every mistake is one sentence that names the key. What is written here is read back the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Final

from cli.commands.arguments import (
    DEAL_MAX,
    OPTION_CHOICES,
    ROUNDS_MAX,
    SEATS_MAX,
    SEATS_MIN,
    SET_CHOICES,
)
from cli.exits import CommandFailed, ExitCode
from cli.said.rule_problems import rule_problem_sentence
from cli.said.rules import OPTION_VALUES, VALUES
from cli.visible import visible
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, RuleProblem, parse_rules
from engine.rules.deals import DealTable
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.switches import First

_FILE_BYTES_MAX: Final = 65_536
"""A file with every switch and its comment has 9 kB."""

_NAME_CHARS_MAX: Final = 60

NOT_CHOSEN: Final = (
    "These rules decide who plays first; first=chosen-rotate lets you name somebody."
)


@dataclass(frozen=True, slots=True)
class TableChoice:
    """What somebody wants to play; None and what is not in `switches` is left to the preset."""

    preset: str = STANDARD
    switches: tuple[tuple[str, str], ...] = ()
    pip_max: int | None = None
    seats: int | None = None
    rounds: int | None = None
    hand: int | None = None
    name: str | None = None
    """What these house rules are called."""
    options: tuple[tuple[str, str], ...] = ()
    """What the table hides and shows beside its rules."""
    first: str | None = None
    """Who plays first, by name, where the rules let the table choose that."""


class _Mistake(Exception):
    """What is wrong with a table file; the text is a sentence without the file's name."""


def is_table_file(text: str) -> bool:
    """Whether an argument names a file rather than a preset."""
    return text.endswith(".toml") or "/" in text or "\\" in text


# ---- reading --------------------------------------------------------------------------------


def read_choice(name: str) -> TableChoice:
    """Read a table file; raises `CommandFailed` with a sentence that names file and key."""
    try:
        with Path(name).open("rb") as file:
            octets = file.read(_FILE_BYTES_MAX + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandFailed(ExitCode.USAGE, f"{name} cannot be read: {reason}.") from None
    try:
        return _choice_from(octets)
    except _Mistake as mistake:
        raise CommandFailed(ExitCode.USAGE, f"{name}: {mistake}") from None


def _keys_of(octets: bytes) -> dict[str, object]:
    """Return what the file says, not yet checked."""
    if len(octets) > _FILE_BYTES_MAX:
        raise _Mistake(f"This is no table file: it is longer than {_FILE_BYTES_MAX} octets.")
    try:
        return tomllib.loads(octets.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _Mistake("This is no UTF-8 text.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _Mistake(f"Not valid TOML: {_printable(str(error))}.") from None
    except ValueError:  # the interpreter reads no number of more than 4,300 digits
        raise _Mistake("This is no table file: a number in it is far too long.") from None


def _choice_from(octets: bytes) -> TableChoice:
    keys = _keys_of(octets)
    for key in keys:
        if key not in _KEYS:
            raise _Mistake(_unknown("key", key, _KEYS))
    switches = _switches(keys)
    preset = _preset(keys)
    rules = parse_rules(preset, switches)
    if isinstance(rules, RuleProblem):
        raise _Mistake(f"with: {rule_problem_sentence(rules)}")
    return TableChoice(
        preset,
        tuple(switches.items()),
        _set(keys),
        _number(keys, "seats", SEATS_MIN, SEATS_MAX),
        _number(keys, "rounds", 1, ROUNDS_MAX),
        None if isinstance(keys.get("deal"), str) else _number(keys, "deal", 1, DEAL_MAX),
        _name(keys),
        tuple((name, _option(name, keys[name])) for name in OPTION_CHOICES if name in keys),
        _first_player(keys, rules),
    )


_SIZES: Final = ("set", "seats", "rounds", "deal")
_KEYS: Final = ("name", "rules", *_SIZES, "first-player", *OPTION_CHOICES, "with")


def _unknown(kind: str, word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there is: {', '.join(known)}."
    return f"There is no {kind} {_printable(word)}; {hint}"


def _printable(text: str) -> str:
    """Return text of the file so that it can be shown."""
    return visible(text)[:80]


def _shown(value: object) -> str:
    return _printable(_written(value))


def _written(value: object) -> str:
    """Write a value of the file; a number may have more digits than the interpreter writes."""
    try:
        return repr(value)
    except ValueError:
        return "a number that is far too long"


def _preset(keys: Mapping[str, object]) -> str:
    preset = keys.get("rules", STANDARD)
    if not isinstance(preset, str):
        raise _Mistake(f"The key rules is the name of a rule set, not {_shown(preset)}.")
    if preset not in RULE_SETS:
        raise _Mistake(f"The key rules: {_unknown('rule set', preset, tuple(RULE_SETS))}")
    return preset


def _number(keys: Mapping[str, object], key: str, least: int, most: int) -> int | None:
    value = keys.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _Mistake(
            f"The key {key} is a whole number from {least} to {most}, not {_shown(value)}."
        )
    return value


def _set(keys: Mapping[str, object]) -> int | None:
    value = keys.get("set")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value not in SET_CHOICES:
        known = ", ".join(map(str, SET_CHOICES))
        raise _Mistake(f"The key set is the highest double, one of {known}, not {_shown(value)}.")
    return value


def _option(name: str, value: object) -> str:
    known = OPTION_CHOICES[name]
    if not isinstance(value, str) or value not in known:
        raise _Mistake(f"The key {name} cannot be {_shown(value)}; it can be: {', '.join(known)}.")
    return value


def _name(keys: Mapping[str, object]) -> str | None:
    value = keys.get("name")
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise _Mistake(f"The key name is what these rules are called, not {_shown(value)}.")
    if len(value) > _NAME_CHARS_MAX:
        raise _Mistake(f"The key name has at most {_NAME_CHARS_MAX} letters.")
    return value.strip()


def _first_player(keys: Mapping[str, object], rules: RuleSet) -> str | None:
    value = keys.get("first-player")
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise _Mistake(f"The key first-player is the name of a player, not {_shown(value)}.")
    if rules.first is not First.CHOSEN_ROTATE:
        raise _Mistake(f"The key first-player: {NOT_CHOSEN}")
    return value.strip()[:_NAME_CHARS_MAX]


def _switches(keys: Mapping[str, object]) -> dict[str, str]:
    """Read `[with]`, and a deal table in the key `deal`."""
    table = keys.get("with", {})
    if not isinstance(table, dict):
        raise _Mistake('The key with is a table of switches: [with], then blanks = "25-50".')
    found = {name: _value(name, value) for name, value in table.items()}
    deal = keys.get("deal")
    if deal is not None and "deal" in found:
        raise _Mistake("The key deal is given twice: once by itself and once in with.")
    if isinstance(deal, str):
        if deal not in VALUES["deal"]:
            known = tuple(table.value for table in DealTable)
            raise _Mistake(f"The key deal: {_unknown('deal table', deal, known)}")
        found["deal"] = deal
    return found


def _value(name: str, value: object) -> str:
    """Read the value of one switch; `true` and `false` stand for yes and no."""
    if name not in SWITCHES:
        raise _Mistake(f"with: {_unknown('switch', name, tuple(SWITCHES))}")
    if isinstance(value, bool):
        value = "yes" if value else "no"
    text = _written(value) if isinstance(value, int) else value if isinstance(value, str) else ""
    numbers = name == "deal" and text.isascii() and text.isdigit() and 0 < len(text) <= 3
    if text not in SWITCHES[name].values and not numbers:
        known = ", ".join(SWITCHES[name].values) + (", or a number" if name == "deal" else "")
        raise _Mistake(f"The key with.{name} cannot be {_shown(value)}; it can be: {known}.")
    return text


# ---- writing --------------------------------------------------------------------------------


def write_choice(choice: TableChoice) -> str:
    """Write a table file with what is chosen, and everything else as comments to choose from."""
    options = dict(choice.options)
    lines = [
        "# House rules for Boneyard. Change what you like; a line that begins with # says nothing.",
        "",
        _setting("name", choice.name, "our rules", "what these rules are called"),
        *(line for preset, told in PRESETS.items() for line in _about(preset, told.sentence)),
        _setting("rules", choice.preset, STANDARD, "one of the rule sets above"),
        _setting("set", choice.pip_max, 12, "the highest double: 6, 9, 12, 15 or 18"),
        _setting("seats", choice.seats, 4, "begin by itself when so many sit"),
        _setting("rounds", choice.rounds, 5, "else one for each double"),
        _setting("first-player", choice.first, "Ann", "who begins, with first = chosen-rotate"),
        _setting("deal", choice.hand, 12, "tiles in each hand, or a deal table by its name"),
        *(line for name in OPTION_CHOICES for line in _option_lines(name, options.get(name))),
        "",
        "[with]",
    ]
    chosen = dict(choice.switches)
    for name, switch in SWITCHES.items():
        if name == "deal":
            lines += _deal_comment(choice)
            continue
        lines += ["", *wrap(switch.sentence, 96, initial_indent="# ", subsequent_indent="# ")]
        base = str(_preset_value(choice.preset, name))
        for value in switch.values:
            default = f" ({choice.preset})" if value == base else ""
            lines += _about(value + default, VALUES[name][value].sentence)
        lines.append(_setting(name, chosen.get(name), base, ""))
    return "\n".join(lines) + "\n"


def _about(word: str, sentence: str) -> list[str]:
    return wrap(f"{word}: {sentence}", 96, initial_indent="#   ", subsequent_indent="#      ")


def _option_lines(name: str, value: str | None) -> list[str]:
    told = OPTION_VALUES[name]
    about = [line for word, sentence in told.items() for line in _about(word, sentence)]
    return [*about, _setting(name, value, OPTION_CHOICES[name][0], "")]


def _deal_comment(choice: TableChoice) -> list[str]:
    deal = dict(choice.switches).get("deal")
    return [] if deal is None else [_setting("deal", deal, "", "the deal table")]


def _preset_value(preset: str, switch: str) -> object:
    value = getattr(RULE_SETS[preset], SWITCHES[switch].field)
    return getattr(value, "value", value)


def _setting(key: str, value: str | int | None, example: str | int, comment: str) -> str:
    """Write one line, commented out with an example if nothing is chosen."""
    shown = example if value is None else value
    text = str(shown) if isinstance(shown, int) else _quoted(shown)
    tail = f"  # {comment}" if comment else ""
    return f"{'# ' if value is None else ''}{key} = {text}{tail}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def save_choice(path: str, choice: TableChoice) -> None:
    """Write a table file that was not there before; raises `CommandFailed`."""
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(write_choice(choice))
    except FileExistsError:
        text = f"{path} exists already; remove it first, or choose another name (write)."
        raise CommandFailed(ExitCode.USAGE, text) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandFailed(ExitCode.FAILED, f"{path} cannot be written: {reason}.") from None
