"""Cheats that frame an honest seat, by showing its signatures out of context.

The cheater sends the signatures to all peers as evidence, and puts them into files for outsiders. A
file contains the log, whole or up to the entries, and a last frame with the check that they are
said to fail.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from lab.judged_logs import TrustingLedger, growing
from lab.simulation.cheats.cheat import How, Ready, cheat, flip
from lab.simulation.cheats.cheater import Cheater
from lab.simulation.cheats.deal import ANY_TIME
from lab.simulation.cheats.end import LEAVING
from lab.simulation.computers.records import file_of
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.poll import key_of
from netgame.protocol.ledger.verdict import record_frames
from netgame.protocol.log.entry import Entry, ReceivedStatement, read_entry, sign_entry
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire.codec import encode
from netgame.wire.messages import (
    Body,
    Checked,
    CoinCommit,
    Evidence,
    EvidenceFrame,
    KeyCommit,
    Payload,
    RecordEntry,
    RecordHeader,
    RecordStatement,
    SignedEntry,
)
from netgame.wire.statements import Proposal

_CHECKS: Final = (CheckCode.FORK, CheckCode.TURN, CheckCode.RULES, CheckCode.PROOF)
"""The checks that the cheat claims an entry fails: those that an entry or a pair could fail."""
_POLLS_LEAST: Final = 2
_STEPS_BACK: Final = 3
_FILES_MOST: Final = 12
"""Files of each kind; a verifier reads the whole log for each."""
_PAIRS_MOST: Final = 4
"""The most pairs to send: both ways round they use up the evidence heard from a key at once."""


T = TypeVar("T")
_Commit = CoinCommit | KeyCommit
_Log = tuple[RecordEntry | RecordStatement, ...]


def _file(
    log: _Log,
    check: CheckCode,
    shown: Iterable[Entry],
    statements: Iterable[ReceivedStatement] = (),
) -> bytes:
    """Return a file that accuses these entries and statements of failing a check after this log."""
    closing = EvidenceFrame(check.value, _signed(shown), _signed(statements))
    return file_of((RecordHeader(PROTOCOL_VERSION), *log, closing))


def _signed(said: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(each.signed for each in said)


def _accusing(
    files: Iterable[bytes],
    entries: Iterable[Entry] = (),
    statements: Iterable[ReceivedStatement] = (),
) -> Ready:
    """Return a message that shows all peers this evidence, and outsiders the files."""
    said = _signed(entries), _signed(statements)
    return Ready("evidence", *said, as_evidence=True, files=tuple(files))


def _files(core: Core, shown: tuple[Entry, ...]) -> Iterator[bytes]:
    """Yield files that accuse these entries of failing each check.

    The first files contain the log up to these entries, the others the whole log.
    """
    before = min(entry.step for entry in shown) - 1
    for last in (before, None):
        log = tuple(record_frames(core.ledger, last)) if last != -1 else ()
        yield from (_file(log, check, shown) for check in _CHECKS)


def _honest(core: Core) -> Iterator[tuple[Entry, ...]]:
    """Yield, for each step, a tuple of the entries of other seats."""
    own = core.state.seat_of(core.key)
    return (tuple(each for each in step if each.seat != own) for step in core.ledger.steps)


def _shown(core: Core, pairs: list[tuple[Entry, Entry]]) -> Ready | None:
    """Send the first pairs to all peers, each in both orders, and return an accusation.

    The accusation shows the first pair, and its files accuse all the pairs. Return None if there is
    no pair.
    """
    if not pairs:
        return None
    for pair in pairs[:_PAIRS_MOST]:
        for both in permutations(pair):
            core.context.links.tell_all(Evidence(_signed(both)))
    files = [file for both in permutations(pairs[0]) for file in _files(core, both)]
    log = tuple(record_frames(core.ledger))
    files += [_file(log, CheckCode.FORK, both) for both in pairs[1:]]
    return _accusing(files, pairs[0])


def _two_tables(core: Core, _: object) -> Ready | None:
    """Accuse honest seats of forks: they signed entries for the same step here and elsewhere.

    Return None if there is no such pair.
    """
    assert isinstance(core, Cheater)
    there = {(e.step, e.seat): e for e in map(read_entry, core.deed.elsewhere)}
    pairs = [
        (entry, other)
        for step in _honest(core)
        for entry in step
        if (other := there.get((entry.step, entry.seat))) is not None
        and _one_author(core, entry, other)
    ]
    return _shown(core, pairs)


def _one_author(core: Core, entry: Entry, other: Entry) -> bool:
    key = core.state.author_key(entry.step, entry.seat)
    return key is not None and other.is_by(key)


# ---- another branch ---------------------------------------------------------------------------


def _other_branch(core: Core, _: object) -> Ready | None:
    """Show others' entries as if they followed a commitment that the cheater never made.

    On that branch, which the cheater has made up, these entries would be wrong. Return None if no
    entry follows a commitment of the cheater yet.
    """
    files: list[bytes] = []
    told: tuple[Entry, ...] = ()
    for number, step in enumerate(core.ledger.steps[:-1]):
        own = next((e for e in step if e.is_by(core.key) and isinstance(e.payload, _Commit)), None)
        if own is None:
            continue
        branch = _branched(core, number, own)
        next_of_others = [e for e in core.ledger.steps[number + 1] if not e.is_by(core.key)]
        told = tuple(next_of_others) or told
        for entry in next_of_others:
            files += [_file(branch, check, (entry,)) for check in (*_CHECKS, CheckCode.SHAPE)]
    if not files:
        return None
    return _accusing(files, told[:1])


def _body(entry: Entry, payload: Payload) -> Body:
    return Body(entry.id, entry.step, entry.prev, entry.seat, entry.poll, payload)


def _branched(core: Core, number: int, own: Entry) -> _Log:
    """Return the log up to this step with the cheater's commitment changed.

    By itself, the result is a good log.
    """
    assert isinstance(own.payload, _Commit)
    payload = replace(own.payload, commitment=flip(own.payload.commitment))
    lie = sign_entry(core.context.signer, _body(own, payload))
    true = record_frames(core.ledger, number)
    is_own = RecordEntry(own.signed)
    branch = tuple(RecordEntry(lie) if each == is_own else each for each in true)
    for _ in growing(TrustingLedger(core.state.table_id), branch):
        pass  # `growing` asserts that they are good
    return branch


# ---- what is signed in polls ---------------------------------------------------------------


def _honest_statements(core: Core, _: object) -> Ready | None:
    seat = core.state.seat_of(core.key)
    said = [each for decision in core.ledger.decisions for each in decision.book.said.values()]
    keys = {each.name: key_of(core.state.company, each.statement) for each in said}
    honest = [each for each in said if keys[each.name] not in (b"", core.key)]
    pairs = [pair for pair in permutations(honest, 2) if keys[pair[0].name] == keys[pair[1].name]]
    if len(core.ledger.decisions) < _POLLS_LEAST or seat is None or not pairs:
        return None
    proposals = [each for each in said if isinstance(each.statement, Proposal)]
    log = tuple(record_frames(core.ledger))
    names = [each.name for each in said]
    files = [_file(log, CheckCode.CUT, (), (*pair, *proposals)) for pair in _some(pairs)]
    alone = (said[: names.index(each.name) + 1] for each in _some(honest))
    files += [_file(log, CheckCode.CUT, (), until) for until in alone]
    entries = [each for step in core.ledger.steps[-_STEPS_BACK:] for each in step]
    entries = [*entries, *core.ledger.void.values()]
    beside = _some([(entry, each) for entry in entries for each in honest])
    files += [_file(log, CheckCode.CUT, (entry,), (each,)) for entry, each in beside]
    for pair in pairs[:_PAIRS_MOST]:
        core.context.links.tell_all(Evidence((), _signed((*pair, *proposals))))
    return _accusing(files, (), pairs[0])


def _some(items: Sequence[T]) -> Sequence[T]:
    """Return at most `_FILES_MOST` of these items, evenly spaced."""
    return items[:: len(items) // _FILES_MOST + 1]


# ---- signatures -------------------------------------------------------------------------------


def _replayed_signature(core: Core, _: object) -> Ready | None:
    entry = next((each for step in reversed(list(_honest(core))) for each in step), None)
    if entry is None:
        return None
    forged = SignedEntry(encode(_body(entry, Checked(7))), entry.signed.signature)
    both = entry, read_entry(forged)
    return _accusing(_files(core, both), both)


_idle = partial(cheat, kinds=ANY_TIME, how=How.IDLE)

FRAMING_CHEATS: Final = (
    _idle(
        "evidence of what honest seats have said in polls",
        bend=_honest_statements,
        phase=Phase.PLAY,
        place=LEAVING,
        leaver=True,
        about=(
            "promises, proposals, accepts and farewells as pairs, alone, and beside their "
            "entries; no two of them exclude each other"
        ),
    ),
    _idle(
        "evidence from another branch",
        bend=_other_branch,
        phase=Phase.PLAY,
        about=(
            "what honest seats have signed, on a log that it made up behind another "
            "commitment of its own; an entry names the head that it follows"
        ),
    ),
    _idle(
        "evidence of two tables",
        bend=_two_tables,
        phase=Phase.PLAY,
        elsewhere=True,
        about=(
            "entries of one seat for one step, here and at another table, as a fork; an "
            "entry names its table"
        ),
    ),
    cheat(
        "evidence with a signature of another entry",
        ANY_TIME,
        _replayed_signature,
        CheckCode.SIGNATURE,
        How.UNSIGNED,
        about=(
            "a second entry for a slot of an honest seat, under a signature which that seat "
            "gave for the first, as evidence of a fork; the receiver drops the link"
        ),
    ),
)
"""None of them gets anybody named but the cheat."""
