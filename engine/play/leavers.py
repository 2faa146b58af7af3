"""Seats that leave the table for good, and the game without them. [docs/rules.md §7.11]

A seat keeps its number forever. Once it has left, it gets no tiles and need not answer, and its
turns are skipped. The peers must agree that it has left, and whether the round goes on; the engine
only carries out what follows.

    PLAY --leave--> RESHUFFLE --rebuilt--> PLAY, or OVER
    PLAY --leave, one seat stays--> OVER
    any phase of a round --void_round--> SCORED --next_round--> the same round again
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.play.lay import owe_chain_end
from engine.play.reach import own_trains
from engine.play.turn_end import end_round, pass_gone, with_marker
from engine.rules.switches import LeaverScore
from engine.scoring import tile_points
from engine.table.events import Event
from engine.table.table import AllScored, Ending, Outcome, PlayOver, Scored, Table
from engine.table.trains import Position, Seat
from engine.table.turn import FRESH, HighDraw, InChain, InPlay, Reshuffle, Returning
from engine.tiles import TILE_BITS, Tile, tiles_in


def leave(table: Table, seats: Iterable[Seat]) -> Table:
    """Return the table after these seats have left, if the round goes on without them.

    In play, the table then waits for `rebuilt`; further seats may leave while it waits. If only one
    seat stays, play is over; if the round is already scored, the game is over. A round that is over
    stays over, and a finished game stays as it is. Seats that have left before are ignored. Raise
    AssertionError if nobody stays, or if play has not begun: use `void_round` then.
    """
    if isinstance(table.now, AllScored):
        return table
    leavers = _still_here(table, seats)
    match table.now:
        case InPlay() as since:
            return _left_amid(table, leavers, Reshuffle(table.boneyard, (), (), since))
        case Reshuffle(since=InPlay()) as waiting:
            return _left_amid(table, leavers, waiting)
        case PlayOver():
            return _without(table, leavers)
        case Scored(outcome):
            table = _without(table, leavers)
            return replace(table, now=AllScored(outcome)) if len(table.present) == 1 else table
        case _:
            # the caller has branched on the phase
            raise AssertionError(table.phase)


def _left_amid(table: Table, leavers: tuple[Seat, ...], waiting: Reshuffle) -> Table:
    """Return the table in play after these seats have left.

    The table waits for a reshuffle with their tiles, or play is over. `waiting` is the reshuffle
    that it waits for already, or a new one.
    """
    if not leavers:
        return table
    if table.to_move in leavers:
        # the tiles that it laid in this turn stay, and the others owe what it owed
        stage = table.turn.stage
        table = owe_chain_end(table, stage, []) if isinstance(stage, InChain) else table
        table = replace(table, turn=FRESH, drawn=False)
    back = tuple((seat, at) for seat in leavers for at in table.hands[seat])
    table = _without(table, leavers)
    if len(table.present) == 1:
        return end_round(table, [], Ending.LEFT, None)
    return replace(table, now=replace(waiting, hidden=waiting.hidden + back), boneyard=())


def rebuilt(table: Table, new_positions: Sequence[Position]) -> tuple[Table, tuple[Event, ...]]:
    """Return the table with its new boneyard, next position first, and the events.

    The boneyard contains the tiles that nobody had drawn and those of the leavers: `Reshuffle.size`
    tiles. If it was the turn of a leaver, that turn is over, which may end the round. If the new
    boneyard is not empty, last plays in progress are called off, and begin again once it is empty.
    Raise AssertionError unless the table waits for this many positions after a `leave`.
    """
    back, memory = going_back(table, new_positions), table.memory
    # the caller has branched on the phase
    assert back.rebuild
    if new_positions:
        memory = replace(memory, last=None, stocked=True)
    table = replace(table, now=back.since, boneyard=tuple(new_positions), memory=memory)
    events: list[Event] = []
    return pass_gone(table, events), tuple(events)


def going_back(table: Table, new_positions: Sequence[Position]) -> Reshuffle:
    """Return the reshuffle that the table waits for.

    Raise AssertionError if it waits for none, or for a different number of positions.
    """
    now = table.now
    # the caller has branched on the phase
    assert isinstance(now, Reshuffle)
    # decks of another length do not decode (protocol.md 7.10)
    assert len(new_positions) == now.size
    return now


def void_round(table: Table, gone: Iterable[Seat]) -> Table:
    """Return the table with its round given up and these seats gone; nobody scores.

    `next_round` deals the round again, with the same number, double and lead; the leavers' forfeits
    count in that deal. If only one seat is left, the game is over. Seats that have left before are
    ignored. Raise AssertionError if the round is already scored, or if nobody stays.
    """
    # the caller has branched on the phase
    assert not isinstance(table.now, (Scored, AllScored))
    table = _without(table, _still_here(table, gone))
    memory = replace(table.memory, last=None, bullet=None, silent=0)
    ended = AllScored if len(table.present) == 1 else Scored
    game = table.game
    return replace(
        table,
        now=ended(Outcome(Ending.VOID, None)),
        # the double of a round that was given up may be used again
        game=game if table.hub is None else replace(game, hubs=game.hubs[:-1]),
        drawn=False,
        owed=(),
        turn=FRESH,
        memory=memory,
    )


def _still_here(table: Table, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    chosen = set(seats)
    here = tuple(seat for seat in table.present if seat in chosen)
    # the seats that decide who leaves stay at the table themselves
    assert len(here) < len(table.present), "somebody stays"
    return here


def _without(table: Table, leavers: Sequence[Seat]) -> Table:
    """Return the table with empty hands for the leavers, whose tiles are out of play.

    Their forfeits are added to those they already have in this round; a forfeit is 0 once the round
    is scored. The marker goes up on a train whose owners have all left.
    """
    game = table.game
    memory = table.memory
    bits = sum(1 << seat for seat in leavers)
    hands = tuple(() if seat in leavers else held for seat, held in enumerate(table.hands))
    scored = isinstance(table.now, Scored)
    forfeits = dict(game.forfeits)
    for seat in leavers:  # a seat that came back may leave again before the round is scored
        forfeits[seat] = forfeits.get(seat, 0) + (0 if scored else forfeit(table, seat))
    game = replace(game, gone=game.gone | bits, forfeits=tuple(forfeits.items()))
    memory = replace(
        memory,
        silent=memory.silent & ~bits,
        tapped=memory.tapped & ~bits,
        voluntary=memory.voluntary & ~bits,
    )
    table = replace(table, hands=hands, game=game, memory=memory)
    if table.hub is None:
        return table
    for seat in leavers:
        if all(game.gone >> owner & 1 for owner in own_trains(table, seat)):
            table = with_marker(table, [], seat, up=True)
    return table


def forfeit(table: Table, seat: Seat) -> int:
    """Return the points that a seat forfeits if it leaves the round now. [docs/rules.md §7.11]

    They are the points of the heaviest unseen tiles, as many as the seat holds. With
    `leaver-score=average`, they are instead the average points of an unseen tile, times the number
    of tiles held, rounded down, and 0 once play is over. During the high draw, a seat counts as
    holding a full hand.
    """
    takes_average = table.rules.leaver_score is LeaverScore.AVERAGE
    if takes_average and isinstance(table.now, PlayOver):
        return 0
    now = table.now.since if isinstance(table.now, Reshuffle) else table.now
    held = len(table.hands[seat])
    if isinstance(now, HighDraw):
        held = table.spec.hand
    waiting = waiting_double(table)  # `seen` has it only once play begins
    unseen = tiles_in(table.unseen & ~(0 if waiting is None else TILE_BITS[waiting]))
    points = sorted((tile_points(table.rules, tile) for tile in unseen), reverse=True)
    if takes_average:
        return sum(points) * held // len(points) if held else 0
    return sum(points[:held])


def laid_double(table: Table) -> Tile | None:
    """Return the double that a seat has laid while play cannot begin yet, or None.

    A tile must first go back to the boneyard, or the boneyard must be shuffled.
    """
    now = table.now.since if isinstance(table.now, Reshuffle) else table.now
    return now.tile if isinstance(now, Returning) else None


def waiting_double(table: Table) -> Tile | None:
    """Return the double that is known, but not in the hub until play begins, or None.

    Either a seat has laid it (`laid_double`), or it was set aside for this round.
    """
    set_aside = table.rules.engine.is_set_aside and table.hub is None
    return table.game.own if set_aside else laid_double(table)
