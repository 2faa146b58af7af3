"""A deal thrown away, and the next one begun among those who stay [protocol.md §4.7]."""

from __future__ import annotations

from engine.play.leavers import void_round
from engine.table.trains import Seat
from netgame.protocol.fold.deal import new_deal
from netgame.protocol.fold.phases import Dealing, Now, Round, Scoring, Standing
from netgame.protocol.fold.state import State


def as_seats(seats: frozenset[int]) -> frozenset[Seat]:
    """Seats as the engine has them."""
    return frozenset(map(Seat, seats))


def deal_again(state: State, standing: Standing, number: int) -> Now:
    """The deal begins anew; who is alone signs how it stands, and may seat who has come."""
    if len(state.present) == 1:
        return Scoring(standing)
    return Dealing(standing, new_deal(state, standing.table.spec, number))


def void_round_of(state: State, round_: Round) -> Now:
    """Nobody scores; the round is dealt again among those who stay."""
    table = void_round(round_.table, as_seats(state.gone))
    return deal_again(state, Standing(table, round_.deck, round_.history), table.round_number)
