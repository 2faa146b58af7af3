"""House rules in a file: a preset, what is changed in it, and the size of the game, in TOML.

    rules = "walnut"
    set = 9
    [with]
    blanks = "25-50"

Every mistake is one sentence that names the key. What `save_choice` writes is read back the same.
"""

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Final

import tomli_w

from cli.exits import CommandFailed, ExitCode
from cli.files import cannot_write, printable, read_octets, read_toml, shown
from cli.guess import did_you_mean
from cli.house_rules.choice import NOT_CHOSEN, SIZES, TableChoice, with_typed
from cli.language import say
from cli.said.refusals import refusal_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, parse_rules, value_text
from engine.rules.deals import DealTable
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.switches import First, Switch
from netgame.protocol.fold.options import OPTIONS

_FILE_BYTES_MAX: Final = 65_536
"""A file with every switch and its comment has 9 kB."""

_NAME_CHARS_MAX: Final = 60

_TEXTS: Final = {
    "name": "The key name is what these rules are called, not {value}.",
    "first-player": "The key first-player is the name of a player, not {value}.",
}
_KEYS: Final = ("name", "rules", *SIZES, "first-player", *OPTIONS, "with")


class _Mistake(Exception):
    """What is wrong with a table file; the text is a sentence without the file's name."""


def is_table_file(text: str) -> bool:
    """Whether an argument names a file rather than a preset."""
    return text.endswith(".toml") or "/" in text or "\\" in text


def choice_of(options: argparse.Namespace, named: str) -> TableChoice:
    """Read what is to be played: a preset or a file, and what is typed on top of it."""
    base = read_choice(named) if is_table_file(named) else TableChoice(named)
    return with_typed(base, options)


def read_choice(name: str) -> TableChoice:
    """Read a table file; raises `CommandFailed` with a sentence that names file and key."""
    try:
        return _choice_from(_keys_of(read_octets(name, _FILE_BYTES_MAX)))
    except _Mistake as mistake:
        raise CommandFailed(ExitCode.USAGE, f"{name}: {mistake}") from None


def _keys_of(octets: bytes) -> dict[str, object]:
    """Return what the file says, of known keys, their values not yet checked."""
    keys = read_toml(octets)
    if isinstance(keys, str):
        raise _Mistake(keys)
    for key in keys:
        if key not in _KEYS:
            text, hint = "There is no key {word}; {hint}", _hint(key, _KEYS)
            raise _Mistake(say(text, word=printable(key), hint=hint))
    return keys


def _choice_from(keys: Mapping[str, object]) -> TableChoice:
    switches = _switches(keys)
    preset = keys.get("rules", STANDARD)
    if not isinstance(preset, str):
        text = "The key rules is the name of a rule set, not {value}."
        raise _Mistake(say(text, value=shown(preset)))
    choice = TableChoice(preset, switches)
    rules = parse_rules(printable(preset), choice.switches)
    if isinstance(rules, Refusal):
        unnamed = rules.reason is RefusalReason.UNKNOWN_PRESET
        text = "The key rules: {problem}" if unnamed else "with: {problem}"
        raise _Mistake(say(text, problem=refusal_sentence(rules)))
    numbers = {name: keys[name] for name in SIZES if name in keys}
    if isinstance(numbers.get("deal"), str):  # a deal table, read with the switches
        del numbers["deal"]
    return replace(
        choice,
        sizes={name: _size(name, value) for name, value in numbers.items()},
        options={name: _option(name, keys[name]) for name in OPTIONS if name in keys},
        name=_text(keys, "name"),
        first=_first_player(keys, rules),
    )


def _hint(word: str, known: Iterable[str]) -> str:
    return did_you_mean(word, known) or say("there are: {words}.", words=", ".join(known))


def _size(key: str, value: object) -> int:
    size = SIZES[key]
    if isinstance(value, bool) or not isinstance(value, int) or value not in size.values:
        facts = {"key": key, "numbers": size.words, "value": shown(value)}
        raise _Mistake(say("The key {key} is {numbers}, not {value}.", **facts))
    return value


def _option(name: str, value: object) -> str:
    known = [each.value for each in OPTIONS[name]]
    if value not in known:
        text = "The key {key} cannot be {value}; it can be: {words}."
        raise _Mistake(say(text, key=name, value=shown(value), words=", ".join(known)))
    return str(value)


def _text(keys: Mapping[str, object], key: str) -> str | None:
    value = keys.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise _Mistake(say(_TEXTS[key], value=shown(value)))
    if len(value) > _NAME_CHARS_MAX:
        text = "The key {key} has at most {count} letters."
        raise _Mistake(say(text, key=key, count=_NAME_CHARS_MAX))
    return value.strip()


def _first_player(keys: Mapping[str, object], rules: RuleSet) -> str | None:
    first = _text(keys, "first-player")
    if first is not None and rules.first is not First.CHOSEN_ROTATE:
        raise _Mistake(say("The key first-player: {problem}", problem=say(NOT_CHOSEN)))
    return first


def _switches(keys: Mapping[str, object]) -> dict[str, str]:
    """Read `[with]`, and a deal table in the key `deal`."""
    table = keys.get("with", {})
    if not isinstance(table, dict):
        text = 'The key with is a table of switches: [with], then blanks = "25-50".'
        raise _Mistake(say(text))
    found = {printable(name): _word(name, value) for name, value in table.items()}
    deal = keys.get("deal")
    if deal is not None and "deal" in found:
        raise _Mistake(say("The key deal is given twice: once by itself and once in with."))
    if isinstance(deal, str):
        known = [each.value for each in DealTable]
        if deal not in known:
            text, hint = "The key deal: There is no deal table {word}; {hint}", _hint(deal, known)
            raise _Mistake(say(text, word=printable(deal), hint=hint))
        found["deal"] = deal
    return found


def _word(name: str, value: object) -> str:
    """Read the word of one switch; `true` and `false` stand for yes and no."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return shown(value)
        case str():
            return printable(value)
        case _:
            text = "The key with.{name} is a word or a number, not {value}."
            raise _Mistake(say(text, name=printable(name), value=shown(value)))


# ---- written ------------------------------------------------------------------------------------


def write_choice(choice: TableChoice) -> str:
    """Write a table file with what is chosen, and everything else as comments."""
    head = say(
        "House rules for Boneyard. Change what you like; lines that begin with # do nothing."
    )
    begins = say("who begins, with first = chosen-rotate")
    lines = [
        f"# {head}",
        "",
        _setting("name", choice.name, say("our rules"), say("what these rules are called")),
        *(line for preset, told in PRESETS.items() for line in _about(preset, told.sentence)),
        _setting("rules", choice.preset, STANDARD, say("one of the rule sets above")),
        *(
            _setting(name, choice.sizes.get(name), size.example, f"{say(size.about)}: {size.words}")
            for name, size in SIZES.items()
        ),
        _setting("first-player", choice.first, "Ann", begins),
    ]
    for name, kind in OPTIONS.items():
        usual = next(iter(kind)).value
        lines += _value_lines(kind, usual, say("usual"))
        lines.append(_setting(name, choice.options.get(name), usual))
    lines += ["", "[with]"]
    for name, switch in SWITCHES.items():
        value = choice.switches.get(name)
        if name == "deal":
            lines += [] if value is None else [_setting(name, value, "", say("the deal table"))]
            continue
        base = value_text(RULE_SETS[choice.preset], name)
        lines += ["", *wrap(say(switch.decides), 96, initial_indent="# ", subsequent_indent="# ")]
        lines += _value_lines(switch, base, choice.preset)
        lines.append(_setting(name, value, base))
    return "\n".join(lines) + "\n"


def _value_lines(kind: type[Switch], base: str, whose: str) -> list[str]:
    """Write a line for each value, with a mark at the one that holds if nothing is chosen."""
    marked = {each: f" ({whose})" if each.value == base else "" for each in kind}
    return [line for each in kind for line in _about(each.value + marked[each], each.sentence)]


def _about(word: str, sentence: str) -> list[str]:
    return wrap(f"{word}: {say(sentence)}", 96, initial_indent="#   ", subsequent_indent="#      ")


def _setting(key: str, value: str | int | None, example: str | int, comment: str = "") -> str:
    """Write one line, commented out with an example if nothing is chosen."""
    line = tomli_w.dumps({key: example if value is None else value}).rstrip("\n")
    return f"{'# ' if value is None else ''}{line}{f'  # {comment}' if comment else ''}"


def save_choice(path: str, choice: TableChoice) -> None:
    """Write a table file that was not there before; raises `CommandFailed`."""
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(write_choice(choice))
    except FileExistsError:
        text = "{path} exists already; remove it first, or choose another name (write)."
        raise CommandFailed(ExitCode.USAGE, say(text, path=path)) from None
    except OSError as error:
        Path(path).unlink(missing_ok=True)  # what was begun of it
        raise cannot_write(path, error) from None
