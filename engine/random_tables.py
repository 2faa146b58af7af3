"""Random tables under random rules, played out and checked at every step.

What must hold of any combination of switches that is accepted: tiles are conserved, a seat that
is due has a legal move, what is refused changes nothing, and every round ends.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from engine.chance import Entropy, below, seeded
from engine.due import due_seats
from engine.judge import why_illegal_holding
from engine.menu import legal_moves
from engine.moves import Done, Move, Pass
from engine.rules import RULE_SETS, SWITCHES, RuleSet, parse_rules, settings_of
from engine.simulate import deal, hand_of, reshuffle
from engine.spec import TableSpec, make_spec
from engine.table import ENDED, Ending, Phase, Table, next_round, start_game, status
from engine.tiles import SET_BITS, Tile, tile_bit
from engine.trains import Position, Seat
from engine.transition import apply, score_round

MOVES_MAX: Final = 3_000
"""Moves after which a round counts as stuck: ten times what the longest of them takes."""

REDEALS_MAX: Final = 50
"""Deals of one round after which a search for an engine counts as stuck."""

_SMALL: Final = ((6, 4), (6, 4), (9, 6), (9, 8), (12, 8))
"""Sets and the most seats that a random table has; small ones more often, being quicker."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that must never happen, and how to see it again."""

    table: int
    """Number of the table, counted from 0."""
    what: str
    rules: str


@dataclass(slots=True)
class Simulated:
    """What came of many random tables."""

    tables: int = 0
    rounds: int = 0
    moves: int = 0
    stuck: int = 0
    """Rounds that did not end, or seats that were due and had no move."""
    divergent: int = 0
    """Tables that were not the same twice, or broke what must be true of a table."""
    illegal: int = 0
    """Listed moves that were refused, and refused moves that changed something."""
    crashed: int = 0
    """Tables that ended in an exception."""
    played: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many tables were played under each value of each switch."""
    troubles: list[Trouble] = field(default_factory=list)


def random_rules(entropy: Entropy) -> RuleSet:
    """Rules of any preset with any switches on top that go together."""
    presets = tuple(RULE_SETS)
    while True:
        preset = presets[below(entropy, len(presets))]
        names = [name for name in SWITCHES if name != "deal" and below(entropy, 4) == 0]
        switches = {name: _any_of(entropy, SWITCHES[name].values) for name in names}
        rules = parse_rules(preset, switches)
        if isinstance(rules, RuleSet):
            return rules


def _any_of(entropy: Entropy, values: tuple[str, ...]) -> str:
    return values[below(entropy, len(values))]


def random_spec(entropy: Entropy) -> TableSpec:
    """A table under random rules that can be played, of one to three rounds."""
    while True:
        rules = random_rules(entropy)
        pip_max, most = _SMALL[below(entropy, len(_SMALL))]
        seats = 2 + below(entropy, most - 1)
        hand = 1 + below(entropy, 7) if below(entropy, 3) else None
        spec = make_spec(rules, pip_max, seats, 1 + below(entropy, 3), hand)
        if isinstance(spec, TableSpec):
            return spec


def simulate_tables(count: int, seed: bytes, first: int = 0) -> Simulated:
    """Play so many random tables with random moves, and count what must never happen."""
    result = Simulated()
    for _ in range(count):
        simulate_table(first + result.tables, seed, result)
    return result


def simulate_table(number: int, seed: bytes, result: Simulated) -> None:
    """Play the one table that this seed has under this number, and add it to `result`.

    An exception ends the table, not the run: it is one more thing that must never happen.
    """
    entropy = seeded(seed + number.to_bytes(8, "big"))
    spec = random_spec(entropy)
    result.tables += 1
    result.played.update(settings_of(spec.rules))
    try:
        _play(spec, entropy, result)
    except _Trouble as found:
        result.troubles.append(Trouble(number, found.what, repr(spec)))
    except Exception as bug:
        result.crashed += 1
        result.troubles.append(Trouble(number, f"crashed: {bug!r}", repr(spec)))


class _Trouble(Exception):
    """Raised and caught inside this module only."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def _play(spec: TableSpec, entropy: Entropy, result: Simulated) -> None:
    table = start_game(spec, Seat(below(entropy, spec.seats)))
    redeals = 0
    while table.phase is not Phase.FINISHED:
        table, tiles = _play_round(table, deal(table, entropy), entropy, result)
        assert table.outcome is not None
        if table.outcome.ending is Ending.REDEAL:
            redeals += 1
            if redeals > REDEALS_MAX:
                return
        else:
            left = [[tiles[at] for at in held] for held in table.hands]
            table, _ = score_round(table, left)
        result.rounds += 1
        if table.phase is Phase.SCORED:
            table = next_round(table)


def _play_round(
    table: Table, tiles: dict[Position, Tile], entropy: Entropy, result: Simulated
) -> tuple[Table, dict[Position, Tile]]:
    for _ in range(MOVES_MAX):
        if table.phase in ENDED:
            return table, tiles
        _check(table, tiles, result)
        if table.phase is Phase.RESHUFFLE:
            table, tiles = reshuffle(table, tiles, entropy)
            continue
        seats = due_seats(table)
        seat = seats[below(entropy, len(seats))]
        table = _move(table, tiles, seat, entropy, result)
        for other in range(table.spec.seats):
            table = _call(table, tiles, Seat(other), entropy)
    result.stuck += 1
    raise _Trouble("the round goes on for ever")


def _move(
    table: Table, tiles: dict[Position, Tile], seat: Seat, entropy: Entropy, result: Simulated
) -> Table:
    hand = hand_of(table, tiles, seat)
    moves = legal_moves(table, hand)
    if not moves:
        result.stuck += 1
        raise _Trouble(f"seat {seat} is due in {table.phase.value} and has no move")
    move = moves[below(entropy, len(moves))]
    if why_illegal_holding(table, hand, move) is not None:
        result.illegal += 1
        raise _Trouble(f"{move} is listed and refused")
    _refuse(table, tiles, seat, result)
    result.moves += 1
    after, events = apply(table, move)
    if (after, events) != apply(table, move):
        result.divergent += 1
        raise _Trouble(f"{move} makes two different tables")
    return after


def _refuse(table: Table, tiles: dict[Position, Tile], seat: Seat, result: Simulated) -> None:
    """A pass or an end of the turn that is not listed is refused."""
    hand = hand_of(table, tiles, seat)
    listed = legal_moves(table, hand)
    other: Move
    for other in (Pass(seat), Done(seat)):
        if other not in listed and why_illegal_holding(table, hand, other) is None:
            result.illegal += 1
            raise _Trouble(f"{other} is legal and not listed")


def _call(table: Table, tiles: dict[Position, Tile], seat: Seat, entropy: Entropy) -> Table:
    """Now and then a seat calls."""
    if not table.aside.silent or seat in due_seats(table) or below(entropy, 4):
        return table
    moves = legal_moves(table, hand_of(table, tiles, seat))
    return apply(table, moves[below(entropy, len(moves))])[0] if moves else table


def _check(table: Table, tiles: dict[Position, Tile], result: Simulated) -> None:
    """Every tile of the set lies in one place, and nothing else that must hold is breached."""
    found = list(status(table))
    bits, count = table.seen, 0
    positions = [at for held in table.hands for at in held] + list(table.boneyard)
    if table.reshuffle is not None:
        back = table.reshuffle
        positions += [*back.undrawn, *(at for at, _ in back.shown), *(at for _, at in back.hidden)]
    for at in positions:
        bits |= tile_bit(tiles[at])
        count += 1
    missing = SET_BITS[table.spec.pip_max] & ~bits
    hub = table.aside.hubs[-1] if table.hub is None and table.aside.hubs else None
    if missing and missing != (tile_bit(hub) if hub is not None else 0):
        found.append("tiles are lost")
    if bits.bit_count() != count + table.seen.bit_count():
        found.append("a tile lies in two places")
    if found:
        result.divergent += 1
        raise _Trouble("; ".join(found))
