"""Two at a table, and one leaves for good: there is a result at once, or the next round."""

from itertools import product

import pytest

from engine.table.events import GameEnded
from lab.judged_logs import TrustingLedger
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.record import verify_record
from netgame.protocol.log.entry import filled_mask, sign_entry, sign_leave
from netgame.protocol.log.fault import Accepted, Guilty, Stray
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, Sitter, full_table, kill
from tests.sliced import sliced

VOTE = "patience=vote"


def new_table(*options: str, rounds: int = 2, bots: bool = True) -> SimTable:
    """Ann and Ben, double-6, four tiles each; nobody is given up without a word."""
    settings = wire.Settings("standard", (), 6, 2, rounds, 4, (VOTE, *options))
    return full_table(("Ann", "Ben"), settings, seed=bytes([7]) * 32, bots=bots)


def say_farewell(table: SimTable, who: Sitter) -> None:
    """Somebody leaves for good, and their process ends once the word is out."""
    table.act(who, lambda parts: parts.joiner.farewell())
    table.later(0.1, lambda: kill(table, who))


def in_turn(state: State, who: Sitter) -> bool:
    """Whether it is this sitter's turn."""
    playing = state.phase is Phase.PLAY and not isinstance(state.now, BetweenTurns)
    return playing and state.seat_of(who.core.key) == state.table.to_move


def turns(state: State) -> int:
    """How many turns the round in play has had."""
    return state.table.turns if state.table is not None else 0


def round_of(state: State) -> int:
    """The number of the round in play."""
    return state.table.round_number if state.table is not None else 0


PLACES = {
    "roster": lambda state, _: state.phase in (Phase.ROSTER, Phase.COIN_COMMIT),
    "coin": lambda state, _: state.phase is Phase.COIN_REVEAL,
    "first deal": lambda state, _: state.phase is Phase.DEAL,
    "shares": lambda state, _: state.phase is Phase.SHARES,
    "its turn": lambda state, who: in_turn(state, who) and turns(state) > 2,
    "between turns": lambda state, _: isinstance(state.now, BetweenTurns),
    "a draw": lambda state, _: state.phase is Phase.DRAWN,
    "open": lambda state, _: state.phase is Phase.OPEN,
    "score": lambda state, _: state.phase is Phase.SCORE or round_of(state) == 1,
    "second round": lambda state, _: round_of(state) == 1,
}


def expect_end(table: SimTable, who: Sitter) -> None:
    """Whoever stays has a finished record that verifies, and accuses nobody."""
    table.run(lambda: who.core.state.phase is Phase.OVER, 30)
    assert not who.faults()
    verdict = verify_record(who.record_octets, expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.finished


@sliced(("place", "options", "leaver"), product(PLACES, [(), ("leaver=redeal",)], [0, 1]), 3)
def test_the_game_ends_at_once_when_one_of_two_leaves(place: str, options, leaver: int) -> None:
    """Wherever it is, whoever stays has a result within seconds, and wins what there is to win."""
    table = new_table(*options)
    left, stays = table.sitters[leaver], table.sitters[1 - leaver]
    table.run(lambda: PLACES[place](left.core.state, left))
    say_farewell(table, left)
    expect_end(table, stays)
    told = [n for n in stays.told if isinstance(n, notices.GameOver | notices.TableClosed)]
    assert told
    if isinstance(told[-1], notices.GameOver) and stays.core.state.gone:
        (ended,) = (each for each in told[-1].events if isinstance(each, GameEnded))
        assert ended.winners == (stays.core.state.seat_of(stays.core.key),)


def test_a_turn_need_not_be_played_when_all_others_have_left() -> None:
    """A person in turn is not asked to move at a table that nobody else sits at."""
    table = new_table(bots=False)
    ann, ben = table.sitters
    table.run(lambda: any(in_turn(each.core.state, each) for each in table.sitters))
    stays = next(each for each in table.sitters if in_turn(each.core.state, each))
    say_farewell(table, ben if stays is ann else ann)
    expect_end(table, stays)
    last = stays.core.ledger.steps
    said = [entry.payload for step in last for entry in step]
    (missing,) = (each for each in said if isinstance(each, wire.Missing))
    assert missing.unplayed


@pytest.mark.parametrize("place", ["its turn", "shares", "score"])
def test_who_waits_for_a_seat_plays_the_next_round(place: str) -> None:
    """With somebody waiting, the table goes on with them instead of ending."""
    table = new_table(rounds=3)
    ann, ben = table.sitters
    table.run(lambda: ann.core.state.phase is Phase.DEAL)
    zoe = table.seat("Zoe")
    table.run(lambda: bool(ann.core.parts.applicants.waiting))
    table.run(lambda: PLACES[place](ben.core.state, ben))
    say_farewell(table, ben)
    table.run(
        lambda: ann.core.state.phase is Phase.OVER and zoe.core.state.phase is Phase.OVER, 900
    )
    for who in (ann, zoe):
        assert not who.faults()
        assert verify_record(who.record_octets, expand(bytes(32), "verify")).ok
    assert ann.core.state.head == zoe.core.state.head
    assert zoe.core.state.seat_of(zoe.core.key) in ann.core.state.present
    assert len(ann.core.state.table.past) == 3


def test_bots_of_a_host_leave_with_it_and_half_a_table_plays_on() -> None:
    """Two of four have given their word: the other two need not be more than half."""
    settings = wire.Settings("standard", (), 6, 4, 1, 4, (VOTE,))
    table = full_table(("Ann", "Ann-bot", "Ben", "Cy"), settings, seed=bytes([3]) * 32)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    say_farewell(table, table.sitters[0])
    say_farewell(table, table.sitters[1])
    ben, cy = table.sitters[2:]
    table.run(lambda: all(each.core.state.phase is Phase.OVER for each in (ben, cy)), 900)
    assert ben.core.state.head == cy.core.state.head
    assert not ben.faults()
    assert not cy.faults()


def _vote(one: Sitter, leaves: tuple[wire.Leave, ...], *, unplayed: bool = False) -> object:
    """What this seat's own judge makes of its vote against the other of two."""
    core = one.core
    state = core.state
    seat = state.seat_of(core.key)
    (other,) = frozenset(state.present) - {seat}
    payload = wire.Missing(filled_mask((other,)), 0, leaves, whole=False, unplayed=unplayed)
    body = wire.Body(state.log_id, state.step, state.head, seat, 1, payload)
    return core.ledger.judge(sign_entry(core.place.signer, body))


def test_nobody_of_two_is_left_behind_without_their_word() -> None:
    """No word, a word for later, for another log, or of somebody else: the sayer is at fault."""
    table = new_table()
    ann, ben = table.sitters
    table.run(lambda: in_turn(ben.core.state, ben))
    state = ann.core.state
    good = sign_leave(ben.core.place.signer, state.table_id, state.step)
    bad = (
        (),
        (sign_leave(ben.core.place.signer, state.table_id, state.step + 1),),
        (sign_leave(ben.core.place.signer, state.log_id, state.step),),
        (sign_leave(ben.core.place.signer, state.table_id, 0),),
        (sign_leave(ann.core.place.signer, state.table_id, state.step),),
        (good, good),
    )
    for leaves in bad:
        assert isinstance(_vote(ann, leaves), Guilty)
    assert isinstance(_vote(ann, (good,)), Accepted)


def test_a_turn_is_left_unplayed_in_a_turn_only() -> None:
    """While a deal is made its writer owes what it owes."""
    table = new_table()
    ann, ben = table.sitters
    table.run(
        lambda: ann.core.state.deal is not None and ann.core.state.deal.phase is DealPhase.DECK
    )
    state = ann.core.state
    leave = (sign_leave(ben.core.place.signer, state.table_id, state.step),)
    assert isinstance(_vote(ann, leave, unplayed=True), Guilty)
    assert isinstance(_vote(ann, leave), Stray), "before what it owes is there"


def test_who_plays_and_leaves_the_turn_unplayed_is_convicted_by_both() -> None:
    """Two stories about one turn are a fork."""
    table = new_table(bots=False)
    ann, ben = table.sitters
    table.run(lambda: any(in_turn(each.core.state, each) for each in table.sitters))
    one = ann if in_turn(ann.core.state, ann) else ben
    other = ben if one is ann else ann
    state = one.core.state
    table.move(one)
    table.run(lambda: one.core.state.step > state.step)
    (played,) = one.core.ledger.steps[state.step]
    reader = TrustingLedger(state.table_id)
    for signed in one.core.ledger.entries_from(0):
        judged = reader.judge(signed)
        assert isinstance(judged, Accepted)
        if signed == played.signed:
            reader.pending[judged.entry.seat] = judged.entry
            break
        reader.settle(judged.entry)
    leave = sign_leave(other.core.place.signer, state.table_id, state.step)
    seats = filled_mask((state.seat_of(other.core.key),))
    payload = wire.Missing(seats, 0, (leave,), whole=False, unplayed=True)
    body = wire.Body(state.log_id, state.step, state.head, played.seat, 1, payload)
    judged = reader.judge(sign_entry(one.core.place.signer, body))
    assert isinstance(judged, Guilty)
    assert judged.fault.finding.check.value == "fork"
    assert judged.fault.entries[0] == played.signed
