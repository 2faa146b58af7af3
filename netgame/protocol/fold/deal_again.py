"""A deal thrown away, and the next one begun among those who stay [protocol.md §4.7]."""

from __future__ import annotations

from dataclasses import replace

from engine.play.leavers import void_round
from engine.table.trains import Seat
from netgame.protocol.fold.deal import new_deal
from netgame.protocol.fold.state import Phase, State


def deal_again(state: State, number: int) -> State:
    """The deal begins anew; who is alone signs how it stands, and may seat who has come."""
    if len(state.present) == 1:
        return replace(state, phase=Phase.SCORE, deal=None, interlude=False, sealed=None, scored=())
    return replace(with_new_deal(state, number), phase=Phase.DEAL)


def as_seats(seats: frozenset[int]) -> frozenset[Seat]:
    """Seats as the engine has them."""
    return frozenset(map(Seat, seats))


def with_new_deal(state: State, number: int) -> State:
    """A deal in which the leavers had a part is thrown away."""
    assert state.spec is not None
    deal = new_deal(state, number) if number < state.spec.rounds else None
    return replace(state, deal=deal, interlude=False, sealed=None)


def void_round_of(state: State) -> State:
    """Nobody scores; the round is dealt again among those who stay."""
    assert state.table is not None
    table = void_round(state.table, as_seats(state.gone))
    return deal_again(replace(state, table=table, blinded=None), table.round_number)
