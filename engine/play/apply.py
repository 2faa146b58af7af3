"""The table after a move, and the table after the hands of a round are scored.

`apply` takes a legal move and makes the next table by docs/rules.md §1 to §7. It also returns
events that describe the changes; the next table never depends on them.
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from engine.play.calls import call_step
from engine.play.chain import chain_step
from engine.play.draw_or_pass import draw_step, pass_step
from engine.play.due import due_seats, turn_of, with_turn
from engine.play.hub_outcome import seek_step
from engine.play.judge import why_illegal_step
from engine.play.lay import done_step, lay_step
from engine.play.turn_end import begin_last_plays, end_round, owe_opened
from engine.scoring import round_scores, rounds_are_over, totals, winners
from engine.table import moves
from engine.table.events import Event, GameEnded, RoundScored, TurnBegan
from engine.table.table import AllScored, Ending, PlayOver, Scored, Table, absentees, turns_after
from engine.table.turn import InPlay, OpeningAll
from engine.tiles import Tile


def apply(table: Table, move: moves.Move) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after a legal move, and the events in order; check `why_illegal` first.

    The move may be a single step of a longer move, as in written games. Raise AssertionError for an
    illegal move.
    """
    # peers judge each move of a step on the table before the step (protocol.md 7.11); moves that
    # all make in one step touch only their own trains and hands, or one search; `due.as_left` turns
    # a draw that finds no tile into a pass
    assert why_illegal_step(table, move) is None, (table, move)
    after, events = carry_out(table, move)
    return after, tuple(events)


def carry_out(table: Table, move: moves.Move) -> tuple[Table, list[Event]]:
    """Return the same as `apply`, without checking the move, which must be legal.

    Bots use it to try out moves. The events are a new list, which the caller may change.
    """
    now = table.now
    if isinstance(now, OpeningAll):
        return _at_once(table, now, move)
    match move:
        case moves.LayTile():
            return lay_step(table, move)
        case moves.DrawTile() if isinstance(table.now, InPlay):
            return draw_step(table, move.seat)
        case moves.Pass():
            return pass_step(table)
        case moves.LayChain():
            return chain_step(table, move)
        case moves.Done():
            return done_step(table)
        case moves.Mark():
            return replace(table, turn=replace(table.turn, mark=move.up)), []
        case moves.Tap() | moves.Catch() | moves.Quiet():
            return call_step(table, move)
        case _:
            return seek_step(table, move)


def _at_once(table: Table, now: OpeningAll, move: moves.Move) -> tuple[Table, list[Event]]:
    """Carry out one seat's move in a simultaneous opening, and end the opening if it was the last.

    A seat is finished when its turn ends. The only `TurnBegan` returned is that of the seat that
    begins after the opening. [rules.md §3.1]
    """
    seat = move.seat
    before = turn_of(table, seat)
    after, events = carry_out(before, move)
    # only this seat plays on the table from `turn_of`: its turn is over once that table moves on
    if after.turns != before.turns or not isinstance(after.now, InPlay):
        now = replace(now, finished=now.finished | 1 << seat)
    elif after.drawn:
        now = replace(now, drew=now.drew | 1 << seat)
    events = [event for event in events if not isinstance(event, TurnBegan)]
    table = with_turn(table, after, now)
    if due_seats(table):
        return table, events
    return _end_at_once(table, events), events


def _end_at_once(table: Table, events: list[Event]) -> Table:
    """End the simultaneous opening, and append the events to the list.

    If a hand is empty, the round is over: of the seats with an empty hand, the first in turn order
    is out. Otherwise doubles at chain ends become owed, and the first seat begins.
    """
    first = table.first
    in_turn = partial(turns_after, table, first)
    empty = [seat for seat in table.present if not table.hands[seat]]
    opened = tuple(sorted(table.memory.opened, key=lambda double: in_turn(double[0])))
    table = replace(
        table,
        now=InPlay(),
        turns=table.spec.seats,  # the opening was everybody's first turn
        to_move=first,
        memory=replace(table.memory, opened=opened, out=None),
    )
    if empty:
        return end_round(table, events, Ending.OUT, min(empty, key=in_turn))
    events.append(TurnBegan(first))
    return begin_last_plays(owe_opened(table, events), events)


def score_round(table: Table, hands: Sequence[Sequence[Tile]]) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after the seats have opened their hands at the end of a round. [§7.3]

    `hands` is by seat; the caller must have proved that these are the right hands. The new phase is
    `AllScored` after the last round, or if only one seat is left; else `Scored`. The events are
    `RoundScored`, then `GameEnded` if the game is over. Raise AssertionError unless the phase is
    `PlayOver` and each hand has the right size.
    """
    over = table.now
    # the caller has branched on the phase
    assert isinstance(over, PlayOver)
    # opened hands of another length do not decode (protocol.md 7.10)
    assert [len(tiles) for tiles in hands] == [len(held) for held in table.hands]
    scores = round_scores(table.rules, over.outcome, hands, table.game)
    past = (*table.past, scores)
    last = rounds_are_over(table.spec, past) or len(table.present) == 1
    # a seat that left in this round scores its forfeit; one that left before has no part in it
    left_before = table.game.gone & ~sum(1 << seat for seat, _ in table.game.forfeits)
    game = replace(table.game, absent=(*absentees(table), left_before))
    now = AllScored(over.outcome) if last else Scored(over.outcome)
    table = replace(table, past=past, now=now, game=game)
    events: list[Event] = [RoundScored(scores, totals(table))]
    if last:
        events.append(GameEnded(winners(table)))
    return table, tuple(events)
