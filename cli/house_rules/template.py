"""A table file as the program writes it: what is chosen, and the rest as comments."""

from pathlib import Path
from textwrap import wrap

import tomli_w

from cli.exits import CommandFailed, ExitCode
from cli.house_rules.choice import SIZES, TableChoice
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, value_text
from engine.rules.presets import PRESETS
from engine.rules.switches import Switch
from netgame.protocol.fold.options import OPTIONS


def write_choice(choice: TableChoice) -> str:
    """Write a table file with what is chosen, and everything else as comments."""
    lines = [
        "# House rules for Boneyard. Change what you like; lines that begin with # do nothing.",
        "",
        _setting("name", choice.name, "our rules", "what these rules are called"),
        *(line for preset, told in PRESETS.items() for line in _about(preset, told.sentence)),
        _setting("rules", choice.preset, STANDARD, "one of the rule sets above"),
        *(
            _setting(name, choice.sizes.get(name), size.example, f"{size.about}: {size.words}")
            for name, size in SIZES.items()
        ),
        _setting("first-player", choice.first, "Ann", "who begins, with first = chosen-rotate"),
    ]
    for name, kind in OPTIONS.items():
        usual = next(iter(kind)).value
        lines += _value_lines(kind, usual, "usual")
        lines.append(_setting(name, choice.options.get(name), usual))
    lines += ["", "[with]"]
    for name, switch in SWITCHES.items():
        value = choice.switches.get(name)
        if name == "deal":
            lines += [] if value is None else [_setting(name, value, "", "the deal table")]
            continue
        base = value_text(RULE_SETS[choice.preset], name)
        lines += ["", *wrap(switch.decides, 96, initial_indent="# ", subsequent_indent="# ")]
        lines += _value_lines(switch, base, choice.preset)
        lines.append(_setting(name, value, base))
    return "\n".join(lines) + "\n"


def _value_lines(kind: type[Switch], base: str, whose: str) -> list[str]:
    """Write a line for each value, with a mark at the one that holds if nothing is chosen."""
    lines: list[str] = []
    for each in kind:
        mark = f" ({whose})" if each.value == base else ""
        lines += _about(each.value + mark, each.sentence)
    return lines


def _about(word: str, sentence: str) -> list[str]:
    return wrap(f"{word}: {sentence}", 96, initial_indent="#   ", subsequent_indent="#      ")


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
        text = f"{path} exists already; remove it first, or choose another name (write)."
        raise CommandFailed(ExitCode.USAGE, text) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandFailed(ExitCode.FAILED, f"{path} cannot be written: {reason}.") from None
