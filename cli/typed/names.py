"""What no player can be called, as it means something else at the table."""

import re
from typing import Final

from cli.typed.grammar import find_command
from cli.typed.readers import OWN_TRAIN, Command
from cli.typed.spanish import SPANISH
from cli.visible import folded

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
