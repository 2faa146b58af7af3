"""The long work at a deck in the making: proving our shuffle, checking the chain of all."""

from dataclasses import dataclass
from typing import cast

from netgame.protocol.fold.deal import why_bad_chain
from netgame.protocol.fold.deck import Deal
from netgame.protocol.ledger.ledger import ChainId, Ledger
from netgame.protocol.log.fault import Finding
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.receipt import Settlement
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.faults import Faults
from netgame.wire.messages import Proof


@dataclass(eq=False)
class DeckWork:
    """Each is begun once for a chain of the log that is being read."""

    place: Place
    author: Author
    faults: Faults
    settlement: Settlement
    _ledger: Ledger | None = None
    _proving: ChainId | None = None
    _checking: ChainId | None = None

    def begin(self) -> None:
        """Start, once each, the proof of our link of the chain and the check of the others'."""
        ledger, state = self.place.ledger, self.place.state
        if ledger is not self._ledger:
            self._ledger, self._proving, self._checking = ledger, None, None
        deal = state.deal
        if deal is None or self.place.fault is not None:
            return
        this = (state.log_id, deal.born)
        if self._proving != this:
            making = self.author.dealer.shuffle_proof(state)
            if making is not None:
                self._proving = this
                self.place.outbox.work(
                    making.run,
                    lambda made: self.author.dealer.keep_proof(deal.born, cast("Proof", made)),
                    long=True,
                )
        if deal.phase is DealPhase.CHECKED and self._checking != this:
            self._checking = this
            proofs, own, entropy = ledger.proofs(deal), self.place.seat, self.author.fresh()
            self.place.outbox.work(
                lambda: why_bad_chain(deal, proofs, entropy, own),
                lambda found: self.checked(deal, found),
                long=True,
                checks=this,
            )

    def checked(self, deal: Deal, found: object) -> None:
        """The proofs of a deal's chain have been checked; it may have been thrown away since."""
        ledger = self.place.ledger
        if self.place.fault is not None:
            return
        if found is not None:
            seat, finding = cast("tuple[int, Finding]", found)
            self.faults.convict(ledger.chain_fault(deal, seat, finding))
        elif deal == self.place.state.deal:
            self.settlement.moved_on(ledger.pass_chain(ledger.chain))
