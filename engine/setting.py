"""A written game as the referee holds it: the table, and the tiles that are known.

The header of a round becomes a `Setting`, or a refusal `impossible-table` that says why not.
Hands and boneyard may be given in part: positions whose tile nobody told stay unknown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.found import reshuffled
from engine.header import impossible
from engine.legality import Refusal
from engine.rules import RuleProblem, parse_rules
from engine.scoring import best_seats, round_scores, with_errors
from engine.seeking import found_position
from engine.spec import SpecProblem, SpecProblemCode, TableSpec, make_spec
from engine.switches import BlockedWinner, Engine, Partners
from engine.table import (
    ENDED,
    Ending,
    Hand,
    Phase,
    Table,
    begin_play,
    begin_round,
    has_own_double,
    hub_double,
    round_deck,
    round_winner,
)
from engine.tiles import Tile
from engine.trains import MEXICAN, Position, Seat, TrainId
from engine.written import Done, GameText, MustRefuse, RoundText, Verb

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
    dealt: Mapping[str, tuple[Tile, ...]]
    """The hands that the round's header gives, by name."""
    yard: tuple[Tile, ...]
    """The boneyard that the round's header gives, next one first; empty if it gives none."""
    sizes: tuple[int, ...]
    """How many tiles each seat is dealt in this round."""
    said: Mapping[Seat, Verb]
    """What seats have answered for every double that is still asked for in this step."""
    bullet: Seat | None = None
    """Who has declared a bullet train and not laid it yet."""
    errors: tuple[int, ...] = ()
    """Turns of the round in which each seat has proven errors, where rules let them stand."""
    erred: int = -1
    """The number of the last such turn: a draw and a pass in it are one error."""


def set_round(game: GameText, text: RoundText, before: Setting | None) -> Setting | Refusal:
    """The table a header makes, continuing the game of `before`; or why there is none."""
    past: tuple[tuple[int | None, ...], ...] = ()
    if before is None:
        spec = _spec(game, text)
        if isinstance(spec, Refusal):
            return spec
    else:
        spec = before.table.spec
        if before.table.phase not in ENDED:
            return impossible("round-not-over")
        past = scored_rounds(before)
        if is_game_over(before):
            return impossible("game-over")
    hub = _hub(spec, text, hubs_before(before))
    if isinstance(hub, Refusal):
        return hub
    problem = _deal_problem(spec, text, hub)
    if problem is not None:
        return problem
    return _deal(game, spec, text, before, hub, past)


def hubs_before(before: Setting | None) -> tuple[Tile, ...]:
    """The doubles of the rounds that count so far."""
    if before is None:
        return ()
    hubs = before.table.aside.hubs
    return hubs[:-1] if is_redealt(before) and has_own_double(before.table.spec) else hubs


def is_redealt(setting: Setting) -> bool:
    """Whether the round has to be dealt again."""
    outcome = setting.table.outcome
    return outcome is not None and outcome.ending is Ending.REDEAL


def _spec(game: GameText, text: RoundText) -> TableSpec | Refusal:
    rules = parse_rules(game.rules, dict(game.switches))
    if isinstance(rules, RuleProblem):
        return impossible(rules.code.value, *rules.facts)
    seats = len(game.seats)
    spec = make_spec(rules, game.pip_max, seats, game.round_count)
    if isinstance(spec, SpecProblem) and spec.code is SpecProblemCode.DEAL_UNLISTED and text.hands:
        # Hands written down need no number; seats without one are dealt as the largest hand.
        hand = max(len(tiles) for _, tiles in text.hands)
        spec = make_spec(rules, game.pip_max, seats, game.round_count, deal=hand)
    if isinstance(spec, SpecProblem):
        return impossible(spec.code.value, *spec.facts)
    return spec


def _hub(spec: TableSpec, text: RoundText, hubs: tuple[Tile, ...]) -> Tile | Refusal | None:
    """The round's double: as written, else the highest, later the next lower one.

    None where any double may be laid.
    """
    if text.engine is not None:
        hub = text.engine.tile
        if not hub.is_double or hub.high > spec.pip_max:
            return impossible("hub-no-double", ("tile", hub))
        if hub in hubs and spec.rules.engine not in _AGAIN:
            return impossible("hub-used-before", ("tile", hub))
        return hub
    if not has_own_double(spec):
        return None
    below = hubs[-1].high if hubs else spec.pip_max + 1
    unused = [hub_double(spec, number) for number in range(spec.pip_max + 1)]
    unused = [double for double in unused if double not in hubs]
    return next((double for double in unused if double.high < below), unused[0])


_AGAIN: Final = (Engine.HIGHEST_HELD, Engine.FIRST_SEAT)
"""Ways to find the double in which one may be used again."""

_SEEKING: Final = frozenset(
    {Verb.ENGINE, Verb.NONE, Verb.DECLARES, Verb.SILENT, Verb.TURNS, Verb.PULLS, Verb.DISCARDS}
)


def _lies_in_hub(spec: TableSpec, text: RoundText) -> bool:
    """Whether the header's double lies in the hub from the start, with nobody laying it.

    So where it is set aside; and in an excerpt that names it, deals it to nobody, and does not
    tell how it was found.
    """
    if spec.rules.engine is Engine.SET_ASIDE:
        return True
    if text.engine is None or text.engine.tile in _given(text):
        return False
    actions = [line.action for line in text.lines if isinstance(line, (Done, MustRefuse))]
    return not any(action is not None and action.verb in _SEEKING for action in actions)


def _given(text: RoundText) -> list[Tile]:
    tiles = [written.tile for _, hand in text.hands for written in hand]
    return tiles + [written.tile for written in text.boneyard or ()]


def _first(game: GameText, text: RoundText, before: Setting | None) -> Seat:
    if text.first is not None:
        return Seat(game.seats.index(text.first))
    if before is None:
        return Seat(0)
    lead = before.table.aside.lead
    return lead if is_redealt(before) else Seat((lead + 1) % len(game.seats))


def _deal_problem(spec: TableSpec, text: RoundText, hub: Tile | None) -> Refusal | None:
    tiles = _given(text)
    aside = _lies_in_hub(spec, text)
    for at, tile in enumerate(tiles):
        if tile.high > spec.pip_max:
            return impossible("tile-not-in-set", ("tile", tile))
        if tile == hub and aside:
            return impossible("hub-dealt", ("tile", tile))
        if tile in tiles[:at]:
            return impossible("tile-twice", ("tile", tile))
    return None


def _deal(
    game: GameText,
    spec: TableSpec,
    text: RoundText,
    before: Setting | None,
    hub: Tile | None,
    past: tuple[tuple[int | None, ...], ...],
) -> Setting | Refusal:
    names = game.seats
    given = {name: tuple(written.tile for written in hand) for name, hand in text.hands}
    yard = None if text.boneyard is None else [written.tile for written in text.boneyard]
    aside = _lies_in_hub(spec, text)
    tiles = len(round_deck(spec, 0)) - (aside and spec.rules.engine is not Engine.SET_ASIDE)
    sizes = _sizes(names, tiles, spec.hand, given, yard)
    if sizes is None:
        return impossible("too-few-tiles")
    first = _first(game, text, before)
    table = begin_round(
        spec,
        len(past),
        first,
        hub,
        past=(),
        hand_sizes=sizes,
        boneyard_count=tiles - sum(sizes) if yard is None else len(yard),
        hubs=hubs_before(before),
        winner=None if before is None else _winner_before(before),
        led=text.first is not None or (aside and spec.rules.engine is not Engine.SET_ASIDE),
    )
    if table.phase is Phase.ENGINE and aside:
        assert hub is not None
        table = begin_play(table, hub, first)
    told = tuple(yard or ())
    setting = Setting(names, table, {}, past, given, told, sizes, {}, None, (0,) * len(names))
    return setting if table.phase is Phase.HIGH_DRAW else with_dealt(setting)


def with_dealt(setting: Setting) -> Setting:
    """The setting with the tiles known that the header gives."""
    known: dict[Position, Tile] = {}
    for name, positions in zip(setting.names, setting.table.hands, strict=True):
        known.update(zip(positions, setting.dealt.get(name, ()), strict=False))
    known.update(zip(setting.table.boneyard, setting.yard, strict=False))
    return replace(setting, known=known)


def _winner_before(before: Setting) -> Seat | None:
    """Who won the round before, as far as it is known."""
    table = before.table
    if is_redealt(before):
        return table.aside.winner
    scores = scored_rounds(before)[-1]
    known = tuple(score for score in scores if score is not None)
    if len(known) < len(scores):
        return table.outcome.seat if table.outcome else None
    return round_winner(table._replace(past=(known,)))


def with_reshuffled(setting: Setting) -> Setting:
    """The setting once tiles that go back are shuffled: nobody knows their order any more."""
    table = setting.table
    assert table.reshuffle is not None
    back = {at for at, _ in table.reshuffle.shown} | {at for _, at in table.reshuffle.hidden}
    back |= set(table.reshuffle.undrawn)
    highest = max((*back, *setting.known, *(at for held in table.hands for at in held)))
    fresh = [Position(highest + 1 + at) for at in range(table.reshuffle.size)]
    dealt = table.seek is None
    known = {at: tile for at, tile in setting.known.items() if at not in back}
    table = reshuffled(table, fresh, setting.sizes)
    setting = replace(setting, table=table, known=known)
    return with_dealt(setting) if dealt else setting


def _sizes(
    names: tuple[str, ...],
    tiles: int,
    hand: int,
    given: Mapping[str, tuple[Tile, ...]],
    yard: list[Tile] | None,
) -> tuple[int, ...] | None:
    """How many tiles each seat holds; None if the set does not have so many.

    With the boneyard written down, the tiles in no line are shared out evenly among the seats
    with unknown hands; else each of those holds what the deal gives. [docs/rules.md §11]
    """
    left = tiles - sum(map(len, given.values())) - len(yard or ())
    unknown = [name for name in names if name not in given]
    shares = dict.fromkeys(unknown, hand)
    if yard is not None and unknown:
        each, more = divmod(left, len(unknown))
        shares = {name: each + (at < more) for at, name in enumerate(unknown)}
    if left < sum(shares.values()) or min(shares.values(), default=1) < 1:
        return None
    return tuple(len(given[name]) if name in given else shares[name] for name in names)


def known_hand(setting: Setting, seat: Seat) -> Hand:
    """What is known of a hand, and of the tile that the seat has just looked at or turned up."""
    table = setting.table
    held = table.hands[seat]
    found = found_position(table)
    if found is not None and seat == table.to_move:
        held = (*held, found)
    return Hand(seat, tuple((at, setting.known[at]) for at in held if at in setting.known))


def unknown_count(setting: Setting, seat: Seat) -> int:
    """How many tiles of a hand are not known."""
    return sum(at not in setting.known for at in setting.table.hands[seat])


def round_result(setting: Setting) -> tuple[int | None, ...]:
    """The score of the round by seat; None for a hand that is not known."""
    table = setting.table
    rules = table.rules
    assert table.outcome is not None
    seats = [Seat(seat) for seat in range(table.spec.seats)]
    hands = [[tile for _, tile in known_hand(setting, seat).tiles] for seat in seats]
    unknown = [unknown_count(setting, seat) > 0 for seat in seats]
    if not any(unknown):
        return with_errors(round_scores(rules, table.outcome, hands), setting.errors)
    zero = rules.blocked_winner is BlockedWinner.ZERO
    if any(setting.errors) or (table.outcome.ending is Ending.BLOCKED and zero):
        return (None,) * len(seats)
    points = round_scores(rules, table.outcome, hands)
    if rules.partners is Partners.YES:
        half = len(seats) // 2
        unknown = [unknown[at % half] or unknown[at % half + half] for at in seats]
        out = None if table.outcome.seat is None else table.outcome.seat % half
        unknown = [unknown[at] and at % half != out for at in seats]
    return tuple(None if hidden else own for hidden, own in zip(unknown, points, strict=True))


def scored_rounds(setting: Setting) -> tuple[tuple[int | None, ...], ...]:
    """The scores of every round that is over and counts."""
    if setting.table.outcome is None or is_redealt(setting):
        return setting.past
    return (*setting.past, round_result(setting))


def is_game_over(setting: Setting) -> bool:
    """Whether no round follows: all are played, or no lower double is left."""
    table = setting.table
    if table.outcome is None or is_redealt(setting):
        return False
    if len(setting.past) + 1 >= table.spec.rounds:
        return True
    return has_own_double(table.spec) and table.aside.hubs[-1].high == 0


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
