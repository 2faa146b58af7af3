"""Questions about a word or a sign: `what is a marker`, `marker?`, `help marker`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.input.asking import is_known, nearest
from cli.input.lexer import Words, plain
from cli.input.topics import CONTRACTIONS, word_set
from cli.session.frontend import explain
from cli.session.verbs.verb import Ask
from cli.visible import folded
from cli.wording.glossary import TERM_WORDS, Sign, Term, set_sentence, term_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.session.session import Session

_IS: Final = frozenset({"is", "are", "es", "son"})
_MEANS: Final = word_set(
    "about describe work works funciona funcionan hablame mean means meaning stand stands explain "
    "define significa significan quiere explica explicame"
)
_AROUND: Final = (
    _IS
    | _MEANS
    | word_set(
        "how como what que does do the a an this that called thing word sign symbol column letter "
        "you by me tell exactly again decir un una el la los las lo eso esa"
    )
)
"""Words that may be around a term in a question."""
_QUOTES: Final = "\"'\u00ab\u00bb\u00bf\ufeff"


class WhatIs(Ask, frozen=True):
    """Ask what a word or a sign means."""

    term: Term | Sign

    async def do(self, session: Session) -> None:
        """Say the meaning, with signs as this screen draws them."""
        explain(session.front, self.told(session.front.canvas().glyphs.open_end))

    def told(self, open_end: str) -> str:
        """Return the meaning, for a screen that draws an open train with the sign `open_end`."""
        return self.term.told(open_end)


class WhatSet(Ask, frozen=True):
    """Ask which tiles the set with this highest double has."""

    double: int

    async def do(self, session: Session) -> None:
        """Say which tiles the set has, or which sets exist if there is no such set."""
        explain(session.front, self.told(session.front.canvas().glyphs.open_end))

    def told(self, _open_end: str) -> str:
        """Return the answer; it is the same for any screen."""
        return set_sentence(self.double)


_SET_ASKED: Final = re.compile(
    r"(?:set|sets|juego|juego de fichas)(?: of| de)? (\d{1,2})", re.ASCII
)


def read_question(line: str) -> WhatIs | WhatSet | None:
    """Read a question about a term or a set, or a term with a question mark; else return None."""
    asked = folded(plain(line)).split()
    words = [part for word in asked for part in _written_out(word)]
    means = not _MEANS.isdisjoint(words)
    if not (means or (not _IS.isdisjoint(words) and not {"what", "que"}.isdisjoint(words))):
        return _what_is(" ".join(words)) if line.rstrip().endswith("?") else None
    rest = _within(words)
    if set_asked := _SET_ASKED.fullmatch(" ".join(rest)):
        return WhatSet(int(set_asked[1]))
    found = _what_is(" ".join(rest)) or _what_is(_before_number(rest))
    if found is None and rest and (means or len(rest[0]) == 1):
        found = _what_is(rest[0])
    return found


def _within(words: Words) -> Words:
    """Return the words without those at either end that only phrase the question."""
    kept = [at for at, word in enumerate(words) if word not in _AROUND]
    return words[kept[0] : kept[-1] + 1] if kept else []


def _before_number(words: Words) -> str:
    """Join the words to a text, leaving out a number such as `9` or `of 9` at its end."""
    text = " ".join(words)
    return re.sub(r"(?: of| de)? \d+$", "", text)


def _written_out(word: str) -> list[str]:
    """Return the words that a typed word stands for, without quotes and punctuation.

    Usually that is the word itself, but an unknown one is replaced by the closest known word. A
    contraction gives its two words, and a word of punctuation alone gives none.
    """
    bare = word.strip(_QUOTES)
    bare = bare.rstrip("?.,:")
    if term_named(bare) is None:
        bare = bare.rstrip("!") or bare
    two = CONTRACTIONS.get(bare.replace("'", ""))
    known = TERM_WORDS | _AROUND
    if two or not bare:
        return two.split() if two else []
    return [bare if is_known(bare) else nearest(bare, known)]


def read_topic(words: Words, is_command: Callable[[str], bool]) -> WhatIs | None:
    """Read the words after `help` as a term; None if they are not a term or begin with a verb."""
    line = " ".join(words)
    if not words or is_command(line):
        return None
    return _what_is(folded(plain(line)).rstrip("?. "))


def _what_is(name: str) -> WhatIs | None:
    """Return the question about the term called `name`, even in quotes; None if there is none."""
    term = term_named(name) or term_named(name.strip("\"'\u00ab\u00bb "))
    return None if term is None else WhatIs(term)
