"""Ways in which a liar's program signs or claims falsehoods (`tests.lan.liar`).

Each is the real program with a few methods replaced. A liar says on its own screen when it lies.

`late-proof`: when its first shuffle proof is due it says farewell instead, and shows a false proof
to the first peer that promises to go on without it; that peer's slow check ends after the cut.
`claims-step`, `claims-polls`, `claims-filled`: its heads claim more of the log than there is:
further steps, one more poll, or all entries of the due step.
`wrong-score`: it signs a wrong score in the last round instead of the right one. `two-scores`: it
sends the wrong one to one peer, and the right one to all. `second-body`: in its first step of the
second round it sends another body for a slot of the first. `parting-body`: it also says farewell at
once.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from lab.simulation.cheats.words import parting
from netgame.protocol.log.entry import Entry, read_statement, sign_entry
from netgame.protocol.peer.context import Outbox, PeerContext
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.sync.decisions import Decisions
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.statements import Promise

_FURTHER = 7
"""How many steps beyond the true one a false head claims."""


def tell(text: str) -> None:
    """Print a line about a lie; the scenes look for it."""
    print(f"liar: {text}", flush=True)


def bend(part: type, method: str, bent: Callable[..., Any]) -> None:
    """Replace a method of a part by `bent`.

    `bent` is called with the part, its true method, and all arguments.
    """
    true = getattr(part, method)

    def replaced(self: object, *arguments: Any) -> Any:
        return bent(self, partial(true, self), *arguments)

    setattr(part, method, replaced)


def signed(place: PeerContext, payload: wire.Payload) -> wire.SignedEntry:
    """Return a signed entry of this seat for the due step; its payload may be false."""
    state, poll = place.state, place.ledger.poll.number
    assert place.seat is not None, "only seats are asked to write"
    body = wire.Body(state.log_id, state.step, state.head, place.seat, poll, payload)
    return sign_entry(place.signer, body)


def send(place: PeerContext, peers: Iterable[PeerKey], message: wire.LinkMessage) -> None:
    """Send a message to these peers."""
    for key in tuple(peers):
        place.outbox.send(key, message)


def score_wrongly(*, also_rightly: bool) -> None:
    """Make this program sign a wrong score in the last round.

    All peers get the wrong score instead of the right one or, if `also_rightly`, one peer gets it,
    and all get the right one.
    """

    def write(pen: EntrySigner, true: Callable[[object], None], payload: object) -> None:
        place, table = pen.context, pen.context.state.table
        is_last = table is not None and table.round_number + 1 == table.spec.rounds
        if not (isinstance(payload, wire.RoundOver) and is_last):
            true(payload)
            return
        wrong = wire.RoundOver(tuple(1 + each for each in payload.scores), (), 0)
        deceived = list(place.links.peers)[: 1 if also_rightly else None]
        send(place, deceived, wire.Entries((signed(place, wrong),)))
        tell(f"a wrong score at step {place.state.step}")
        if also_rightly:
            true(payload)
        else:
            pen.begun = place.due()

    bend(EntrySigner, "write", write)


def second_body(core: Core) -> tuple[Entry, wire.SignedEntry]:
    """Return this peer's first `Checked` entry, and another body signed for the same slot."""
    own = (each for step in core.ledger.steps for each in step)
    entry = next(
        each
        for each in own
        if core.ledger.key_of(each) == core.key and isinstance(each.payload, wire.Checked)
    )
    payload = wire.Checked(5)
    body = wire.Body(entry.id, entry.step, bytes(64), entry.seat, entry.poll, payload)
    return entry, sign_entry(core.context.signer, body)


def sign_twice(*, leaves: bool) -> None:
    """Make this program sign a second body for an old slot, once, in the second round.

    With `leaves`, it leaves for good right after that.
    """
    done: list[int] = []

    def flush(core: Core, true: Callable[[], object]) -> object:
        table = core.state.table
        is_second = core.state.phase is Phase.PLAY and table is not None and table.round_number == 1
        if is_second and not done:
            entry, lie = second_body(core)
            done.append(entry.step)
            send(core.context, core.context.links.peers, wire.Entries((lie,)))
            tell(f"a second body for step {entry.step} at step {core.state.step}")
            if leaves:
                leave_for_good(core.parts)
        return true()

    bend(Core, "flush", flush)


def prove_falsely() -> None:
    """Make this program leave when its first proof is due, and show a false proof to one peer.

    That peer is the first from which it then hears a promise.
    """
    kept: list[wire.SignedEntry] = []
    parted: list[int] = []
    shown: list[PeerKey] = []

    def write(pen: EntrySigner, true: Callable[[object], None], payload: object) -> None:
        if not kept and isinstance(payload, wire.Proof):
            proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
            kept.append(signed(pen.context, wire.Proof(payload.round, proof)))
            pen.begun = pen.context.due()
        elif not kept:
            true(payload)

    def flush(core: Core, true: Callable[[], object]) -> object:
        if kept and not parted:
            parted.append(core.state.step)
            farewell = parting(core, step=parted[0], last=parted[0])
            send(core.context, core.context.links.peers, wire.Statements((farewell.signed,)))
            tell(f"farewell at step {parted[0]}")
        return true()

    def hear(
        decisions: Decisions,
        true: Callable[..., bool],
        said: wire.SignedStatement,
        sender: PeerKey | None,
    ) -> bool:
        if not kept:
            return true(said, sender)
        statement, now = read_statement(said).statement, decisions.context.state.company.now
        is_promise = isinstance(statement, Promise)
        if (
            is_promise
            and sender is not None
            and now.seat_of(sender) == statement.seat
            and not shown
        ):
            shown.append(sender)
            send(decisions.context, shown, wire.Entries((kept[0],)))
            tell(f"a false proof shown at step {decisions.context.state.step}")
        return True

    bend(EntrySigner, "write", write)
    bend(Core, "flush", flush)
    bend(Decisions, "hear", hear)
    bend(Polls, "act", lambda polls, true: None if kept else true())


def claim(lie: Callable[[wire.Head], wire.Head]) -> None:
    """Make this program send false heads: `lie` returns what is sent instead of a true one."""
    told: list[bool] = []

    def lied(outbox: Outbox, true: Callable[..., None], peer: PeerKey, message: object) -> None:
        if isinstance(message, wire.Head):
            message = lie(message)
            if not told:
                told.append(True)
                tell("a false head")
        true(peer, message)

    bend(Outbox, "send", lied)


def _further(head: wire.Head) -> wire.Head:
    return wire.Head(head.step + _FURTHER, bytes(64), head.filled, head.polls)


def _decided(head: wire.Head) -> wire.Head:
    return wire.Head(head.step, head.digest, head.filled, head.polls + 1)


def _filled(head: wire.Head) -> wire.Head:
    return wire.Head(head.step, head.digest, bytes([255] * 32), head.polls)


FAULTS: dict[str, Callable[[], None]] = {
    "late-proof": prove_falsely,
    "claims-step": partial(claim, _further),
    "claims-polls": partial(claim, _decided),
    "claims-filled": partial(claim, _filled),
    "wrong-score": partial(score_wrongly, also_rightly=False),
    "two-scores": partial(score_wrongly, also_rightly=True),
    "second-body": partial(sign_twice, leaves=False),
    "parting-body": partial(sign_twice, leaves=True),
}
"""The functions that put each lie into the program, by the name of the lie."""
