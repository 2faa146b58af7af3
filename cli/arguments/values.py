"""Readers of single arguments, each with a complaint that says what would do."""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence


def number(values: Sequence[int], words: str) -> Callable[[str], int]:
    """Make a reader of whole numbers; `words` tells a person which there are."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= 20 and int(text) in values:
            return int(text)
        raise ArgumentTypeError(f"{text!r} is not {words}")

    return read


def count(least: int, most: int) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range."""
    return number(range(least, most + 1), f"a whole number from {least} to {most}")


def _matching(pattern: str, words: str) -> Callable[[str], str]:
    """Make a reader of text in lower case; `words` tells a person what it has to be."""

    def read(text: str) -> str:
        if re.fullmatch(pattern, text.lower(), re.ASCII) is None:
            raise ArgumentTypeError(f"{text!r} is not {words}")
        return text.lower()

    return read


key = _matching(
    r"[0-9a-f]{64}|[a-z2-7]{8}", "a key of 64 hex digits or a fingerprint such as eh7ddx5b"
)
digest = _matching(r"[0-9a-f]{16,128}", "a digest of 16 to 128 hex digits")


def switch(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`; whether there is such a switch is for the engine to say."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip() or not value.strip():
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE, such as blanks=25-50")
    return name.strip(), value.strip()
