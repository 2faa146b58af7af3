"""A written game as the referee holds it: the table, and the tiles that are known.

The header of a round becomes a `Setting`, or a refusal `impossible-table` that says why not.
Hands and boneyard may be given in part: positions whose tile nobody told stay unknown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.legality import Fact, Refusal, RefusalCode
from engine.rules import RuleProblem, parse_rules
from engine.scoring import best_seats, hand_points, round_scores
from engine.spec import SpecProblem, SpecProblemCode, TableSpec, make_spec
from engine.switches import BlockedWinner
from engine.table import Ending, Hand, Phase, Table, begin_round, hub_double, round_deck
from engine.tiles import Tile
from engine.trains import MEXICAN, Position, Seat, TrainId
from engine.written import GameText, RoundText

_MEXICAN_NAME: Final = re.compile(r"mexican([1-9][0-9]?)?")


@dataclass(frozen=True, slots=True)
class Setting:
    """A table whose seats have names, and what is known of the face-down tiles."""

    names: tuple[str, ...]
    table: Table
    known: Mapping[Position, Tile]
    """Tiles of positions, for as many as were told; laid ones stay in."""
    past: tuple[tuple[int | None, ...], ...]
    """Scores of the rounds before this one; None where a hand was not known."""
    hubs: tuple[Tile, ...]
    """The doubles used so far, this round's last."""


def set_round(game: GameText, text: RoundText, before: Setting | None) -> Setting | Refusal:
    """The table a header makes, continuing the game of `before`; or why there is none."""
    past: tuple[tuple[int | None, ...], ...] = ()
    hubs: tuple[Tile, ...] = ()
    if before is None:
        spec = _spec(game, text)
        if isinstance(spec, Refusal):
            return spec
    else:
        spec = before.table.spec
        if before.table.phase is Phase.PLAY:
            return _impossible("round-not-over")
        past, hubs = scored_rounds(before), before.hubs
        if is_game_over(before):
            return _impossible("game-over")
    hub = _hub(spec, text, hubs)
    if isinstance(hub, Refusal):
        return hub
    problem = _deal_problem(spec, text, hub)
    if problem is not None:
        return problem
    return _deal(game.seats, spec, text, _first(game, text, before), hub, past, (*hubs, hub))


def _spec(game: GameText, text: RoundText) -> TableSpec | Refusal:
    rules = parse_rules(game.rules, dict(game.switches))
    if isinstance(rules, RuleProblem):
        return _impossible(rules.code.value, *rules.facts)
    seats = len(game.seats)
    spec = make_spec(rules, game.pip_max, seats, game.round_count)
    if isinstance(spec, SpecProblem) and spec.code is SpecProblemCode.DEAL_UNLISTED and text.hands:
        # Hands written down need no number; seats without one are dealt as the largest hand.
        hand = max(len(tiles) for _, tiles in text.hands)
        spec = make_spec(rules, game.pip_max, seats, game.round_count, deal=hand)
    if isinstance(spec, SpecProblem):
        return _impossible(spec.code.value, *spec.facts)
    return spec


def _hub(spec: TableSpec, text: RoundText, hubs: tuple[Tile, ...]) -> Tile | Refusal:
    """The round's double: as written, else the highest, later the next lower one."""
    if text.engine is not None:
        hub = text.engine.tile
        if not hub.is_double or hub.high > spec.pip_max:
            return _impossible("hub-no-double", ("tile", hub))
        if hub in hubs:
            return _impossible("hub-used-before", ("tile", hub))
        return hub
    below = hubs[-1].high if hubs else spec.pip_max + 1
    unused = [hub_double(spec, number) for number in range(spec.pip_max + 1)]
    unused = [double for double in unused if double not in hubs]
    return next((double for double in unused if double.high < below), unused[0])


def _first(game: GameText, text: RoundText, before: Setting | None) -> Seat:
    if text.first is not None:
        return Seat(game.seats.index(text.first))
    if before is None:
        return Seat(0)
    return Seat((before.table.first + 1) % len(game.seats))


def _deal_problem(spec: TableSpec, text: RoundText, hub: Tile) -> Refusal | None:
    tiles = [written.tile for _, hand in text.hands for written in hand]
    tiles += [written.tile for written in text.boneyard or ()]
    for at, tile in enumerate(tiles):
        if tile.high > spec.pip_max:
            return _impossible("tile-not-in-set", ("tile", tile))
        if tile == hub:
            return _impossible("hub-dealt", ("tile", tile))
        if tile in tiles[:at]:
            return _impossible("tile-twice", ("tile", tile))
    return None


def _deal(
    names: tuple[str, ...],
    spec: TableSpec,
    text: RoundText,
    first: Seat,
    hub: Tile,
    past: tuple[tuple[int | None, ...], ...],
    hubs: tuple[Tile, ...],
) -> Setting | Refusal:
    given = {name: [written.tile for written in hand] for name, hand in text.hands}
    yard = None if text.boneyard is None else [written.tile for written in text.boneyard]
    sizes = _sizes(names, spec, given, yard)
    if sizes is None:
        return _impossible("too-few-tiles")
    tiles = len(round_deck(spec, 0))
    yard_count = tiles - sum(sizes) if yard is None else len(yard)
    table = begin_round(spec, 0, first, hub, past=(), hand_sizes=sizes, boneyard_count=yard_count)
    known: dict[Position, Tile] = {}
    for name, positions in zip(names, table.hands, strict=True):
        known.update(zip(positions, given.get(name, ()), strict=False))
    known.update(zip(table.boneyard, yard or (), strict=False))
    return Setting(names, table, known, past, hubs)


def _sizes(
    names: tuple[str, ...],
    spec: TableSpec,
    given: Mapping[str, list[Tile]],
    yard: list[Tile] | None,
) -> tuple[int, ...] | None:
    """How many tiles each seat holds; None if the set does not have so many.

    With the boneyard written down, the tiles in no line are shared out evenly among the seats
    with unknown hands; else each of those holds what the deal gives. [docs/rules.md §11]
    """
    left = len(round_deck(spec, 0)) - sum(map(len, given.values())) - len(yard or ())
    unknown = [name for name in names if name not in given]
    shares = dict.fromkeys(unknown, spec.hand)
    if yard is not None and unknown:
        each, more = divmod(left, len(unknown))
        shares = {name: each + (at < more) for at, name in enumerate(unknown)}
    if left < sum(shares.values()) or min(shares.values(), default=1) < 1:
        return None
    return tuple(len(given[name]) if name in given else shares[name] for name in names)


def _impossible(problem: str, *facts: Fact) -> Refusal:
    return Refusal(RefusalCode.IMPOSSIBLE_TABLE, (("problem", problem), *facts), "rules.md §1")


def known_hand(setting: Setting, seat: Seat) -> Hand:
    """What is known of a hand."""
    held = setting.table.hands[seat]
    tiles = tuple((at, setting.known[at]) for at in held if at in setting.known)
    return Hand(seat, tiles)


def unknown_count(setting: Setting, seat: Seat) -> int:
    """How many tiles of a hand are not known."""
    return sum(at not in setting.known for at in setting.table.hands[seat])


def round_result(setting: Setting) -> tuple[int | None, ...]:
    """The score of the round by seat; None for a hand that is not known."""
    table = setting.table
    assert table.outcome is not None
    seats = [Seat(seat) for seat in range(table.spec.seats)]
    hands = [[tile for _, tile in known_hand(setting, seat).tiles] for seat in seats]
    unknown = [unknown_count(setting, seat) > 0 for seat in seats]
    if not any(unknown):
        return round_scores(table.rules, table.outcome, hands)
    if table.outcome.ending is Ending.BLOCKED and table.rules.blocked_winner is BlockedWinner.ZERO:
        return (None,) * len(seats)
    points = [hand_points(table.rules, hand) for hand in hands]
    return tuple(None if hidden else own for hidden, own in zip(unknown, points, strict=True))


def scored_rounds(setting: Setting) -> tuple[tuple[int | None, ...], ...]:
    """The scores of every round that is over."""
    if setting.table.outcome is None:
        return setting.past
    return (*setting.past, round_result(setting))


def is_game_over(setting: Setting) -> bool:
    """Whether no round follows: all are played, or no lower double is left."""
    if setting.table.outcome is None:
        return False
    return len(setting.hubs) >= setting.table.spec.rounds or setting.hubs[-1].high == 0


def winner_names(setting: Setting) -> tuple[str, ...]:
    """Who has won the game, `?` if unknown hands leave it open; empty before its end."""
    if not is_game_over(setting):
        return ()
    rounds = []
    for scores in scored_rounds(setting):
        known = [score for score in scores if score is not None]
        if len(known) < len(scores):
            return ("?",)
        rounds.append(known)
    seats = best_seats(setting.table.rules, rounds, len(setting.names))
    return tuple(setting.names[seat] for seat in seats)


def train_of(names: tuple[str, ...], name: str) -> TrainId:
    """The train a word names; for a word that names none, a number that no train has."""
    if name in names:
        return TrainId(names.index(name))
    match = _MEXICAN_NAME.fullmatch(name)
    if match is None:
        return TrainId(len(names))
    return TrainId(MEXICAN + 1 - int(match[1] or 1))


def name_of(names: tuple[str, ...], train: TrainId) -> str:
    """The word for a train: its owner's name, `mexican`, `mexican2`, ..."""
    if train >= 0:
        return names[train]
    return "mexican" if train == MEXICAN else f"mexican{-train}"
