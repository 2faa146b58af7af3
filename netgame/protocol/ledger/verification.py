"""Judges a whole record or evidence file, and says in a few sentences what it is.

`verify_record` does so [protocol.md §6.2]. It does not judge a file of another protocol version, or
a game by another revision of the rules: its verdict says only that.
"""

from dataclasses import replace

from engine.scoring import winners
from netgame.crypto.batch import Batch, Begin
from netgame.crypto.group import Entropy
from netgame.errors import Malformed
from netgame.protocol.ledger.hurry import in_a_hurry
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.record import BadRecord, Reading
from netgame.protocol.ledger.verdict import (
    FileFinding,
    RecordVerdict,
    all_departures,
    fault_of,
    fault_sentence,
    is_evidence_of,
    seat_name,
)
from netgame.protocol.log.fault import CheckCode, Fault
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.saying import Saying, saying
from netgame.wire.codec import decode
from netgame.wire.messages import CHAIR, Body, EvidenceFrame


def verify_record(octets: bytes, entropy: Entropy, begin: Begin | None = None) -> RecordVerdict:
    """Check a whole record or evidence file, and return the verdict on it.

    `octets` may be hostile: a bad file gets a verdict, too, and raises no exception. `entropy`
    supplies the secret weights of batch sums; `begin`, if given, starts computing those sums
    elsewhere.
    """
    batch = Batch(entropy, begin)
    return in_a_hurry(
        lambda by: verdict_of(Reading(by), octets), batch, lambda verdict: verdict.finding.is_record
    )


def verdict_of(reading: Reading, octets: bytes) -> RecordVerdict:
    """Read `octets`, the rest of a file that `reading` has begun, and return the verdict.

    A bad file raises no exception; its verdict refuses it. If the weights are a `Batch`, the
    verdict is final only if the batch holds.
    """
    try:
        for _ in reading.read_on(octets):
            pass
        if reading.closing is not None:
            return _evidence_verdict(reading, reading.closing)
    except BadRecord as problem:
        is_other = problem.finding.is_made_otherwise
        text = "Not verified: {problem}" if is_other else "Not a good record: {problem}"
        says = saying(text, problem=problem.said)
        return RecordVerdict(problem.finding, (says,), reading.revision)
    return _record_verdict(reading)


def _verdict(reading: Reading, finding: FileFinding, *says: Saying) -> RecordVerdict:
    """Return a verdict with the amount read, the keys behind the file, and the seats that left."""
    state = reading.ledger.state
    return RecordVerdict(
        finding=finding,
        says=says,
        revision=reading.revision,
        entries=reading.entries,
        steps=state.step,
        head=state.head.hex(),
        signers=reading.signers.all(),
        departures=all_departures(state, reading.ledger.decisions),
    )


def _record_verdict(reading: Reading) -> RecordVerdict:
    """Return the verdict on a record in which nothing wrong was found."""
    state = reading.ledger.state
    names = tuple(member.name for member in state.seats or state.members)
    finished = state.phase is Phase.OVER
    table = state.table
    scores = table.past if table is not None else ()
    won = winners(table) if finished and table is not None else ()
    says = [saying("A good record: {what}.", what=_what_it_is(reading, names))]
    if reading.entries:
        text = "Checked: {entries} entries up to step {step}, with every signature, move and proof."
        if reading.entries == 1:
            text = "Checked: 1 entry up to step {step}, with every signature, move and proof."
        says.append(saying(text, entries=reading.entries, step=state.step))
        says.append(saying("Final digest {digest}.", digest=state.head.hex()[:16]))
    finding = FileFinding.WHOLE_GAME if finished else FileFinding.UNFINISHED
    return replace(
        _verdict(reading, finding, *says),
        names=names,
        scores=scores,
        winners=tuple(names[seat] for seat in won),
    )


def _what_it_is(reading: Reading, names: tuple[str, ...]) -> Saying:
    """Return part of a sentence: how far the game got, and who played or who has yet to write."""
    state = reading.ledger.state
    if state.phase is Phase.OVER:
        if state.table is None:
            return saying("a game that was over before it began")
        rounds = len(state.table.past)
        text = "a whole game of {rounds} rounds between {names}"
        if rounds == 0:
            text = "a whole game between {names}, which ended before a round was scored"
        elif rounds == 1:
            text = "a whole game of 1 round between {names}"
        return saying(text, rounds=rounds, names=names)
    if not reading.entries:
        return saying("a table that was never opened")
    missing = [at for at in due(state).authors if at not in reading.ledger.slots]
    called = (saying("the host") if at == CHAIR else state.name_of(at) for at in missing)
    text = "a game that is not finished and waits for {names}"
    return saying(text if missing else "a game that is not finished", names=(*called,))


def _evidence_verdict(reading: Reading, closing: EvidenceFrame) -> RecordVerdict:
    """Return the verdict on an evidence file, by its closing frame and the record before it.

    Its finding is `EVIDENCE` or `BAD`.
    """
    state = reading.ledger.state
    fault = _proved(reading, closing)
    if fault is None or not is_evidence_of(closing, fault):
        says = saying("Not good evidence: it does not prove what it says.")
        return RecordVerdict(FileFinding.BAD, (says,), reading.revision)
    good = saying("Good evidence: {fault}", fault=fault_sentence(state, fault))
    verdict = _verdict(reading, FileFinding.EVIDENCE, good)
    return replace(verdict, culprit=seat_name(state, fault.key), check=closing.check)


def _proved(reading: Reading, closing: EvidenceFrame) -> Fault | None:
    """Return the fault that the closing frame proves on the log before it, or None.

    A wrong signature does not prove a fault. If no entry precedes the frame, `reading` gets a new
    ledger, for the table that the frame's first entry names. Raises `BadRecord` if that entry does
    not decode.
    """
    if not reading.entries and closing.entries:  # the very first entry of the table is the bad one
        try:
            reading.ledger = Ledger(decode(closing.entries[0].body, Body).id)
        except Malformed as problem:
            raise BadRecord(f"it is {problem}") from None
    # An entry that shows a fault may also be beside a promise: then that pair is the proof.
    in_log = () if closing.statements else reading.found
    found = next((each for each in in_log if each.entries == closing.entries), None)
    if fault := found or reading.ledger.proved(closing.entries, closing.statements):
        return fault
    ledger = reading.ledger
    alone = (fault_of(ledger, ledger.judge(each), reading.by) for each in closing.entries)
    first = next(filter(None, alone), None)
    return None if first and first.finding.check is CheckCode.SIGNATURE else first
