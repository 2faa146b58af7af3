"""Every kind of entry in every phase, and garbage in all of them."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from lab.judged_logs import same_log
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold import phases
from netgame.protocol.fold.session import TRANSITIONS, due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Guilty, Stray
from netgame.protocol.notices import DealPhase
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import (
    Driven,
    driven,
    entries_of,
    ledger_until,
    played,
    played_widely,
    played_without,
    signed_at,
    states_of,
)
from tests.netgame.shared_checks import once_a_group
from tests.netgame.simtable import SimTable
from tests.sliced import sliced

Situation = tuple[type[phases.Now], DealPhase | None]


def situation(state: State) -> Situation:
    """Where the game stands: its phase, and which stage of a deal is due, if one is."""
    return type(state.now), state.now.deal.phase if isinstance(state.now, phases.Staged) else None


GAMES = (played, played_widely, played_without)


@once_a_group
def situations() -> dict[Situation, tuple[SimTable, int]]:
    """Every situation, a game that meets it, and the number of frames after which it does."""
    found: dict[Situation, tuple[SimTable, int]] = {}
    for game in GAMES:
        for where, number in met(game()).items():
            found.setdefault(where, (game(), number))
    return found


def met(table: SimTable) -> dict[Situation, int]:
    """Every situation of a game, and the number of frames after which it first stands."""
    found: dict[Situation, int] = {}
    for number, state in enumerate(states_of(table)):
        if state.step:
            found.setdefault(situation(state), number)
    return found


@once_a_group
def folded_to(where: Situation) -> Ledger:
    """The log of a game to a situation; not to be changed."""
    game, _ = situations()[where]
    return ledger_until(lambda state: bool(state.step) and situation(state) == where, game)


def ledger_at(where: Situation) -> Ledger:
    """The same, to go on with."""
    return same_log(folded_to(where))


@once_a_group
def payloads() -> dict[type[wire.Payload], wire.Payload]:
    """One payload of each kind, taken from a game."""
    found: dict[type[wire.Payload], wire.Payload] = {
        wire.Dismiss: wire.Dismiss(played().sitters[1].core.key),
        wire.Act: wire.Act("done", 0, -1, (), b"", b"", b""),
    }
    for table in (played(2, 6, 7), played_widely(), played_without()):
        for signed in entries_of(table.sitters[0]):
            payload = read_entry(signed).payload
            found.setdefault(type(payload), payload)
    return found


ROWS = [each for each in TRANSITIONS if each.phase is not phases.Unopened]
DUE: dict[Situation, set[type[wire.Payload]]] = {
    where: {kind for row in ROWS if (row.phase, row.stage) == where for kind in row.kinds}
    for where in [
        *((row.phase, row.stage) for row in ROWS),
        *((phases.CoinFallen, None), (phases.Over, None)),
    ]
}
"""What may be written in which situation."""


def named(where: Situation) -> str:
    """A situation in the name of a test."""
    return f"{where[0].__name__}-{where[1].value}" if where[1] else where[0].__name__


@pytest.mark.campaign
def test_a_game_meets_every_situation_and_every_kind() -> None:
    """So that the next test leaves none out."""
    assert set(situations()) == set(DUE)
    declared = {kind for each in TRANSITIONS for kind in each.kinds}
    assert set(payloads()) == set(wire.PAYLOADS) == declared
    assert {each.phase for each in TRANSITIONS} | {phases.CoinFallen, phases.Over} == set(
        get_args(phases.Now)
    )


@pytest.mark.parametrize("where", list(DUE), ids=named)
def test_every_kind_is_due_or_convicts(where: Situation) -> None:
    """Signed by who is due: a kind that is due gets past that check, another does not."""
    game, _ = situations()[where]
    ledger = ledger_at(where)
    for kind, payload in payloads().items():
        judged = ledger.judge(_by_who_is_due(ledger, payload, game))
        if where[0] is phases.Over:
            assert isinstance(judged, Stray)
            continue
        if where[0] is phases.CoinFallen:
            assert isinstance(judged, Guilty)
            assert judged.fault.finding.check is CheckCode.TURN
            continue
        found = judged.fault.finding.check if isinstance(judged, Guilty) else None
        assert (found is CheckCode.KIND) == (kind not in DUE[where]), kind


def _by_who_is_due(ledger: Ledger, payload: wire.Payload, game: SimTable) -> wire.SignedEntry:
    state = ledger.state
    if state.deal is not None and "round" in payload.__struct_fields__:
        payload = msgspec.structs.replace(payload, round=state.deal.round_number)
    if not due(state).authors:
        body = wire.Body(state.log_id, state.step, state.head, 0, 0, payload)
        return sign_entry(game.by_key[state.company.now.keys[0]].signer, body)
    return signed_at(ledger, payload, due(state).authors[0], game=game)


def test_only_the_opening_is_due_at_first() -> None:
    """The chair, one kind; anything else is nobody's."""
    state = Ledger(bytes(64)).state
    assert due(state).authors == (wire.CHAIR,)
    assert due(state).kinds == (wire.OpenTable,)


# ---- garbage ---------------------------------------------------------------------------------


MESSAGES = (
    wire.Hello(b""),
    wire.Hello(bytes(64)),
    wire.Hello(b"x", b"y"),
    wire.Rival(),
    wire.Ping(),
    wire.Pong(),
    wire.Chat("hello\x1b]0;x\x07"),
    *(wire.JoinAnswer(code, "no") for code in ("started", "later", "closed")),
    wire.Watch("Zoe\x1b[2J"),
    wire.Guests((bytes(32), b"x" * 32)),
    wire.JoinAsk(b"junk", bytes(64)),
    wire.Entries(()),
    wire.Pulled((wire.SignedEntry(b"x", bytes(64)),)),
    wire.Evidence((wire.SignedEntry(b"x", bytes(64)),)),
    wire.Evidence((), (wire.SignedStatement(b"x", bytes(64)),)),
    wire.Statements((wire.SignedStatement(b"x", bytes(64)),)),
    wire.Missed(bytes(64), b"\xff" * 32),
)


def any_frame() -> st.SearchStrategy[object]:
    """Octets, entries of a game, whole or spoilt, and every other message."""
    real = [encode(wire.Entries((signed,))) for signed in entries_of(played().sitters[1])]
    true, at, steps = st.sampled_from(real), st.integers(0, 60_000), st.integers(0, 200_000)
    filled, polls = st.binary(max_size=32), st.integers(0, 3)
    heads = st.builds(wire.Head, steps, st.binary(min_size=64, max_size=64), filled, polls)
    messages = st.sampled_from(MESSAGES) | heads | st.builds(wire.Pull, steps, filled, polls)
    return st.one_of(
        st.binary(max_size=80),
        st.tuples(true, at, st.integers(1, 255)),
        st.tuples(true, at),
        true,
        st.lists(true, max_size=3).map(b"".join),
        messages.map(encode),
    )


def spoiled(frame: object) -> bytes:
    """A drawn frame: as it is, with one octet changed, or cut."""
    match frame:
        case bytes():
            return frame
        case (bytes() as whole, int() as at, int() as change):
            octets = bytearray(whole)
            octets[at % len(octets)] ^= change
            return bytes(octets)
        case (bytes() as whole, int() as at):
            return whole[: at % len(whole)]
    raise AssertionError(frame)


def relink(one: Driven, peer: bytes) -> None:
    """A dropped link comes back."""
    if peer in one.dropped:
        one.dropped.remove(peer)
        one.unlink(peer)
        one.link(peer)


@pytest.mark.parametrize("examples", [3, pytest.param(12, marks=pytest.mark.campaign)])
@sliced("where", list(DUE), 3, ids=named)
def test_garbage_in_any_phase_does_no_harm(where: Situation, examples: int) -> None:
    """No exception, nobody convicted, and what is true is taken afterwards, to the same end."""

    @settings(max_examples=examples)
    @given(frames=st.lists(st.deferred(any_frame), max_size=12))
    def throw(frames: list[object]) -> None:
        expect_no_harm(where, frames)

    throw()


def expect_no_harm(where: Situation, frames: list[object]) -> None:
    """Hold a peer that hears garbage to this."""
    game, number = situations()[where]
    one = driven(number, table=game)
    ben, cy = (sitter.core.key for sitter in game.sitters[1:3])
    one.link(ben)
    one.link(cy)
    for frame in (*map(encode, MESSAGES), *frames):
        one.frame(ben, spoiled(frame))
        one.pass_time(0.02)
        relink(one, ben)
    assert one.core.fault is None
    for found in one.told:
        if isinstance(found, notices.FaultFound):
            assert found.check == "signature"
            assert fingerprint(ben) in found.name, "only who sent it, seated yet or not"
    start, log = one.core.state.step, game.sitters[0].core.ledger
    goal = min(start + 3, log.state.step)
    for payload in game.sitters[0].record[max(1, number - 8) :]:
        if one.core.state.step < goal:
            one.read(cy, (payload,))
    assert one.core.fault is None
    assert one.core.state.step >= goal
    assert one.core.state.head == log.head_before(one.core.state.step)


# ---- nonsense with a good signature ----------------------------------------------------------


def values(kind: Any, real: object) -> st.SearchStrategy[Any]:
    """Whatever the wire lets a field be, and what it really was, whole or a little changed."""
    match kind:
        case inspect.IntType():
            low, high = kind.ge, kind.le
            near = st.sampled_from([real, low, high, min(high, real + 1), max(low, real - 1)])
            return near | st.integers(low, high)
        case inspect.BytesType():
            low, high = kind.min_length or 0, kind.max_length
            flips = st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)).map(
                lambda flip: _flipped(real, *flip)
            )
            short = min(high, max(low, 40))
            return st.just(real) | flips | st.binary(min_size=low, max_size=short)
        case inspect.StrType():
            return st.just(real) | st.text(max_size=kind.max_length)
        case inspect.BoolType():
            return st.booleans()
        case inspect.TupleType():
            pairs = zip(kind.item_types, real, strict=True)
            return st.tuples(*(values(each, it) for each, it in pairs))
        case inspect.VarTupleType():
            item = values(kind.item_type, real[0] if real else _blank(kind.item_type))
            most = min(kind.max_length, 6)
            return st.just(real) | st.lists(item, max_size=most).map(tuple)
        case inspect.UnionType():
            return values(next(each for each in kind.types if each.cls is type(real)), real)
        case inspect.StructType():
            fields = {f.name: values(f.type, getattr(real, f.name)) for f in kind.fields}
            return st.builds(kind.cls, **fields)
    raise AssertionError(kind)


def _blank(kind: Any) -> object:
    if isinstance(kind, inspect.TupleType):
        return tuple(_blank(each) for each in kind.item_types)
    if isinstance(kind, inspect.StructType):
        return kind.cls(*(_blank(field.type) for field in kind.fields))
    if isinstance(kind, inspect.BytesType):
        return bytes(kind.min_length or 0)
    return "" if isinstance(kind, inspect.StrType) else 0


def _flipped(octets: bytes, at: int, change: int) -> bytes:
    changed = bytearray(octets)
    if changed:
        changed[at % len(changed)] ^= change
    return bytes(changed)


NONSENSE = [(where, kind) for where, kinds in DUE.items() for kind in sorted(kinds, key=str)]


@pytest.mark.parametrize("examples", [4, pytest.param(15, marks=pytest.mark.campaign)])
@sliced(("where", "kind"), NONSENSE, 4, ids=[f"{named(w)}-{k.__name__}" for w, k in NONSENSE])
def test_signed_nonsense_is_judged(where: Situation, kind: Any, examples: int) -> None:
    """Whatever a seat signs in its own slot, the answer is a finding or a good entry."""

    @settings(max_examples=examples)
    @given(data=st.data())
    def sign_one(data: st.DataObject) -> None:
        expect_a_judgement(where, kind, data)

    sign_one()


def expect_a_judgement(where: Situation, kind: Any, data: st.DataObject) -> None:
    """Hold the ledger to this for one entry."""
    game, _ = situations()[where]
    ledger = ledger_at(where)
    real = payloads()[kind]
    if "round" in real.__struct_fields__:
        real = msgspec.structs.replace(real, round=ledger.state.deal.round_number)
    payload = data.draw(values(inspect.type_info(kind), real))
    author = data.draw(st.sampled_from(due(ledger.state).authors))
    judged = ledger.judge(signed_at(ledger, payload, author, game=game))
    if isinstance(judged, Guilty):
        assert judged.fault.finding.says
        return
    assert isinstance(judged, Accepted)
    finding = judged.judging.run(expand(bytes(32), "judge")) if judged.judging else None
    if finding is None:
        ledger.settle(judged.entry)
    else:
        assert finding.check is CheckCode.PROOF
