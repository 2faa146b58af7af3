"""Tables and hands for tests of the engine."""

from engine.bots.strategy import Strategy
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RuleSet, parse_rules
from engine.rules.clashes import CLASHES
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import WildBlanks
from engine.table.moves import LayTile, Move
from engine.table.rounds import start_game
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import RoundPlayed, deal, hand_of, play_round


def companions() -> dict[tuple[str, str], dict[str, str]]:
    """Return, for each switch value that clashes with a default, switches that remove the clash."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    sides = [(one, other) for *both, _ in CLASHES for one, other in (both, both[::-1])]
    for values, others in sides:
        other = type(others[0])
        if getattr(RuleSet(), other.field) in others:
            for value in values:
                shut = {each for mine, theirs in sides if value in mine for each in theirs}
                free = next(each.value for each in other if each not in shut)
                found.setdefault((value.key, value.value), {})[other.key] = free
    return found


COMPANIONS = companions()

PIP_BITS = WildBlanks.NO.fits
"""By pip value: the bit set of every tile that shows it."""


def spec_of(pip_max: int, seats: int, rounds: int | None = None, **switches: str) -> TableSpec:
    """Return a spec of `standard` with these switches.

    The switches' names have underscores in place of hyphens.
    """
    rules = parse_rules("standard", {name.replace("_", "-"): to for name, to in switches.items()})
    assert isinstance(rules, RuleSet), rules
    spec = make_spec(rules, pip_max, seats, rounds)
    assert isinstance(spec, TableSpec), spec
    return spec


def dealt(spec: TableSpec, seed: bytes = b"deal") -> tuple[Table, dict[Position, Tile]]:
    """Return a table ready for its first move, and the tile of every position."""
    table = start_game(spec, Seat(0))
    return table, deal(table, seeded(seed))


def holder(table: Table, tiles: dict[Position, Tile]) -> Hand:
    """Return the hand of the seat to move."""
    return hand_of(table, tiles, table.to_move)


def first_lay(table: Table, tiles: dict[Position, Tile]) -> LayTile:
    """Return a legal lay of the seat to move, which must have one."""
    return next(
        move for move in legal_moves(table, holder(table, tiles)) if isinstance(move, LayTile)
    )


def played(
    spec: TableSpec, seed: bytes, *strategies: Strategy, informed: bool = False
) -> tuple[list[tuple[Table, Move]], RoundPlayed]:
    """Play a round from a seed; return its history and its end.

    The history is a list of pairs: a table, and the move made on it. The last strategy plays all
    seats that have none of their own.
    """
    entropy = seeded(seed)
    table = start_game(spec, Seat(0))
    history: list[tuple[Table, Move]] = []
    tiles = deal(table, entropy)
    rest = strategies[-1:] * (spec.seats - len(strategies))
    seated = (*strategies, *rest)
    return history, play_round(table, tiles, seated, entropy, history, informed=informed)
