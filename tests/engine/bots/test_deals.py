"""Facts proved about hidden tiles, and random deals that agree with them."""

from collections import Counter
from functools import cache
from itertools import pairwise, permutations

import pytest

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.levels import BotLevel
from engine.knowledge import NOTHING_KNOWN
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.table import Hand
from engine.table.trains import Seat
from engine.tiles import TILE_BITS
from lab.rounds.any_move import choose_any
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from tests.engine.deals import PIP_BITS, played, spec_of


def followed(spec, seed, strategy=choose_any):
    """Play a round from `seed`; return its moments and the true tiles.

    A moment is the table before a move, with the facts proved by then.
    """
    history, end = played(spec, seed, strategy)
    known, moments = NOTHING_KNOWN, []
    for before, move in history:
        moments.append((before, known))
        known = known.after(before, move)
    return moments, end.tiles


def seen_by(table, known, tiles, seat):
    """Return the `HiddenTiles` for a seat that sees only its own hand."""
    held = tuple((at, tiles[at]) for at in table.hands[seat])
    return HiddenTiles(table, Hand(Seat(seat), held), known)


def agrees(hidden, tiles):
    """Return True if these tiles contradict none of the proved facts."""
    owners = zip(hidden.owners, hidden.lacks, strict=True)
    return not any(TILE_BITS[tiles[at]] & lacks for at, lacks in owners)


@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(3)])
@pytest.mark.parametrize(
    "preset", [name for name, rules in RULE_SETS.items() if rules.engine.is_set_aside]
)
def test_the_true_hands_agree_and_so_does_what_is_drawn(preset, seed):
    """All through a round, the true hands and the drawn deals agree with the proved facts.

    A drawn deal also has exactly the hidden tiles. Every seventh moment is checked.
    """
    moments, tiles = followed(make_spec(RULE_SETS[preset], 12, 4, 1), seed)
    for table, known in [moment for moment in moments if moment[0].hub is not None][::7]:
        for seat in range(4):
            hidden = seen_by(table, known, tiles, seat)
            assert agrees(hidden, tiles)
            source = DealSource(hidden, seeded(seed))
            for _ in range(2):
                drawn = source.draw()
                assert agrees(hidden, dict(zip(hidden.owners, drawn, strict=True)))
                assert sorted(drawn) == sorted(tiles[at] for at in hidden.owners)


def brute(hidden):
    """Return every deal that agrees with the proved facts, by trying all permutations."""
    return [
        deal
        for deal in permutations(hidden.tiles)
        if agrees(hidden, dict(zip(hidden.owners, deal, strict=True)))
    ]


def small(seed):
    """Return a seat's `HiddenTiles` in a small round: 3 to 7 tiles, with a fact proved about some.

    The latest moment with such tiles is used; return None if the round has none.
    """
    moments, tiles = followed(spec_of(6, 2, 1, deal="9"), seed, BotLevel.NORMAL.choose)
    for table, known in reversed(moments):
        for seat in range(2):
            hidden = seen_by(table, known, tiles, seat)
            if 3 <= len(hidden.tiles) <= 7 and any(hidden.lacks):
                return hidden
    return None


@cache
def small_cases():
    """Return what `small` finds in sixty rounds; assert that there are at least ten cases."""
    cases = [hidden for hidden in map(small, (bytes([seed]) for seed in range(60))) if hidden]
    assert len(cases) >= 10
    return cases


def test_counts_are_those_of_all_deals():
    """The number of deals and each seat's chance of a pip equal those found by brute force."""
    for hidden in small_cases():
        deals = brute(hidden)
        assert hidden.count() == len(deals)
        for seat in {owner for owner in hidden.owners.values() if owner is not None}:
            for pip in range(7):
                held = sum(
                    any(
                        TILE_BITS[tile] & PIP_BITS[pip]
                        for tile, owner in zip(deal, hidden.owners.values(), strict=True)
                        if owner == seat
                    )
                    for deal in deals
                )
                hand = [at for at, owner in hidden.owners.items() if owner == seat]
                likely = hidden.chance_at(hand, PIP_BITS[pip])
                assert likely == pytest.approx(held / len(deals))


@pytest.mark.parametrize(("states_max", "slack"), [(1_000, 2), (0, 6)])
def test_deals_are_drawn_evenly(monkeypatch, states_max, slack):
    """All deals come up about equally often, whether drawn by counts or mixed by random swaps."""
    monkeypatch.setattr("engine.bots.deals.STATES_MAX", states_max)
    hidden = next(each for each in small_cases() if 10 <= len(brute(each)) <= 130)
    deals = brute(hidden)
    source, each = DealSource(hidden, seeded(b"even")), 60
    drawn = Counter(tuple(source.draw()) for _ in range(each * len(deals)))
    assert set(drawn) <= set(deals)
    surprise = sum((drawn[deal] - each) ** 2 / each for deal in deals)
    assert surprise < slack * len(deals) + 20


def test_a_draw_proves_what_the_hand_lacked_and_nothing_of_what_is_drawn():
    """A draw proves something about the tiles held before it, and nothing about the drawn tile."""
    moments, _ = followed(spec_of(6, 2), b"proof")
    for (before, _), (after, known) in pairwise(moments):
        seat = before.to_move
        if len(after.hands[seat]) > len(before.hands[seat]):
            assert after.hands[seat][-1] not in known.lacks
            assert all(known.lacks[at] for at in before.hands[seat])
            return
    raise AssertionError("nobody drew")


def test_what_is_proved_of_a_tile_is_known_while_it_is_held():
    """Under random rules nothing proved about a held tile is ever forgotten."""
    for seed in (bytes([seed]) for seed in range(120)):
        moments, _ = followed(random_spec(seeded(seed)), seed)
        for (_, before), (table, after) in pairwise(moments):
            held = {at for hand in table.hands for at in hand}
            for at in held & before.lacks.keys():
                assert not before.lacks[at] & ~after.lacks.get(at, 0), (seed, table.now)


def test_nothing_false_is_known_under_any_rules():
    """Under random rules and moves, no proved fact excludes the tile that a position really has."""
    for seed in (bytes([seed]) for seed in range(24)):
        entropy = seeded(seed)
        moments, tiles = followed(random_spec(entropy), seed)
        for _, known in moments:
            for at, bits in known.lacks.items():
                assert at not in tiles or not TILE_BITS[tiles[at]] & bits
