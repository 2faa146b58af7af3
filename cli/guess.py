"""Suggest a known word for an unknown one."""

from collections.abc import Iterable
from difflib import get_close_matches

from cli.language import say


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean …?` with the nearest of these words, whatever its case; else empty."""
    forms = {each.casefold(): each for each in known}
    near = get_close_matches(word.casefold(), forms, 1)
    return say("did you mean {word}?", word=forms[near[0]]) if near else ""
