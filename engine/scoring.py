"""Points: the cost of a hand, scores of a round, winners of a game. [docs/rules.md §7.3-§7.5]"""

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
    """The cost of a tile left in a hand: its pips, and what the rules add for blanks."""
    blank_halves, blanks = (tile.low == 0) + (tile.high == 0), rules.blanks
    return tile.pips + blanks.each * blank_halves + (0 if tile.high else blanks.double)


def hand_points(rules: RuleSet, tiles: Sequence[Tile]) -> int:
    """The cost of a hand; 0 for an empty one."""
    return sum(tile_points(rules, tile) for tile in tiles)


def round_scores(
    rules: RuleSet, outcome: Outcome, hands: Sequence[Sequence[Tile]], game: GameMemory = NEW_GAME
) -> tuple[int, ...]:
    """The score of a round by seat, from what is left in the hands. [docs/rules.md §7.3]

    `game` has the seats that have left, and their forfeits. [docs/rules.md §7.11]
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
        playing |= playing << half | playing >> half
    if rules.scoring is HandPoints.WINNER_TAKES:
        return _taken(points, outcome, playing, len(points) // 2 if paired else len(points))
    if outcome.ending is Ending.BLOCKED and rules.blocked_winner is BlockedWinner.ZERO:
        lowest = min(own for seat, own in enumerate(points) if playing >> seat & 1)
        return tuple(
            0 if own == lowest and playing >> seat & 1 else own for seat, own in enumerate(points)
        )
    return points


def hangs_on_all(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether a seat's score depends on other hands than its own, or its pair's."""
    if rules.scoring is HandPoints.WINNER_TAKES:
        return True
    return outcome.ending is Ending.BLOCKED and rules.blocked_winner is BlockedWinner.ZERO


def _taken(points: Sequence[int], outcome: Outcome, playing: int, sides: int) -> tuple[int, ...]:
    """Scores where the winner takes the points of the other sides, seats or pairs. [§7.4]"""
    each, out = points[:sides], outcome.seat
    here = [at for at in range(sides) if playing >> at & 1]
    least = min(each[at] for at in here)
    won = [at for at in here if each[at] == least] if out is None else [out % sides]
    taken = tuple(sum(each) - own if at in won else 0 for at, own in enumerate(each))
    return taken * (len(points) // sides)


def _pair_points(points: Sequence[int], out: Seat | None) -> tuple[int, ...]:
    """Scores where partners share their points; a pair with a seat that is out has 0. [§2.5]"""
    half = len(points) // 2
    pairs = [points[at] + points[at + half] for at in range(half)]
    if out is not None:
        pairs[out % half] = 0
    return tuple(pairs + pairs)


def with_errors(scores: Sequence[int], errors: Sequence[int]) -> tuple[int, ...]:
    """Scores with the round's highest score added for each proven error. [docs/rules.md §7.9]"""
    highest = max(scores)
    return tuple(own + highest * count for own, count in zip(scores, errors, strict=True))


def sums(rounds: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    """Total score by seat over these rounds."""
    return tuple(sum(scores[seat] for scores in rounds) for seat in range(seats))


def totals(table: Table) -> tuple[int, ...]:
    """Total score by seat over every round scored so far."""
    return sums(table.past, table.spec.seats)


def best_seats(
    rules: RuleSet, rounds: Sequence[Sequence[int]], seats: int, gone: int = 0
) -> tuple[Seat, ...]:
    """The winners of a game with these rounds, which may be several. [docs/rules.md §7.4, §7.5]

    Seats of the bit set `gone` have left, and win nothing. [docs/rules.md §7.11]
    """
    here = [Seat(seat) for seat in range(seats) if not gone >> seat & 1]
    ranks = {seat: _rank(rules, [scores[seat] for scores in rounds]) for seat in here}
    best = min(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


def rounds_are_over(spec: TableSpec, rounds: Sequence[Sequence[int | None]]) -> bool:
    """Whether no round follows these, whoever may still sit down. [docs/rules.md §7.4]

    A score is None where a written game does not give it.
    """
    target = spec.rules.target
    if len(rounds) >= spec.rounds or isinstance(target, Target):
        return len(rounds) >= spec.rounds
    return any(sum(own or 0 for own in scores) >= target for scores in zip(*rounds, strict=False))


def winners(table: Table) -> tuple[Seat, ...]:
    """The seats that lead; after the last round, the winners."""
    return best_seats(table.rules, table.past, table.spec.seats, table.game.gone)


def places(table: Table) -> tuple[int | None, ...]:
    """The place of each seat so far, from 1; equals share one, and a seat that left has None."""
    found: dict[Seat, int] = {}
    gone = table.game.gone
    while len(found) < len(table.present):
        best = best_seats(table.rules, table.past, table.spec.seats, gone)
        found.update(dict.fromkeys(best, len(found) + 1))
        gone |= sum(1 << seat for seat in best)
    return tuple(found.get(Seat(seat)) for seat in range(table.spec.seats))


def _rank(rules: RuleSet, scores: Sequence[int]) -> tuple[int, int, int]:
    """Lower is better: the total, then the tie-breakers."""
    standing = rules.standing(sum(scores))
    match rules.ties:
        case Ties.ZERO_ROUNDS:
            lowest = min((score for score in scores if score), default=0)
            return standing, -sum(score == 0 for score in scores), lowest
        case Ties.SHARED:
            return standing, 0, 0
        case _:
            assert_never(rules.ties)
