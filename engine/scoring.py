"""Points: the cost of hands, the scores of rounds, the winners of games. [rules.md §7.3-§7.5]"""

from collections.abc import Sequence
from typing import assert_never

from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec
from engine.rules.switches import BlockedWinner, HandPoints, Target, Ties
from engine.table.table import Ending, Outcome, Table
from engine.table.trains import Seat
from engine.table.turn import NEW_GAME, GameMemory
from engine.tiles import Tile


def tile_points(rules: RuleSet, tile: Tile) -> int:
    """Return the cost of a tile left in a hand: its pips plus what the rules add for blanks.

    The rules may add points for each blank half, or for the double blank, or add none.
    """
    blank_halves = (tile.low == 0) + (tile.high == 0)
    blanks = rules.blanks
    return tile.pips + blanks.each * blank_halves + (0 if tile.high else blanks.double)


def hand_points(rules: RuleSet, tiles: Sequence[Tile]) -> int:
    """Return the cost of a hand; 0 for an empty one."""
    return sum(tile_points(rules, tile) for tile in tiles)


def round_scores(
    rules: RuleSet, outcome: Outcome, hands: Sequence[Sequence[Tile]], game: GameMemory = NEW_GAME
) -> tuple[int, ...]:
    """Return each seat's score of a round, in seat order, from the tiles left in `hands`. [§7.3]

    By default each seat scores the cost of its own hand. Under other rules the winner scores the
    cost of all other hands and the others score 0, or the lowest hands of a blocked round score 0.
    `hands` contains the tiles of every seat, in order. `game` names the seats that have left and
    their forfeits, which count like tiles in their hands [docs/rules.md §7.11]. Partners get equal
    scores: their two hands count as one, which is empty if either partner is out.
    """
    points = tuple(hand_points(rules, tiles) for tiles in hands)
    if game.forfeits:
        forfeits = dict(game.forfeits)
        points = tuple(own + forfeits.get(Seat(seat), 0) for seat, own in enumerate(points))
    playing = (1 << len(points)) - 1 & ~game.gone
    paired = rules.partners.is_yes
    if paired:
        points = _pair_points(points, outcome.seat)
        half = len(points) // 2
        playing |= playing << half | playing >> half  # a pair plays while one of it is there
    if rules.scoring is HandPoints.WINNER_TAKES:
        return _taken(points, outcome, playing, len(points) // 2 if paired else len(points))
    if hangs_on_all(rules, outcome):
        lowest = min(own for seat, own in enumerate(points) if playing >> seat & 1)
        return tuple(
            0 if own == lowest and playing >> seat & 1 else own for seat, own in enumerate(points)
        )
    return points


def hangs_on_all(rules: RuleSet, outcome: Outcome) -> bool:
    """Return True if a seat's score depends on hands other than its own or its pair's."""
    is_zero = outcome.ending is Ending.BLOCKED and rules.blocked_winner is BlockedWinner.ZERO
    return is_zero or rules.scoring is HandPoints.WINNER_TAKES


def _taken(points: Sequence[int], outcome: Outcome, playing: int, sides: int) -> tuple[int, ...]:
    """Return the scores by seat where the winner takes the points of the other sides. [§7.4]

    A side is a seat, or a pair of partners. The side of the seat that is out wins. If nobody is
    out, the present sides with the fewest points win, and each takes all points but its own. The
    others score 0. `sides` is the number of sides; `playing` is the bit set of those present.
    """
    each = points[:sides]  # partners have equal points, and the first half has one of each pair
    out = outcome.seat
    here = [at for at in range(sides) if playing >> at & 1]
    least = min(each[at] for at in here)
    won = [at for at in here if each[at] == least] if out is None else [out % sides]
    taken = tuple(sum(each) - own if at in won else 0 for at, own in enumerate(each))
    return taken * (len(points) // sides)


def _pair_points(points: Sequence[int], out: Seat | None) -> tuple[int, ...]:
    """Return for each seat the points of its pair; 0 for both seats of the pair of `out`. [§2.5]"""
    half = len(points) // 2
    pairs = [points[at] + points[at + half] for at in range(half)]
    if out is not None:
        pairs[out % half] = 0
    return tuple(pairs + pairs)


def with_errors(scores: Sequence[int], errors: Sequence[int]) -> tuple[int, ...]:
    """Return the scores with the round's highest added once for each proven error. [§7.9]

    `errors` counts them by seat. Raise ValueError if it does not have as many seats as `scores`, or
    if `scores` is empty.
    """
    highest = max(scores)
    return tuple(own + highest * count for own, count in zip(scores, errors, strict=True))


def sums(rounds: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    """Return each seat's total over these rounds, in seat order; zeros if there are no rounds."""
    return tuple(sum(scores[seat] for scores in rounds) for seat in range(seats))


def totals(table: Table) -> tuple[int, ...]:
    """Return each seat's total over all rounds scored so far; zeros before the first."""
    return sums(table.past, table.spec.seats)


def best_seats(
    rules: RuleSet, rounds: Sequence[Sequence[int]], seats: int, gone: int = 0
) -> tuple[Seat, ...]:
    """Return the winners of a game with these rounds, in seat order. [docs/rules.md §7.4, §7.5]

    Without rounds all seats are equal, so all win. The seats in the bit set `gone` have left and
    cannot win; raise ValueError if all have left. [docs/rules.md §7.11]
    """
    here = [Seat(seat) for seat in range(seats) if not gone >> seat & 1]
    ranks = {seat: _rank(rules, [scores[seat] for scores in rounds]) for seat in here}
    best = min(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


def rounds_are_over(spec: TableSpec, rounds: Sequence[Sequence[int | None]]) -> bool:
    """Return True if no round follows these, even if somebody joins. [docs/rules.md §7.4]

    A game is over after its last round, or once the total of any seat, even one that left, has
    reached the target. A score is None, and adds nothing, where a written game does not give it. If
    the rounds differ in their number of seats, only the seats that all rounds have count.
    """
    target = spec.rules.target
    if len(rounds) >= spec.rounds or isinstance(target, Target):
        return len(rounds) >= spec.rounds
    return any(sum(own or 0 for own in scores) >= target for scores in zip(*rounds, strict=False))


def winners(table: Table) -> tuple[Seat, ...]:
    """Return the seats that lead so far, in seat order; after the last round, the winners.

    Before the first score, all seats that have not left lead.
    """
    return best_seats(table.rules, table.past, table.spec.seats, table.game.gone)


def places(table: Table) -> tuple[int | None, ...]:
    """Return each seat's place so far, from 1; None for a seat that has left.

    Tied seats share a place, and the places after it are skipped: 1, 1, 3.
    """
    found: dict[Seat, int] = {}
    gone = table.game.gone
    while len(found) < len(table.present):
        best = best_seats(table.rules, table.past, table.spec.seats, gone)
        found.update(dict.fromkeys(best, len(found) + 1))
        gone |= sum(1 << seat for seat in best)
    return tuple(found.get(Seat(seat)) for seat in range(table.spec.seats))


def _rank(rules: RuleSet, scores: Sequence[int]) -> tuple[int, int, int]:
    """Return the key to rank seats by, lowest first: the total, then two tie-breakers.

    The tie-breakers are the number of rounds at 0 (more is better) and the lowest other score; both
    are 0 under `ties=shared`.
    """
    standing = rules.standing(sum(scores))
    match rules.ties:
        case Ties.ZERO_ROUNDS:
            lowest = min((score for score in scores if score), default=0)
            return standing, -sum(score == 0 for score in scores), lowest
        case Ties.SHARED:
            return standing, 0, 0
        case _:
            assert_never(rules.ties)
