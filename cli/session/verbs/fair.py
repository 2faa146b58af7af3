"""The verb about the shuffle: who mixed the deck, and why it is fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from cli.session.until import OnChange
from cli.session.verbs.verb import Ask, TableVerb, Where
from cli.wording.fair import fair_texts

if TYPE_CHECKING:
    from cli.session.session import Session
    from netgame.protocol.peer.view import TableView


class Fair(Ask, frozen=True):
    """Say who mixed the deck, what the person's program has checked, and what that means."""

    on_change: ClassVar = OnChange.RENEWS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return the table's stage, its mixers, seats and proofs, and the note on the deal."""
        return (view.stage, view.mixers, view.seats, view.deal_note, view.proofs)

    async def do(self, session: Session) -> None:
        """Show the answer, each text as a paragraph of its own."""
        node, canvas, sitting = session.node, session.front.canvas(), session.sitting
        texts = fair_texts(node.view(), node.key, seed=sitting.seed, returns=sitting.visit.returns)
        session.front.show([line for text in texts for line in canvas.prose(text, "   ")])


_FAIR: Final = TableVerb(
    "fair",
    "Say who mixed this deck, what your program has checked, and what that means.",
    Fair(),
    short=("shuffle", "verify", "proof"),
    spanish=("limpio", "barajar", "verificar", "prueba"),
    where=Where.ALWAYS,
)

VERBS: Final = (_FAIR,)
