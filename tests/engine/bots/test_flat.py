"""Flat rounds are the rulebook's to the last bit, and take no wrong number."""

from random import Random

import pytest

from engine.bots import flat
from engine.bots.playout import dealt as deal_out
from engine.bots.policy import Rollout
from engine.bots.search import search
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec
from engine.table.rounds import start_game
from engine.table.trains import Seat
from engine.view import SeatView
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from tests.engine.bots.lockstep import Lockstep
from tests.engine.bots.test_policy import in_play
from tests.engine.deals import spec_of

pytestmark = pytest.mark.skipif(
    not flat.IS_BUILT, reason="in the wheel of native/engine only, whose CI lane runs this"
)

SIZES = ((6, 2), (9, 4), (12, 4), (12, 8), (18, 14))


@pytest.mark.parametrize("preset", RULE_SETS)
def test_rounds_of_every_preset_are_the_same(preset):
    """At every size for which it has a deal: lists, verdicts, tables, the policy."""
    specs = [make_spec(RULE_SETS[preset], *size, 1) for size in SIZES]
    lockstep = Lockstep(1)
    for spec in specs:
        if isinstance(spec, TableSpec):
            lockstep.play(spec, b"preset")
    assert lockstep.compared["moves"]


def test_rounds_under_random_rules_are_the_same():
    """Whatever switches go together; `lockstep` as a program plays as many as one likes."""
    lockstep = Lockstep(2)
    for number in range(60):
        seed = number.to_bytes(4, "big")
        lockstep.play(random_spec(seeded(seed)), seed)
    assert min(lockstep.compared.values()) > 0
    assert lockstep.compared["verdicts"] > lockstep.compared["lists"]


@pytest.mark.parametrize("preset", RULE_SETS)
def test_a_search_finds_the_same_without_flat_rounds(preset, monkeypatch):
    """So a game from a seed is the same on a computer without a compiler."""
    table, tiles = in_play(make_spec(RULE_SETS[preset], 12, 4, 1), b"found")
    seat = table.to_move if table.outcome is None else Seat(0)
    view = SeatView(table, seat, hand_of(table, tiles, seat))
    found = search(view, seeded(b"search"), 60)
    monkeypatch.setattr(flat, "IS_BUILT", False)
    assert search(view, seeded(b"search"), 60) == found


def test_a_playout_is_the_same_both_ways(monkeypatch):
    """Up to a turn, from there to the end, and what is left in the hands."""
    table, tiles = in_play(spec_of(12, 4, 1), b"playout")
    outset = Rollout(table, tiles)

    def played():
        playout = deal_out(outset, outset.at, table.present)
        playout.play_until(Seat(2))
        middle, rest = playout.table(), playout.copy()
        return middle, rest.play(), [sorted(hand) for hand in rest.held()], playout.table()

    fast = played()
    monkeypatch.setattr(flat, "IS_BUILT", False)
    assert played() == fast
    assert fast[0] == fast[-1]


def parts_of_a_round():
    """The rules of a round in play, and its parts."""
    table, tiles = in_play(spec_of(9, 3, 1), b"parts")
    number = flat.numbered_tiles(table).number
    here = flat.flatten(table, {at: number[tile] for at, tile in tiles.items()})
    return here, flat.rules_of(table.spec), here.parts()


def spoilt(parts, chance):
    """The same nested tuples with a number changed, or a row missing or doubled."""
    if isinstance(parts, int):
        return chance.choice((-1, parts + 1, 255, 1 << 40, -(1 << 70), 190, 0))
    if not parts:
        return (0,)
    at = chance.randrange(len(parts))
    if not chance.randrange(4):
        return parts[:at] + parts[at + chance.randrange(2) :] + parts[at:][: chance.randrange(2)]
    return (*parts[:at], spoilt(parts[at], chance), *parts[at + 1 :])


def test_wrong_parts_are_refused_or_played_but_never_believed_blindly():
    """A number that is none is a ValueError; what passes can be played to its end."""
    chance, refused = Random(3), 0
    _, rules, parts = parts_of_a_round()
    for _ in range(3_000):
        wrong = spoilt(parts, chance)
        try:
            here = flat.Round(rules, wrong)
        except ValueError:
            refused += 1
            continue
        here.parts()
        here.play(-1)
        if here.end() is None:
            here.legal()
    assert refused > 1_000


def test_a_wrong_move_is_refused_and_changes_nothing():
    """Whatever number it is."""
    here, _, parts = parts_of_a_round()
    legal = here.legal()
    chance = Random(4)
    for _ in range(3_000):
        code = chance.randrange(1 << chance.choice((3, 11, 17, 24, 40)))
        if code in legal:
            continue
        try:
            assert here.is_legal(code) is False
        except ValueError:
            with pytest.raises(ValueError, match=r"such|bounds|within"):
                here.carry_out(code)
    assert here.parts() == parts


def test_a_round_is_mixed_by_octets_and_keeps_its_sizes():
    """Every tile is somewhere, in another order, and the same octets mix it the same."""
    table = start_game(spec_of(12, 4, 1), Seat(0))
    number = flat.numbered_tiles(table).number
    tiles = {at: number[tile] for at, tile in deal(table, seeded(b"mix")).items()}
    here = flat.flatten(table, tiles)
    mixed, again = (here.mixed(bytes(range(256)) * 2) for _ in range(2))
    assert mixed.parts() == again.parts() != here.parts()
    assert [len(hand) for hand in mixed.hands()] == [len(hand) for hand in here.hands()]
    assert sorted(sum(mixed.hands(), mixed.parts()[4])) == sorted(tiles.values())


def test_what_is_planned_is_laid_once():
    """A plan names a tile once, and a move that is carried out without plans ends the old one."""
    here, rules, parts = parts_of_a_round()
    for seed in range(20):
        played, chance = here.copy(), Random(seed)
        played.plan(7)
        moves = chance.randrange(40)
        while moves and played.end() is None:
            played.carry_out(chance.choice(played.legal()))
            moves -= 1
        played.play(-1)
        laid = [row[1] for row in played.parts()[2]]
        assert len(laid) == len(set(laid)), seed
    seat = parts[0][0]
    plans = [(-1, ())] * 3
    plans[seat] = (-1, parts[3][seat][:1] * 2)
    with pytest.raises(ValueError, match="twice"):
        flat.Round(rules, (*parts[:11], tuple(plans)))
