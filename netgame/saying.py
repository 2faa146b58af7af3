"""Texts for people, kept apart from their facts so that a front end can translate them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Saying(NamedTuple):
    """A text for people, with the fact to put in for each `{name}` in it.

    `str` gives it in English. A front end translates the text before it puts the facts in. A fact
    may itself be a saying, or a plain tuple of names and sayings to join as prose. A text without
    facts is not formatted, because it may come from another peer and contain braces.
    """

    text: str
    facts: Mapping[str, object] = {}

    def __str__(self) -> str:
        """Return the English text with its facts put in."""
        facts = {
            name: join_names([*map(str, fact)]) if type(fact) is tuple else fact
            for name, fact in self.facts.items()
        }
        return self.text.format(**facts) if facts else self.text


def saying(text: str, /, **facts: object) -> Saying:
    """Return a `Saying` with this text and these facts."""
    return Saying(text, facts)


def join_names(names: Sequence[str]) -> str:
    """Join names as prose: `Ann`, `Ann and Bob`, `Ann, Bob and Cy`; empty for no names."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
