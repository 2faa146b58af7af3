"""Ways in which a liar's program signs, or claims, what no honest log holds (`tests.lan.liar`).

Each is the real program with one part bent. A liar says on its own screen when it lies.

`late-proof`: when its first shuffle proof is due it says farewell instead, and shows a false one to
the first peer that promises to go on without it: the slow check of it ends behind the cut.
`claims-step`, `claims-polls`, `claims-filled`: its heads claim more of the log than there is, to
every peer but the host: further steps, one more poll, or further entries of the due step.
`wrong-score`: a wrong score in the last round, in place of the right one. `two-scores`: to one peer
such a score, and to all the right one. `second-body`: in its first step of the second round, another
body for a slot of the first. `parting-body`: the same and a farewell, in one breath.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from lab.simulation.cheats.words import parting
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import read_statement, sign_entry
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.entries.writer import Pen
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.place import Outbox, PeerContext
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.receipt.decisions import Decisions
from netgame.wire import messages as wire
from netgame.wire.statements import Promise

_FURTHER = 7
"""Steps that a false head claims."""

_true_send = Outbox.send


def tell(text: str) -> None:
    """Say what was done; the scenes wait for it."""
    print(f"liar: {text}", flush=True)


def bend(part: type, method: str, bent: Callable[..., Any]) -> None:
    """Put a function in the place of a method of all parts of a kind; it is given the true one."""
    setattr(part, method, partial_method(bent, getattr(part, method)))


def partial_method(bent: Callable[..., Any], true: Callable[..., Any]) -> Callable[..., Any]:
    """A method that hands its part, the true method and all arguments to a function."""

    def method(self: object, *arguments: Any) -> Any:  # noqa: ANN401 - of any method
        return bent(self, partial(true, self), *arguments)

    return method


def signed(place: PeerContext, payload: wire.Payload) -> bytes:
    """An entry of ours for the due step that need not be right."""
    state, seat = place.state, place.seat
    assert seat is not None, "who does not sit writes nothing"
    poll = place.ledger.poll.number
    body = wire.Body(state.log_id, state.step, state.head, seat, poll, payload)
    return sign_entry(place.signer, body)


def send(place: PeerContext, peers: Iterable[PeerKey], message: wire.LinkMessage) -> None:
    """Send a message to these."""
    for key in peers:
        _true_send(place.outbox, key, message)


def is_last_score(place: PeerContext, payload: object) -> bool:
    """Whether this is what we sign of the last round."""
    table = place.state.table
    is_score = isinstance(payload, wire.RoundOver) and table is not None
    return is_score and table.round_number + 1 == table.spec.rounds


def score_wrongly(*, also_rightly: bool) -> None:
    """Sign a wrong score in the last round: alone, or one peer sees it beside the right one."""

    def write(pen: Pen, true: Callable[[object], None], payload: object) -> None:
        place = pen.place
        if not is_last_score(place, payload):
            true(payload)
            return
        assert isinstance(payload, wire.RoundOver)
        wrong = wire.RoundOver(tuple(1 + each for each in payload.scores), ())
        peers = list(place.links.peers)
        deceived = peers[:1] if also_rightly else peers
        send(place, deceived, wire.Entries((signed(place, wrong),)))
        tell(f"a wrong score at step {place.state.step}")
        pen.begun = place.due()
        if also_rightly:
            true(payload)

    bend(Pen, "write", write)


def sign_twice(*, leaves: bool) -> None:
    """Sign another body for an old slot, once, in the second round; with it, a farewell."""
    done: list[bytes] = []

    def flush(core: Core, true: Callable[[], object]) -> object:
        table = core.state.table
        is_second = core.state.phase is Phase.PLAY and table is not None and table.round_number == 1
        if is_second and not done:
            own = (each for step in core.ledger.steps for each in step)
            entry = next(
                each
                for each in own
                if core.ledger.key_of(each) == core.key and isinstance(each.payload, wire.Checked)
            )
            payload = wire.Checked(5)
            body = wire.Body(entry.id, entry.step, bytes(64), entry.seat, entry.poll, payload)
            done.append(sign_entry(core.place.signer, body))
            send(core.place, list(core.place.links.peers), wire.Entries((done[0],)))
            tell(f"a second body for step {entry.step} at step {core.state.step}")
            if leaves:
                leave_for_good(core.parts)
        return true()

    bend(Core, "flush", flush)


def prove_falsely() -> None:
    """Part at the first proof, and show a false one to whoever promises first."""
    kept: list[bytes] = []
    shown: list[PeerKey] = []
    parted: list[bool] = []

    def write(pen: Pen, true: Callable[[object], None], payload: object) -> None:
        if kept:
            return
        if not isinstance(payload, wire.Proof):
            true(payload)
            return
        proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
        kept.append(signed(pen.place, wire.Proof(payload.round, proof)))
        pen.begun = pen.place.due()

    def flush(core: Core, true: Callable[[], object]) -> object:
        if kept and not parted:
            parted.append(True)
            step = core.state.step
            bye = parting(core, step=step, last=step)
            send(core.place, list(core.place.links.peers), wire.Statements((bye.signed,)))
            tell(f"farewell at step {step}")
        return true()

    def hear(
        heard: Decisions,
        true: Callable[[bytes, PeerKey | None], bool],
        octets: bytes,
        sender: PeerKey,
    ) -> bool:
        if not kept:
            return true(octets, sender)
        statement = read_statement(octets).statement
        if isinstance(statement, Promise) and sender is not None and not shown:
            seat = heard.place.state.company.now.seat_of(sender)
            if seat == statement.seat:
                shown.append(sender)
                send(heard.place, [sender], wire.Entries((kept[0],)))
                tell(f"a false proof shown at step {heard.place.state.step}")
        return True

    bend(Pen, "write", write)
    bend(Core, "flush", flush)
    bend(Decisions, "hear", hear)
    bend(Polls, "act", lambda polls, true: None if kept else true())


def claim(lie: Callable[[wire.Head], wire.Head]) -> None:
    """Tell all but the host heads that claim more of the log than there is."""
    told: list[bool] = []

    def lied(outbox: Outbox, true: Callable[..., None], peer: PeerKey, message: object) -> None:
        if isinstance(message, wire.Head) and message.step:
            message = lie(message)
            if not told:
                told.append(True)
                tell("a false head")
        true(peer, message)

    bend(Outbox, "send", lied)


def _steps(head: wire.Head) -> wire.Head:
    return wire.Head(head.step + _FURTHER, bytes(64), head.filled, head.polls)


def _polls(head: wire.Head) -> wire.Head:
    return wire.Head(head.step, head.digest, head.filled, head.polls + 1)


def _filled(head: wire.Head) -> wire.Head:
    return wire.Head(head.step, head.digest, bytes([255] * 32), head.polls)


FAULTS: dict[str, Callable[[], None]] = {
    "late-proof": prove_falsely,
    "claims-step": partial(claim, _steps),
    "claims-polls": partial(claim, _polls),
    "claims-filled": partial(claim, _filled),
    "wrong-score": partial(score_wrongly, also_rightly=False),
    "two-scores": partial(score_wrongly, also_rightly=True),
    "second-body": partial(sign_twice, leaves=False),
    "parting-body": partial(sign_twice, leaves=True),
}
"""How to bend the program, by what it lies about."""
