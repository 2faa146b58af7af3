"""Suggest a known word for an unknown one."""

from collections.abc import Iterable
from difflib import get_close_matches

from cli.language import say


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean …?` with the nearest of these words; empty if none is near."""
    near = get_close_matches(word, known, 1)
    return say("did you mean {word}?", word=near[0]) if near else ""
