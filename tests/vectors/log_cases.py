"""A log as a vector: the octets of the record, and its meaning step by step and entry by entry.

The program's own ledger computes the expected results; the reader in `tests/conformance`, written
from protocol.md alone, must find the same.
"""

from copy import copy

from lab.judged_logs import same_log
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Reception
from netgame.protocol.log.entry import filled_mask, frame_payload, read_frames, read_statement
from netgame.protocol.log.fault import (
    Accepted,
    CheckCode,
    Fault,
    Garbage,
    Guilty,
    Later,
    Repeat,
    Stray,
    Unlinked,
)
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.deal import why_bad_chain
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.statements import seats_in

OUTCOMES = {Stray: "ignore", Repeat: "ignore", Later: "hold", Unlinked: "hold"}
"""The outcome of an entry that neither counts nor convicts."""


def entropy():
    """Return a source of fixed octets, for the factors of batched checks."""
    return expand(bytes(32), "vectors")


def frames_of(octets):
    """Return the frames of an undamaged record, without its header."""
    payloads, damage = read_frames(octets)
    assert damage is None
    return [decode_any(payload, wire.RecordFrame) for payload in payloads[1:]]


def signed_in(frame):
    """Return the signed entry or statement in a frame of a record."""
    return frame.entry if isinstance(frame, wire.RecordEntry) else frame.statement


def frame_of(signed):
    """Return the frame of an entry or statement, as octets."""
    is_entry = isinstance(signed, wire.SignedEntry)
    return _framed(wire.RecordEntry(signed) if is_entry else wire.RecordStatement(signed))


def _framed(message):
    return frame_payload(encode(message))


HEADER = _framed(wire.RecordHeader(PROTOCOL_VERSION))


def record(signed):
    """Return the octets of a record with these entries and statements."""
    return HEADER + b"".join(map(frame_of, signed))


def tag_of(payload):
    """Return the tag of a message."""
    return payload.__struct_config__.tag


class Replay:
    """A log replayed entry by entry, which can be forked at any place."""

    def __init__(self, table):
        self.ledger = Ledger(table)

    def fork(self):
        """Return a copy that continues separately."""
        other = copy(self)
        other.ledger = same_log(self.ledger)
        return other

    def offer(self, signed):
        """Judge an entry or statement, and count it if it is good.

        Return None if it counts and convicts nobody, otherwise the outcome.
        """
        if isinstance(signed, wire.SignedStatement):
            return self._hear(signed)
        judged = self.ledger.judge(signed)
        if isinstance(judged, Accepted):
            finding = judged.judging.run(entropy()) if judged.judging is not None else None
            if finding is not None:
                key = self.ledger.state.author_key(judged.entry.step, judged.entry.seat)
                return fault(finding.check, judged.entry.step, key)
            self.ledger.settle(judged.entry)
            late = self._late()
            self._follow()
            if judged.beside is not None:  # it convicts, and counts all the same
                return fault(judged.beside.finding.check, judged.entry.step, judged.beside.key)
            return late
        if isinstance(judged, Guilty):
            found = judged.fault
            if found.finding.check is CheckCode.SIGNATURE:
                return {"outcome": "drop"}
            return fault(found.finding.check, found.step, found.key)
        if isinstance(judged, Garbage):
            return {"outcome": "drop"}
        return {"outcome": OUTCOMES[type(judged)]}

    def _hear(self, signed):
        """Judge a statement of a poll, and return what `offer` returns."""
        try:
            heard = self.ledger.hear(read_statement(signed))
        except Malformed:
            return {"outcome": "drop"}
        if isinstance(heard, Fault):
            self._follow()
            return fault(heard.finding.check, heard.step, heard.key)
        if heard is Reception.NEWS:
            self._follow()
            return None
        return {"outcome": "drop" if heard is Reception.FORGED else "ignore"}

    def _follow(self):
        while self.ledger.decide() is not None:
            pass

    def _late(self):
        """Return the fault that only a whole step or chain shows, or None.

        A whole chain whose proofs all hold is marked as passed.
        """
        late = self.ledger.late_fault()
        if late is not None:
            return fault(late.finding.check, late.step, late.key)
        deal = self.ledger.state.deal
        if deal is None or deal.phase is not DealPhase.CHECKED:
            return None
        if self.ledger.has_passed():
            return None
        proofs = self.ledger.proofs(deal)
        bad = why_bad_chain(deal, proofs, entropy())
        if bad is None:
            self.ledger.pass_chain(self.ledger.chain)
            return None
        found = self.ledger.chain_fault(deal, proofs, *bad)
        return fault(found.finding.check, found.step, found.key)


def fault(check, step, key):
    """Return the outcome of a conviction, in the form of a vector."""
    return {"outcome": "fault", "check": check.value, "step": step, "culprit": key}


def described(octets):
    """Return the facts of a good record: about the game, about each step, and after each frame."""
    frames = frames_of(octets)
    replay = Replay(decode(frames[0].entry.body, wire.Body).id)
    steps, filled = [], []
    for frame in frames:
        ledger = replay.ledger
        before, decided = ledger.state, len(ledger.decisions)
        verdict = replay.offer(signed_in(frame))
        is_old = isinstance(frame, wire.RecordStatement) and verdict == {"outcome": "ignore"}
        assert verdict is None or is_old, verdict
        filled.append([ledger.state.step, ledger.filled()])
        if len(ledger.decisions) > decided:
            steps.append(_decided(ledger, before))
        elif ledger.state.step > before.step:
            steps.append(_done(ledger, before))
    state = replay.ledger.state
    return {
        "table": state.table_id,
        "host": state.host,
        "settings": _settings(state.settings),
        "sessions": [{"first_step": first, "id": sid} for first, sid in state.company.sessions],
        "seats": [member.key for member in state.seats],
        "left": sorted(state.gone),
        "scores": list(state.table.past) if state.table is not None else [],
        "finished": state.phase.value == "over",
        "steps": steps,
        "filled": filled,
        "head": state.head,
    }


def _done(ledger, before):
    """Return the facts of the step that was just finished; `before` is the state before it."""
    waits = due(before)
    return {
        "step": before.step,
        "phase": before.phase.value,
        "due": filled_mask(waits.authors),
        "kinds": sorted(tag_of(kind) for kind in waits.kinds),
        "filled": filled_mask([each.seat for each in ledger.steps[-1]]),
        "digest": ledger.state.head,
    }


def _decided(ledger, before):
    """Return the facts of the last decision; `before` is the state before it."""
    decision = ledger.decisions[-1]
    return {
        "step": decision.step,
        "poll": [decision.book.id, decision.book.number],
        "came_to": before.step,
        "goes": list(seats_in(decision.goes)),
        "id": ledger.state.log_id,
        "phase": ledger.state.phase.value,
        "digest": ledger.state.head,
    }


def _settings(settings):
    return {name: getattr(settings, name) for name in settings.__struct_fields__}
