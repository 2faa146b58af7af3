"""Checks of a table's invariants, for simulations and tests that play tables."""

from typing import Final

from engine.rules.ruleset import RuleSet
from engine.table.table import Owed, RoundPhase, Table, joining_halves
from engine.table.trains import HUB, End, Position, Train
from engine.tiles import SET_BITS, TILE_BITS


def status(table: Table) -> tuple[str, ...]:
    """Return each invariant that the table breaks, in words for a developer.

    Return () if it breaks none.
    """
    seats = table.spec.seats
    laid = [lay for train in table.trains for lay in train.lays]
    positions = [position for hand in table.hands for position in hand]
    positions += [*table.boneyard, *(lay.position for lay in laid)]
    seen = TILE_BITS[table.hub] if table.hub is not None else 0
    for lay in laid:
        seen |= TILE_BITS[lay.tile]
    checks = (
        (len(table.hands) == seats, "a hand for every seat"),
        (len(set(positions)) == len(positions), "a position lies in one place"),
        (_none_lost(table, positions), "no position is lost"),
        (seen == table.seen, "seen tiles are those that lie open"),
        (seen.bit_count() == len(laid) + (table.hub is not None), "a tile lies open once"),
        (not seen & ~SET_BITS[table.spec.pip_max], "tiles belong to the set"),
        (0 <= table.to_move < seats, "the seat in turn sits at the table"),
        (_is_left_alone(table), "who has left holds nothing and is not in turn"),
        ([train.id for train in table.trains[:seats]] == list(range(seats)), "seats' trains"),
        (
            [train.id for train in table.mexican_trains]
            == [-1 - at for at in range(len(table.mexican_trains))],
            "Mexican trains are numbered down from -1",
        ),
        (not any(train.marker for train in table.mexican_trains), "no marker on the Mexican train"),
        (table.phase in _IN_PLAY or not (table.owed or table.drawn), "nothing due after play"),
        (all(_is_open(table, owed) for owed in table.owed), "an owed double is an open double"),
    )
    breaches = tuple(words for holds, words in checks if not holds)
    return breaches + tuple(
        words for train in table.trains for words in _train_breaches(table.rules, train)
    )


_IN_PLAY: Final = (RoundPhase.PLAY, RoundPhase.RESHUFFLE)


def _is_left_alone(table: Table) -> bool:
    """Return True if seats that have left have no hand and no turn. [§7.11]"""
    gone = table.game.gone
    asked = table.phase in (RoundPhase.ENGINE, RoundPhase.PLAY) and gone >> table.to_move & 1
    return not asked and not any(held for at, held in enumerate(table.hands) if gone >> at & 1)


def _none_lost(table: Table, positions: list[Position]) -> bool:
    """Return True if positions run from 0 without a gap, or if a gap is allowed.

    It is allowed where a tile may have gone to the hub, or where positions may have new numbers.
    """
    rules = table.rules
    if table.game.forfeits:
        return True
    if rules.first.turns_up(0) or not rules.engine.is_set_aside:
        return True
    return sorted(positions) == list(range(len(positions)))


def _is_open(table: Table, owed: Owed) -> bool:
    train = table.train(owed.train)
    tile = table.hub if owed.on == HUB else train.lays[owed.on].tile
    return tile == owed.tile and End(owed.train, owed.on, owed.tile.high) in train.ends


def _train_breaches(rules: RuleSet, train: Train) -> tuple[str, ...]:
    breaches = []
    for at, lay in enumerate(train.lays):
        if not lay.tile.has(lay.joined):
            breaches.append(f"train {train.id}: {lay.tile} does not show {lay.joined}")
        if not HUB <= lay.on < at:
            breaches.append(f"train {train.id}: {lay.tile} hangs on a later tile")
        elif lay.on != HUB and lay.joined not in joining_halves(
            rules, lay.tile, train.lays[lay.on].end
        ):
            breaches.append(f"train {train.id}: {lay.tile} does not join what it hangs on")
    breaches.extend(
        f"train {train.id}: the end {end.pip} is no end of what it hangs on"
        for end in train.ends
        if end.on != HUB and train.lays[end.on].end != end.pip
    )
    return tuple(breaches)
