"""Seats that join a table between two rounds: new seats, and seats that come back. [§7.12]

    SCORED --with_seats--> SCORED --next_round--> the next round, with them

A game that is over only because a single seat was left goes on when somebody sits down.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.rules.spec import TableSpec
from engine.scoring import totals
from engine.table.table import AllScored, Scored, Table, absentees
from engine.table.trains import Seat, Train, TrainId


def with_seats(table: Table, spec: TableSpec, back: Iterable[Seat] = ()) -> Table:
    """Return the scored table after new seats have joined and those in `back` have come back.

    `spec` has the new number of seats; it must have the same set, rounds and rules as before, which
    is not checked. A new seat, or one that comes back with a better rank, gets the scores of the
    seat that is last so far, so nobody gains by coming late. The phase is then `Scored`, even if
    the game was over. Seats in `back` that have not left are ignored. Raise AssertionError if the
    round is not scored yet, or if `spec` has fewer seats than before.
    """
    # the caller has branched on the phase
    assert isinstance(table.now, (Scored, AllScored))
    returned = tuple(seat for seat in back if table.game.gone >> seat & 1)
    before = table.spec.seats
    more = spec.seats - before
    # our own invariant: the list of seats never loses one
    assert more >= 0
    came = (*map(Seat, range(before, spec.seats)), *returned)
    ranks = [table.rules.standing(total) for total in totals(table)]
    last = max(table.present, key=lambda seat: ranks[seat])  # the first of equal ones [§7.12]
    behind = [seat for seat in returned if ranks[seat] < ranks[last]]
    alike = sum(1 << seat for seat in (*range(before, spec.seats), *behind))
    new = (Train(TrainId(seat), (), marker=False, ends=()) for seat in range(before, spec.seats))
    gone = table.game.gone & ~sum(1 << seat for seat in returned)
    return replace(
        table,
        spec=spec,
        now=Scored(table.now.outcome),
        trains=(*table.trains[:before], *new, *table.trains[before:]),
        hands=(*table.hands, *(((),) * more)),
        past=_scored_alike(table, more, last, behind),
        game=replace(
            table.game,
            gone=gone,
            came=table.game.came | sum(1 << seat for seat in came),
            absent=tuple(each | alike for each in absentees(table)),
        ),
    )


def _scored_alike(
    table: Table, more: int, last: Seat, behind: Sequence[Seat]
) -> tuple[tuple[int, ...], ...]:
    """Return the scores of all rounds; seats in `behind` and `more` new ones score like `last`."""
    rounds = []
    for scores in table.past:
        mended = [scores[last] if seat in behind else own for seat, own in enumerate(scores)]
        rounds.append((*mended, *((scores[last],) * more)))
    return tuple(rounds)
