"""The verbs that leave the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import structs

from cli.session.verbs.verb import Ask, TableVerb, Where

if TYPE_CHECKING:
    from cli.session.session import Session


class Quit(Ask, frozen=True):
    """Leave the table; with `for_good`, the others go on without this seat."""

    for_good: bool = False
    word: str = "quit"
    """The word that was typed; typing it again leaves."""

    def typed_as(self, word: str) -> Quit:
        """Return the same request with the word that was typed for it."""
        return structs.replace(self, word=word)

    async def do(self, session: Session) -> None:
        """Leave, or ask first if something would be lost.

        In a script, first wait for its last move to be made.
        """
        if not session.front.asks_back:
            await session.moves.settle()
        await session.way_out.quit(for_good=self.for_good, typed=self.word)


_QUIT: Final = TableVerb(
    "quit",
    "Leave; in mid-game the others wait, and boneyard resume brings you back.",
    Quit(),
    short=("q", "exit"),
    spanish=("salir",),
    where=Where.ALWAYS,
    also=("bye", "goodbye", "adiós"),
)
_LEAVE: Final = TableVerb(
    "leave",
    "Leave for good: the others go on without you.",
    Quit(for_good=True, word="leave"),
    spanish=("abandonar", "irse"),
    where=Where.ALWAYS,
)

VERBS: Final = (_QUIT, _LEAVE)

LEAVING: Final = tuple(word for verb in VERBS for word in (verb.word, *verb.short, *verb.spanish))
"""The words that leave a table; they also leave a question or a menu."""
