"""A real peer whose parts can be bent: what it says and does can differ from what is right."""

from collections.abc import Iterable
from typing import Any

from engine.refusals import Refusal
from engine.table.moves import Move
from netgame.protocol.fold.deck import Deal
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.entries.writer import DeckWork, Pen, Writer
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.place import Outbox
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.receipt.decisions import Decisions
from netgame.protocol.peer.receipt.receipt import Receipt
from netgame.protocol.peer.secrets.keyring import Making
from netgame.protocol.peer.standing.journal import Journal, Silence
from netgame.protocol.peer.standing.stay import Faults
from netgame.protocol.peer.sync import Peer
from netgame.wire.messages import Hello, LinkMessage, Payload, SignedEntry, SignedStatement


class Bent(Core):
    """Each method below stands in the place of that of a part, and does the same until overridden.

    So a cheat overrides one of them, and everything else of it is the program that people run.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - what a core takes
        super().__init__(*arguments, **more)
        parts = self.parts
        for part, name, mine in (
            (parts.pen, "write", self.write),
            (parts.receipt, "offer", self.offer),
            (parts.receipt, "judged", self.judged),
            (parts.deck_work, "checked", self.checked),
            (parts.faults, "convict", self.convict),
            (parts.silence, "has_been_level", self.has_been_level),
            (parts.greeter, "hear", self.greet),
            (parts.journal, "recall", self.recall),
            (parts.writer, "try_move", self.try_move),
            (parts.polls, "act", self.decide),
            (parts.decisions, "hear", self.hear_statement),
            (self.place.outbox, "send", self.send),
        ):
            setattr(part, name, mine)

    def write(self, payload: Payload | Making) -> None:
        """Write our entry for the due step."""
        Pen.write(self.parts.pen, payload)

    def offer(self, signed: SignedEntry, sender: PeerKey | None) -> bool:
        """Take an entry, from whomever."""
        return Receipt.offer(self.parts.receipt, signed, sender)

    def judged(self, entry: Entry, found: object) -> None:
        """The proof of an entry has been judged."""
        Receipt.judged(self.parts.receipt, entry, found)

    def checked(self, deal: Deal, found: object) -> None:
        """The chain of a deal has been checked."""
        DeckWork.checked(self.parts.deck_work, deal, found)

    def convict(self, fault: Fault) -> None:
        """Somebody has cheated."""
        Faults.convict(self.parts.faults, fault)

    def has_been_level(self, step: int) -> bool:
        """Whether an own entry that this process did not sign is another program's."""
        return Silence.has_been_level(self.parts.silence, step)

    def greet(self, key: PeerKey, peer: Peer, hello: Hello) -> None:
        """Somebody names a table."""
        Greeter.hear(self.parts.greeter, key, peer, hello)

    def recall(self, ledger: Ledger, payloads: Iterable[bytes]) -> None:
        """Take over what this key has signed."""
        Journal.recall(self.parts.journal, ledger, payloads)

    def try_move(self, move: Move) -> Refusal | None:
        """Make a move."""
        return Writer.try_move(self.parts.writer, move)

    def decide(self) -> None:
        """Say what there is to say of who goes on."""
        Polls.act(self.parts.polls)

    def hear_statement(self, signed: SignedStatement, sender: PeerKey | None) -> bool:
        """Take a statement, from whomever."""
        return Decisions.hear(self.parts.decisions, signed, sender)

    def send(self, peer: PeerKey, message: LinkMessage) -> None:
        """Say something to one peer."""
        Outbox.send(self.place.outbox, peer, message)
