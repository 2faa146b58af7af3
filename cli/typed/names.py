"""Names as they are typed: what no player can be called, and several names in one line."""

import re
from collections.abc import Sequence
from typing import Final

from cli.typed.grammar import find_command
from cli.typed.readers import OWN_TRAIN, Command, Words
from cli.typed.spanish import SPANISH
from cli.visible import folded, named_so

_AND: Final = frozenset({"and", "y", "&"})
"""The words between the last two names of several, in any language."""

_NO_NAME: Final = re.compile(r"m?\d+|m|mexican\d*", re.ASCII)


def is_no_name(text: str) -> bool:
    """Whether a player cannot be called so: a number, a command, or a train of a known name.

    A letter that is short for a command is a name all the same, but for `m`.
    """
    word = text.casefold()
    if _NO_NAME.fullmatch(word) or word in OWN_TRAIN:
        return True
    found = find_command(word) if len(word) > 1 else ()
    known = (found.word, *found.short) if isinstance(found, Command) else ()
    return word in known or folded(text) in SPANISH


def listed_names(words: Words, known: Sequence[str]) -> tuple[str, ...]:
    """Take names apart that are typed in one line: `eva dan`, `eva, dan and cy`, `eva y dan`.

    A word that somebody is called by stays whole, whatever it is.
    """
    parts: list[str] = []
    for word in words:
        parts += [word] if named_so(known, word) else filter(None, re.split("[,;]", word))
    ends = (0, len(parts) - 1)
    return tuple(
        part
        for at, part in enumerate(parts)
        if at in ends or part.lower() not in _AND or named_so(known, part)
    )
