"""Texts for people whose facts are still apart, so that a front end can translate them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Saying(NamedTuple):
    """A text for people, and the facts for its `{name}` places; `str` is English.

    A front end translates the text before it fills the places. A fact may itself be a saying, or a
    plain tuple of names and sayings to be joined. A text without facts is not formatted: it may come from
    others and contain braces.
    """

    text: str
    facts: Mapping[str, object] = {}

    def __str__(self) -> str:
        """Return the text in English, its places filled."""
        facts = {
            name: join_names([*map(str, fact)]) if type(fact) is tuple else fact
            for name, fact in self.facts.items()
        }
        return self.text.format(**facts) if facts else self.text


def saying(text: str, /, **facts: object) -> Saying:
    """Return a text with facts for its places."""
    return Saying(text, facts)


def join_names(names: Sequence[str]) -> str:
    """Join names as prose: `Ann`, `Ann and Bob`, `Ann, Bob and Cy`; empty for no names."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
