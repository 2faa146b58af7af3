"""Suggest a known word for an unknown one."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from cli.language import say

_ALIKE: Final = 0.7
_ALIKE_FROM_FIRST: Final = 0.6
"""How alike two words must be (`difflib` ratio), and how alike if their first letters agree."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean …?` with the nearest of these words; empty if none is near.

    Case does not matter. A word that is only slightly similar is not suggested, such as `block` for
    `knock`.
    """
    typed, forms = word.casefold(), {each.casefold(): each for each in known}
    parts = [form for form in forms if typed in form.split("-")]
    near = parts if len(parts) == 1 else get_close_matches(typed, forms, 1, _ALIKE)
    if not near:
        alike = [form for form in forms if form[:1] == typed[:1]]
        near = get_close_matches(typed, alike, 1, _ALIKE_FROM_FIRST)
    return say("did you mean {word}?", word=forms[near[0]]) if near else ""
