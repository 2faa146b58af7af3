"""Every kind of entry in every phase, and garbage in every phase."""

from typing import get_args

import msgspec
import pytest

from lab.fuzzing.mutation import chance_for, mutated
from lab.judged_logs import same_log
from netgame.protocol import notices
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.log.fault import CheckCode, Guilty, Stray
from netgame.protocol.state import phases
from netgame.protocol.state.session import TRANSITIONS, due
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import (
    driven,
    entries_of,
    ledger_until,
    played,
    played_widely,
    played_without,
    signed_at,
    statements_of,
    states_of,
)
from tests.netgame.shared_checks import once_a_group
from tests.sliced import sliced


def situation(state):
    """Return the phase of a game, and the due stage of its deal (None outside a deal)."""
    return type(state.now), state.now.deal.phase if isinstance(state.now, phases.Staged) else None


GAMES = (played, played_widely, played_without)


@once_a_group
def situations():
    """Return, by situation, a game that reaches it and the number of frames that this takes."""
    found = {}
    for game in GAMES:
        for where, number in met(game()).items():
            found.setdefault(where, (game(), number))
    return found


def met(table):
    """Return, by situation of a game, the number of frames after which it first occurs."""
    found = {}
    for number, state in enumerate(states_of(table)):
        if state.step:
            found.setdefault(situation(state), number)
    return found


@once_a_group
def folded_to(where):
    """Return the log of a game up to a situation; callers must not change it."""
    game, _ = situations()[where]
    return ledger_until(lambda state: bool(state.step) and situation(state) == where, game)


def ledger_at(where):
    """Return a copy of the log of a game up to a situation, which a test may continue."""
    return same_log(folded_to(where))


RARE = (
    wire.Catch(1),
    wire.Declare(0, (1, 1), bytes(33), bytes(98)),
    wire.Discard(0),
    wire.LayChain(0, -1, False, False, ((0, 1, 2),), b"", b""),
    wire.LayHub(0, (1, 1), bytes(33), bytes(98), b""),
    wire.Mark(up=True),
    wire.NoDouble(b""),
    wire.PullBack(1, 0),
    wire.Show(0, (1, 2), bytes(33), bytes(98)),
    wire.Silent(b""),
    wire.Tap(),
)
"""Moves that these games may not reach."""


@once_a_group
def payloads():
    """Return one payload of each kind, taken from a game if one has it."""
    found = {wire.Dismiss: wire.Dismiss(played().sitters[1].key), wire.Done: wire.Done()}
    for table in (played(2, 6, 7), played_widely(), played_without()):
        for signed in entries_of(table.host):
            payload = read_entry(signed).payload
            found.setdefault(type(payload), payload)
    for rare in RARE:
        found.setdefault(type(rare), rare)
    return found


ROWS = [each for each in TRANSITIONS if each.phase is not phases.Unopened]
DUE = {
    where: {kind for row in ROWS if (row.phase, row.stage) == where for kind in row.kinds}
    for where in [
        *((row.phase, row.stage) for row in ROWS),
        (phases.CoinFallen, None),
        (phases.Over, None),
    ]
}
"""The kinds that may be written in each situation."""


def named(where):
    """Return the name of a situation, for a test's id."""
    return f"{where[0].__name__}-{where[1].value}" if where[1] else where[0].__name__


@pytest.mark.campaign
def test_a_game_meets_every_situation_and_every_kind():
    """The games meet every situation, and their payloads cover every kind of entry."""
    assert set(situations()) == set(DUE)
    declared = {kind for each in TRANSITIONS for kind in each.kinds}
    assert set(payloads()) == set(wire.PAYLOADS) == declared
    assert {each.phase for each in TRANSITIONS} | {phases.CoinFallen, phases.Over} == set(
        get_args(phases.Now)
    )


@pytest.mark.parametrize("where", list(DUE), ids=named)
def test_every_kind_is_due_or_convicts(where):
    """An entry by a due author fails the check of its kind exactly if that kind is not due.

    With no author due, any entry after a fallen coin is out of turn, and any entry after the
    game is a stray.
    """
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


def _by_who_is_due(ledger, payload, game):
    state = ledger.state
    if state.deal is not None and "round" in payload.__struct_fields__:
        payload = msgspec.structs.replace(payload, round=state.deal.round_number)
    if not due(state).authors:
        body = wire.Body(state.log_id, state.step, state.head, 0, 0, payload)
        return sign_entry(game.by_key[state.company.now.keys[0]].signer, body)
    return signed_at(ledger, payload, due(state).authors[0], game=game)


# ---- garbage ---------------------------------------------------------------------------------


MESSAGES = (
    wire.Hello(b""),
    wire.Hello(bytes(64)),
    wire.Hello(b"x", b"y"),
    wire.Rival(),
    wire.Ping(),
    wire.Pong(),
    wire.Again(opens=True),
    wire.Chat(b"hello\x1b]0;x\x07", bytes(32), bytes(64)),
    *(wire.JoinAnswer(code, (2**32 - 1,)) for code in ("started", "later", "closed", "\x1b[2J")),
    wire.Watch("Zoe\x1b[2J"),
    wire.Guests((bytes(32), b"x" * 32)),
    wire.JoinAsk(b"junk", bytes(64)),
    wire.Entries(()),
    wire.Pulled((wire.SignedEntry(b"x", bytes(64)),)),
    wire.Evidence((wire.SignedEntry(b"x", bytes(64)),)),
    wire.Evidence((), (wire.SignedStatement(b"x", bytes(64)),)),
    wire.Statements((wire.SignedStatement(b"x", bytes(64)),)),
    wire.Missed(bytes(64), b"\xff" * 32),
    wire.InTouch(bytes(64), b"\xff" * 32, ((200, b"\xff" * 32),)),
    wire.Head(199_999, bytes(64), b"\xff" * 32, 3),
    wire.Pull(9, b"\x05", 1),
)


@once_a_group
def samples():
    """Return all of `MESSAGES` and the entries of a game, each as an encoded message."""
    entries = (wire.Entries((signed,)) for signed in entries_of(played().sitters[1]))
    return tuple(map(encode, (*MESSAGES, *entries)))


def relink(one, peer):
    """Link a peer again if it has been dropped."""
    if peer in one.dropped:
        one.dropped.remove(peer)
        one.unlink(peer)
        one.link(peer)


SEEDS = (0, 1, 2, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(3, 12)))


@pytest.mark.parametrize("seed", SEEDS)
@sliced("where", list(DUE), 3, ids=named)
def test_garbage_in_any_phase_does_no_harm(where, seed):
    """Garbage in any phase raises nothing, and good entries count afterwards.

    Nobody but its sender is accused, and the sender only of a false signature.
    """
    chance = chance_for(seed, named(where), 0)
    game, number = situations()[where]
    one = driven(number, table=game)
    ben, cy = (sitter.key for sitter in game.sitters[1:3])
    one.link(ben)
    one.link(cy)
    forged = wire.SignedStatement(statements_of(game.host)[0].body, bytes(64))
    one.hear(ben, wire.Statements((forged,)))
    relink(one, ben)
    for frame in (*map(encode, MESSAGES), *(mutated(chance, samples()) for _ in range(12))):
        one.frame(ben, frame)
        one.pass_time(0.02)
        relink(one, ben)
    assert one.core.fault is None
    for found in one.told:
        if isinstance(found, notices.FaultFound):
            assert found.check == "signature"
            assert fingerprint(ben) in found.name, "only who sent it, seated yet or not"
    start, log = one.state.step, game.host.ledger
    goal = min(start + 3, log.state.step)
    for payload in game.host.record[max(1, number - 8) :]:
        if one.state.step < goal:
            one.read(cy, (payload,))
    assert one.core.fault is None
    assert one.state.step >= goal
    assert one.state.head == log.head_before(one.state.step)
