"""Flat rounds are the rulebook's to the last bit, and take no wrong number."""

from random import Random

import pytest

from engine.bots import facts, flat
from engine.bots.numbered import numbered
from engine.bots.playout import dealt as deal_out
from engine.bots.policy import Rollout
from engine.bots.search import search
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.table.rounds import begin_round, start_game
from engine.table.table import hub_double
from engine.table.trains import HUB, Seat
from engine.view import SeatView
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from tests.engine.bots.lockstep import Lockstep
from tests.engine.bots.test_policy import in_play
from tests.engine.deals import spec_of

pytest.importorskip("engine._flat")  # of the wheel, whose lane of CI runs this

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


def test_the_wheel_asks_for_every_fact_that_there_is():
    """One that nobody asks for would be a rule that is not played."""
    assert sorted(facts.FACTS) == sorted(facts.facts_of(spec_of(9, 3, 1)))


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


def test_a_double_is_owed_no_more_tiles_than_can_go_on_it():
    """Else its place would still be due once the end there is gone."""
    here, rules, _ = parts_of_a_round()
    chance = Random(0)
    while not here.parts()[5]:
        here.carry_out(chance.choice(here.legal()))
    parts = here.parts()
    train, on, *_ = parts[5][0]
    with pytest.raises(ValueError, match="not as many"):
        flat.Round(rules, (*parts[:5], ((train, on, 2, 0, 0),), *parts[6:]))


def test_a_set_has_each_tile_once():
    """Else there would be more doubles than there is room for."""
    names, tiles = facts.FACTS, [(low, high) for low in range(7) for high in range(low, 7)]
    values = {"seats": 2, "pip_max": 6}
    asked, faces = tuple(values.get(name, 0) for name in names), tuple(1 << pip for pip in range(7))
    assert facts.Rules(asked, faces, tuple(tiles))
    with pytest.raises(ValueError, match="twice"):
        facts.Rules(asked, faces, ((0, 0), *tiles[:-1]))
    asked = tuple({**values, "more_covers": 2}.get(name, 0) for name in names)
    with pytest.raises(ValueError, match="no such table"):
        facts.Rules(asked, faces, tuple(tiles))


def test_more_ends_than_leave_room_for_others_are_refused():
    """Branches come later, and none is left out."""
    _, rules, parts = parts_of_a_round()
    (up, ends), *trains = parts[1]
    with pytest.raises(ValueError, match="length"):
        flat.Round(rules, (parts[0], ((up, ends * 93), *trains), *parts[2:]))
    with pytest.raises(ValueError, match="too many ends"):
        flat.Round(rules, (parts[0], ((up, ends * 92), *trains), *parts[2:]))


def test_the_hub_is_no_double_of_a_turn():
    """Where a dead double lets its seat cover an older one, the hub is none of the turn's."""
    switches = {"cover": "anywhere-then-duty", "duty-order": "last-played"}
    spec = make_spec(parse_rules("standard", switches | {"mexican": "4-arms"}), 6, 2, 1)
    assert isinstance(spec, TableSpec)
    tiles = numbered(6, spec.rules.wild_blanks).tiles
    at = {(tile.low, tile.high): number for number, tile in enumerate(tiles)}
    begun = tuple((2, at[pip, 6], 6, HUB, 1) for pip in range(6) if pip != 5)
    hands = ((at[6, 6], at[1, 1], at[1, 2]), (at[2, 2],))
    trains = ((0, (HUB,)), (0, (HUB,)), (0, (HUB,) * 4))
    turn = (0, (), 0, 0, 0, -1, 0)
    lays = (*begun, (2, at[5, 6], 6, HUB, 1))
    parts = ((0, 9, 0, 0, 5, 0, 0), trains, lays, hands, (), ((2, HUB, 2, 1, 0),), turn, (), ())
    here = flat.Round(flat.rules_of(spec), (*parts, (1, -1, 0, 0, 0, 0, 0, 0), (), ()))
    here.carry_out(at[6, 6] << 3 | 2 << 11)
    assert here.parts()[8] == ((2, 6),)


def test_a_word_is_that_number_and_no_other():
    """Other bits are those of a lay."""
    here, _, _ = parts_of_a_round()
    for word in (1, 2, 3):
        with pytest.raises(ValueError, match="no such move"):
            here.is_legal(word | 4)


def test_where_any_number_of_trains_may_begin_tables_are_played():
    """Wild blanks join every tile to the double blank, and each may begin a Mexican train."""
    rules = parse_rules("standard", {"mexican": "many", "wild-blanks": "yes"})
    spec = make_spec(rules, 12, 4, 13)
    for number, may in ((0, True), (11, True), (12, False)):
        hub = hub_double(spec, number)
        table = begin_round(spec, number, Seat(0), hub, past=())
        assert flat.is_flat(table) is may, hub
