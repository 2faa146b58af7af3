"""Seats that leave the table for good, and the game without them. [docs/rules.md §7.11]

A seat keeps its number for ever. Once it has left it is dealt nothing and asked for nothing, and
its turns are skipped. The table has to agree that it has left, and whether the round goes on; the
engine only says what follows.

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
    """The table once these seats have left it, and the round goes on without them.

    In play it then waits for `rebuilt`; further seats may leave while it waits. If one seat stays,
    play is over, and so is the game of a scored round. A round that is over stays so; a finished
    game is left as it is. Seats that have left before are ignored. While the round is still being
    set up there is nothing to go on with: use `void_round`; this fails an assertion then, and if
    nobody stays.
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
    """The table in play once these have left: it waits for their tiles, or its round is over."""
    if not leavers:
        return table
    if table.to_move in leavers:
        # What it has laid in this turn stays, and others owe what it owed.
        stage = table.turn.stage
        table = owe_chain_end(table, stage, []) if isinstance(stage, InChain) else table
        table = replace(table, turn=FRESH, drawn=False)
    back = tuple((seat, at) for seat in leavers for at in table.hands[seat])
    table = _without(table, leavers)
    if len(table.present) == 1:
        return end_round(table, [], Ending.LEFT, None)
    return replace(table, now=replace(waiting, hidden=waiting.hidden + back), boneyard=())


def rebuilt(table: Table, new_positions: Sequence[Position]) -> tuple[Table, tuple[Event, ...]]:
    """The table with its new boneyard, next position first, and what then happened.

    The boneyard has what nobody had drawn and what the leavers held: `Reshuffle.size` tiles. If it
    is the turn of a seat that has left, that turn is over, which may end the round. If the new
    boneyard is not empty, last plays that had begun are called off, and begin anew once it is
    empty. A table that does not wait for so many positions after a `leave` fails an assertion.
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
    """The tiles that go back into the boneyard, at a table that waits for as many new positions.

    Any other table, and any other number of positions, fails an assertion.
    """
    now = table.now
    # the caller has branched on the phase
    assert isinstance(now, Reshuffle)
    # decks of another length do not decode (7.10)
    assert len(new_positions) == now.size
    return now


def void_round(table: Table, gone: Iterable[Seat]) -> Table:
    """The table with its round given up and these seats gone; nobody scores.

    `next_round` deals the round again, with its number, its double and its lead; the leavers'
    forfeits are scored then. The game is over if one seat is left. Seats that have left before are
    ignored. A round that is scored already, or nobody left to stay, fails an assertion.
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
        # the double in the hub may be there again
        game=game if table.hub is None else replace(game, hubs=game.hubs[:-1]),
        drawn=False,
        owed=(),
        turn=FRESH,
        memory=memory,
    )


def _still_here(table: Table, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    chosen = set(seats)
    here = tuple(seat for seat in table.present if seat in chosen)
    # those who decide stay: the leavers are no quorum
    assert len(here) < len(table.present), "somebody stays"
    return here


def _without(table: Table, leavers: Sequence[Seat]) -> Table:
    """The table with empty hands where seats have left; what they held is out of play.

    Their forfeits are added to those they have in this round, 0 after a scored round, and markers
    go up on trains of which every owner has left.
    """
    game = table.game
    memory = table.memory
    bits = sum(1 << seat for seat in leavers)
    hands = tuple(() if seat in leavers else held for seat, held in enumerate(table.hands))
    scored = isinstance(table.now, Scored)
    forfeits = dict(game.forfeits)
    for seat in leavers:  # one that has come back may go again before the round is scored
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
    """The points that it costs a seat to leave the round as it lies. [docs/rules.md §7.11]

    They are those of the heaviest tiles that nobody has seen, as many as the seat holds; or, by the
    rules, the average of those tiles for as many, and nothing once play is over. While tiles are
    turned up for the first turn, a seat counts as holding the hand that is due.
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
    """The double that waits for the hub until a tile has gone back for it; None without one."""
    now = table.now.since if isinstance(table.now, Reshuffle) else table.now
    return now.tile if isinstance(now, Returning) else None


def waiting_double(table: Table) -> Tile | None:
    """The double that lies beside the hub before play begins; None without one.

    It was laid, and a tile has to go back for it; or it is set aside, and the hands are not dealt.
    """
    set_aside = table.rules.engine.is_set_aside and table.hub is None
    return table.game.own if set_aside else laid_double(table)
