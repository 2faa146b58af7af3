"""One peer's side of a table, without I/O: inputs and time in, effects out [protocol.md §8].

Every input returns effects, which the shell carries out in order. Work that takes time is handed
out as an effect, and its result comes back as an input. Times are monotonic seconds.

See `beginnings` for how a core comes to have a table.
"""

from collections.abc import Iterable, Sequence

from engine.refusals import Refusal
from engine.table.moves import Call, Move
from netgame.crypto.group import Entropy
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Signer
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.duties import DUTIES, advance
from netgame.protocol.peer.effects import Effect, Journalled, PeerKey
from netgame.protocol.peer.inbox import hear
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.silence import ASK_FIRST_S
from netgame.protocol.peer.view import TableView, build_view
from netgame.wire import messages as wire
from netgame.wire.codec import encode


class Core:
    """All inputs of a peer at a table, wired to its `parts`."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        *,
        bot: bool = False,
    ) -> None:
        self.place = Place(signer, name, addresses, bot=bot)
        self.key = self.place.key
        self.author = Author(self.key, secret, entropy)
        self.parts = Parts(self.place, self.author)

    @property
    def ledger(self) -> Ledger:
        """The log as far as it has come here."""
        return self.place.ledger

    @property
    def state(self) -> State:
        """The fold of the log so far."""
        return self.place.state

    @property
    def table_id(self) -> bytes:
        """The table's id; empty while this peer has none."""
        return self.place.table_id

    @property
    def fault(self) -> Fault | None:
        """The proved fault on which the table has stopped."""
        return self.place.fault

    def _at(self, now: float) -> Parts:
        """The parts, at the time of this input."""
        self.place.now = now
        return self.parts

    # ---- inputs of the shell ----

    def start(self, now: float, life: bytes = b"") -> tuple[Effect, ...]:
        """The first input: the host opens its table and sits down.

        `life` are octets thrown for this process alone, by which others tell it from a second one.
        """
        parts = self._at(now)
        parts.greeter.life, opening = life, parts.lobby_host.opening
        if opening is not None and self.state.step == 0:
            parts.lobby_host.open(opening)
        elif not self.place.table_id:
            # It may be a table at which this seat has written before, and lost its record.
            parts.silence.begin(now + ASK_FIRST_S)
        for entry in parts.journal.to_be_kept():
            self.place.outbox.emit(Journalled(encode(wire.RecordEntry(entry.signed))))
        parts.faults.convict_late()
        return self.flush()

    def link_up(self, peer: PeerKey, now: float) -> tuple[Effect, ...]:
        """A link whose other side has proved that it is `peer`."""
        parts = self._at(now)
        self.place.links.come(peer)
        parts.watch.meet(peer)
        parts.mesh.came(peer)
        parts.greeter.say_hello(peer)
        return self.flush()

    def link_down(self, peer: PeerKey, now: float) -> tuple[Effect, ...]:
        """The link to `peer` is gone."""
        parts = self._at(now)
        belongs = self.place.belongs(peer)
        self.place.links.peers.pop(peer, None)
        parts.mesh.went(peer, is_dialled=belongs or peer == parts.joiner.host)
        if not belongs:
            parts.silence.forget(peer)
        for part in (parts.joiner, parts.greeter, parts.watchers, parts.names):
            part.forget(peer)
        parts.applicants.withdraw(peer)
        parts.lobby_host.lose(peer)
        return self.flush()

    def frame(self, peer: PeerKey, body: bytes, now: float) -> tuple[Effect, ...]:
        """A frame from `peer`; may hold anything."""
        hear(self._at(now), peer, body)
        return self.flush()

    def work_done(self, job: int, result: object, now: float) -> tuple[Effect, ...]:
        """A piece of `Work` has run."""
        self._at(now).place.outbox.finish(job, result)
        return self.flush()

    def wake(self, now: float) -> tuple[Effect, ...]:
        """The time asked for by the last `Wake` has come."""
        self._at(now)
        return self.flush()

    def flush(self) -> tuple[Effect, ...]:
        """Follow up on what has changed, and hand over all effects in order."""
        advance(self.parts)
        for duty in DUTIES:
            duty.do(self.parts)
        return self.place.outbox.take()

    # ---- inputs of the person ----

    def attend(self, now: float) -> tuple[Effect, ...]:
        """A person sits here: calls are theirs to make, and they get the time for it."""
        self._at(now).place.attended = True
        return self.flush()

    def propose(self, move: Move, now: float) -> tuple[Effect, ...] | Refusal:
        """Make a move; a refusal changes nothing."""
        refusal = self._at(now).writer.try_move(move)
        return self.flush() if refusal is None else refusal

    def call(self, move: Call, now: float) -> tuple[Effect, ...] | Refusal:
        """Tell of the last tile, or catch who has not; a refusal changes nothing."""
        refusal = self._at(now).calling.say(move)
        return self.flush() if refusal is None else refusal

    def go_on_without(self, keys: Iterable[bytes], now: float) -> tuple[Effect, ...]:
        """Vote to give up who holds these keys, wherever the table waits for them.

        All others have to, and they must be more than half of who is still there.
        """
        self._at(now).watch.give_up(keys)
        return self.flush()

    def take_seat(self, now: float) -> tuple[Effect, ...]:
        """Who has only looked on sits down; when the game has begun, at the next round."""
        self._at(now).joiner.take_seat()
        return self.flush()

    def look_on(self, now: float) -> tuple[Effect, ...]:
        """Who waits for a seat at the next round does so no longer, and watches."""
        self._at(now).joiner.look_on()
        return self.flush()

    def begin(self, now: float, lead: str | None = None) -> tuple[Effect, ...] | Refusal:
        """Host: start the game with who sits, or say why the rules do not allow it.

        `lead` names who plays first, under rules by which the table chooses that.
        """
        problem = self._at(now).lobby_host.begin(lead)
        return self.flush() if problem is None else problem

    def chat(self, text: str, now: float) -> tuple[Effect, ...]:
        """Say something to all; stands in no log."""
        self._at(now).talk.say(text)
        return self.flush()

    def farewell(self, now: float) -> tuple[Effect, ...]:
        """Leave this seat for good: it writes nothing more, by its word. Close the links next."""
        parts = self._at(now)
        parts.joiner.look_on()
        parts.stay.say_farewell()
        return self.flush()

    def leave(self, now: float) -> tuple[Effect, ...]:
        """This process is about to end; a host in its lobby says so, as its table goes with it."""
        self._at(now).lobby_host.close()
        return self.flush()

    # ---- what the shell may ask ----

    def may_come(self, key: bytes) -> bool:
        """Whether this key needs no join code here: it sits, or a member has let it in."""
        return self.parts.watchers.may_come(key)

    def view(self) -> TableView:
        """A snapshot of what the person here may see."""
        return build_view(self.parts)
