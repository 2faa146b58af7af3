"""Questions after a word or a sign: `what is a marker`, `marker?`, `help marker`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.input.lexer import Words, plain
from cli.session.frontend import explain
from cli.session.verbs.verb import Ask
from cli.visible import folded
from cli.wording.glossary import Sign, Term, term_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.session.session import Session

_ARTICLE: Final = r"(?:(?:an?|the|un|una|el|la|los|las|lo) )?"
_QUESTIONS: Final = tuple(
    re.compile(asked)
    for asked in (
        rf"what(?: is|'s|s| are|'re) {_ARTICLE}(.+)",
        rf"what (?:does|do) {_ARTICLE}(.+) mean",
        rf"what means {_ARTICLE}(.+)",
        rf"how (?:does|do) {_ARTICLE}(.+) work",
        rf"(?:tell me about|explain|describe) {_ARTICLE}(.+)",
        rf"como funcionan? {_ARTICLE}(.+)",
        rf"(?:explica|explicame|hablame de) {_ARTICLE}(.+)",
        rf"que (?:es|son|significan?|quiere decir) {_ARTICLE}(.+)",
    )
)
"""Questions as people type them, without capitals, accents and the question marks around it."""


class WhatIs(Ask, frozen=True):
    """Ask what a word or a sign means."""

    term: Term | Sign

    async def do(self, session: Session) -> None:
        """Say it, with the sign as this screen draws it."""
        open_end = session.front.canvas().glyphs.open_end
        explain(session.front, self.term.told(open_end))


def read_question(line: str) -> WhatIs | None:
    """Read a question after a term, or the term itself with a question mark; None for all else."""
    asked = " ".join(folded(plain(line)).split())
    bare = asked.strip("\ufeff\u00bf ").rstrip("? ")
    for question in _QUESTIONS:
        if (found := question.fullmatch(bare.rstrip(".")) or question.fullmatch(bare)) is not None:
            return _what_is(found[1])
    return _what_is(bare) if asked.endswith("?") else None


def read_topic(words: Words, is_command: Callable[[str], bool]) -> WhatIs | None:
    """Read the words after `help` as a term; None if they are none, or begin with a command."""
    line = " ".join(words)
    if not words or is_command(line):
        return None
    return _what_is(folded(plain(line)).rstrip("?. "))


def _what_is(name: str) -> WhatIs | None:
    """Ask after what has this name, also in quotes; None if nothing has."""
    term = term_named(name) or term_named(name.strip("\"'\u00ab\u00bb "))
    return None if term is None else WhatIs(term)
