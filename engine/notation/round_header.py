"""The header of a round: the table it makes, or the refusal. [docs/rules.md §11.1, §11.6]

Between two rounds seats may leave for good and others may join. The first round is dealt as if it
followed an imaginary one, so all rounds are dealt in the same way.
"""

import dataclasses
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.notation import position
from engine.notation.game import GameText, MustRefuse, RoundText, SeatChange, WrittenDone
from engine.notation.hub_answers import ANSWERS
from engine.play.latecomers import with_seats
from engine.play.leavers import leave, void_round
from engine.refusals import Refusal, RefusalReason, refused
from engine.rules.choose import parse_rules, spelled
from engine.rules.spec import TableSpec, make_spec, rises
from engine.table import table as tables
from engine.table.rounds import (
    begin_play,
    begin_round,
    game_on,
    round_deck,
    round_winners,
    start_game,
)
from engine.table.trains import Seat
from engine.tiles import Tile


class _Break(Struct, frozen=True, gc=False):
    """A written game between two rounds."""

    names: tuple[str, ...]
    table: tables.Table
    """The table after its last round, which was scored or called off."""
    past: tuple[position.Scores, ...]
    """The scores of all rounds that count."""


def set_round(
    game: GameText, text: RoundText, before: position.WrittenPosition | None
) -> position.WrittenPosition | Refusal:
    """Return the position at the start of the round that a header describes, or a refusal.

    `before` is the game at the end of the last round, or None for the first round. If all seats but
    one leave in the header, return the finished game and begin no round.
    """
    at = _break_before(game, text, before)
    if isinstance(at, Refusal):
        return at
    for change in text.changes:
        at = _changed(game, text, at, change)
        if isinstance(at, Refusal):
            return dataclasses.replace(at, facts=(*at.facts, ("line", change.line)))
    if len(at.table.present) == 1:
        return _left_alone(at, text)
    hub = _hub(at.table, text)
    if isinstance(hub, Refusal):
        return hub
    problem = _seat_problem(at, text) or _deal_problem(at.table.spec, text, hub)
    return problem or _deal(at, text, hub)


def _break_before(
    game: GameText, text: RoundText, before: position.WrittenPosition | None
) -> _Break | Refusal:
    if before is None:
        spec = _spec(game, text, len(game.seats))
        if isinstance(spec, Refusal):
            return spec
        return _Break(game.seats, void_round(start_game(spec, Seat(0)), ()), ())
    if before.table.phase not in tables.ENDED:
        return Refusal(RefusalReason.ROUND_NOT_OVER)
    if position.are_rounds_over(before):
        return Refusal(RefusalReason.GAME_OVER)
    table = before.table
    if isinstance(table.now, tables.PlayOver):
        table = replace(table, now=tables.Scored(table.now.outcome))
    return _Break(before.names, table, position.scored_rounds(before))


# ---- seats that leave and join --------------------------------------------------------------


def _changed(game: GameText, text: RoundText, at: _Break, change: SeatChange) -> _Break | Refusal:
    """Return the game after these seats leave or join, or a refusal. [rules.md §7.11, §7.12]"""
    here = [Seat(at.names.index(name)) for name in change.names if name in at.names]
    present = at.table.present
    wrong = [seat for seat in here if (seat in present) == change.joins]
    if wrong:
        reason = RefusalReason.SEATED_ALREADY if change.joins else RefusalReason.LEFT_ALREADY
        return refused(reason, seat=wrong[0])
    if not change.joins:
        if len(here) == len(present):
            return Refusal(RefusalReason.NOBODY_STAYS)
        return replace(at, table=leave(at.table, here))
    names = tuple(dict.fromkeys((*at.names, *change.names)))
    spec = at.table.spec
    if len(names) > len(at.names):
        larger = _spec(game, text, len(names), spec)
        if isinstance(larger, Refusal):
            return larger
        spec = larger
    return _joined(at, spec, names, here)


def _joined(at: _Break, spec: TableSpec, names: tuple[str, ...], back: list[Seat]) -> _Break:
    """Return the game with the joining seats, scored as `with_seats` scores latecomers.

    If any score so far is unknown, all scores of the joining seats are None.
    """
    told = tuple(map(position.known_scores, at.past))
    table = with_seats(replace(at.table, past=told if all(told) else ()), spec, back)
    if all(told):
        return _Break(names, replace(table, past=()), table.past)
    more = (None,) * (len(names) - len(at.names))
    past = tuple(
        (*(None if seat in back else own for seat, own in enumerate(scores)), *more)
        for scores in at.past
    )
    return _Break(names, table, past)


def _left_alone(at: _Break, text: RoundText) -> position.WrittenPosition | Refusal:
    """Return the finished game of the one seat left, or a refusal if the header sets anything.

    Also refuse a header in which nobody leaves, because the game was over before it.
    """
    if not text.changes or text.lines_of:
        return Refusal(RefusalReason.GAME_OVER)
    return position.WrittenPosition(at.names, at.table, at.past)


def _seat_problem(at: _Break, text: RoundText) -> Refusal | None:
    """Return the refusal of a header that gives a hand or the lead to a seat that has left.

    Return None for any other header.
    """
    named = [("first", text.first)] if text.first is not None else []
    named += [(f"hand {name}", name) for name, _ in text.hands]
    for key, name in named:
        seat = Seat(at.names.index(name))
        if seat not in at.table.present:
            line = dict(text.lines_of).get(key, text.line)
            return refused(RefusalReason.SEAT_HAS_LEFT, seat=seat, line=line)
    return None


# ---- rules, double and deal -----------------------------------------------------------------


def _spec(
    game: GameText, text: RoundText, seats: int, before: TableSpec | None = None
) -> TableSpec | Refusal:
    """Return the spec for this many seats, or a refusal.

    Later in a game, the set and the number of rounds are those of `before`. If the deal table has
    no number, use the size of the largest written hand.
    """
    rules = parse_rules(game.rules, spelled(dict(game.switches)))
    if isinstance(rules, Refusal):
        return rules
    pip_max = game.pip_max if before is None else before.pip_max
    rounds = game.round_count if before is None else before.rounds
    spec = make_spec(rules, pip_max, seats, rounds)
    is_unlisted = isinstance(spec, Refusal) and spec.reason is RefusalReason.DEAL_UNLISTED
    if is_unlisted and text.hands:
        # written hands need no deal table; seats without one get as many tiles as the largest
        hand = max(len(tiles) for _, tiles in text.hands)
        return make_spec(rules, pip_max, seats, rounds, deal=hand)
    return spec


def _hub(table: tables.Table, text: RoundText) -> Tile | Refusal | None:
    """Return the round's double: the one in the header, else the next one that may be used.

    The next one is lower, or higher if the rules begin with the double blank. The first round, and
    a round that is dealt again, keep their own double. After the last usable double the first one
    follows. Return None if any double may be laid. Refuse a written double that is not in the set,
    or that was used before and may not be used again.
    """
    rules, own = table.rules, table.game.own
    again = rules.engine.uses_again or rules.engine_missing.asks_lower
    doubles = [Tile(pip, pip) for pip in range(table.spec.pip_max, -1, -1)]
    if rises(rules):
        doubles.reverse()
    free = [double for double in doubles if again or double not in table.game.hubs]
    if text.engine is not None:
        hub = text.engine.tile
        if hub not in doubles:
            return refused(RefusalReason.HUB_NO_DOUBLE, tile=hub)
        return hub if hub in free else refused(RefusalReason.HUB_USED_BEFORE, tile=hub)
    if not rules.engine.has_own_double or own is None:
        return None
    if table.is_called_off:
        return own
    return next((double for double in free if doubles.index(double) > doubles.index(own)), free[0])


def _lies_in_hub(spec: TableSpec, text: RoundText) -> bool:
    """Return True if the header's double is in the hub from the start, not laid later.

    That is so if the rules set it aside, or if the text begins after the search: the header names
    the double but puts it neither in a hand nor in the boneyard, and no line is a move of the
    search.
    """
    if spec.rules.engine.is_set_aside:
        return True
    if text.engine is None or text.engine.tile in _given(text):
        return False
    actions = [line.action for line in text.lines if isinstance(line, (WrittenDone, MustRefuse))]
    return not any(action is not None and action.verb in ANSWERS for action in actions)


def _given(text: RoundText) -> list[Tile]:
    tiles = [written.tile for _, hand in text.hands for written in hand]
    return tiles + [written.tile for written in text.boneyard or ()]


def _deal_problem(spec: TableSpec, text: RoundText, hub: Tile | None) -> Refusal | None:
    tiles = _given(text)
    lies = _lies_in_hub(spec, text)
    for at, tile in enumerate(tiles):
        if tile.high > spec.pip_max:
            return refused(RefusalReason.TILE_NOT_IN_SET, tile=tile)
        if tile == hub and lies:
            return refused(RefusalReason.HUB_DEALT, tile=tile)
        if tile in tiles[:at]:
            return refused(RefusalReason.TILE_TWICE, tile=tile)
    return None


def _winner(at: _Break) -> Seat | None:
    """Return the first winner of the last round that counts, or None if there is none yet.

    If the scores of that round are not all known, return the seat that went out, or None.
    """
    if at.table.is_called_off or not at.past:
        return at.table.game.winner
    known = position.known_scores(at.past[-1])
    if not known:
        return at.table.outcome.seat if at.table.outcome else None
    return round_winners(replace(at.table, past=(known,)))[0]


def _deal(at: _Break, text: RoundText, hub: Tile | None) -> position.WrittenPosition | Refusal:
    names = at.names
    spec = at.table.spec
    game = replace(game_on(at.table), winner=_winner(at))
    given = {name: tuple(written.tile for written in hand) for name, hand in text.hands}
    yard = None if text.boneyard is None else [written.tile for written in text.boneyard]
    lies = _lies_in_hub(spec, text)
    # an excerpt may begin after the double is found, and then nobody holds it
    is_found = lies and not spec.rules.engine.is_set_aside
    tiles = len(round_deck(spec, 0)) - is_found
    dealt_in = [names[seat] for seat in at.table.present]
    sizes = _sizes(dealt_in, tiles, spec.hand, given, yard)
    if sizes is None:
        return Refusal(RefusalReason.TOO_FEW_TILES)
    sizes_of = tuple(sizes.get(name, 0) for name in names)
    first = game.lead if text.first is None else Seat(names.index(text.first))
    table = begin_round(
        spec,
        len(at.past),
        first,
        hub,
        past=(),
        hand_sizes=sizes_of,
        boneyard_count=tiles - sum(sizes_of) if yard is None else len(yard),
        led=text.first is not None or is_found,
        game=game,
    )
    if table.phase is tables.RoundPhase.ENGINE and is_found and hub is not None:
        table = begin_play(table, hub, first)
    here = position.WrittenPosition(
        names=names,
        table=table,
        past=at.past,
        dealt=given,
        yard=tuple(yard or ()),
        sizes=sizes_of,
        errors=(0,) * len(names),
    )
    return here if table.phase is tables.RoundPhase.HIGH_DRAW else position.with_dealt(here)


def _sizes(
    names: list[str],
    tiles: int,
    hand: int,
    given: Mapping[str, tuple[Tile, ...]],
    yard: list[Tile] | None,
) -> dict[str, int] | None:
    """Return the hand size of each seat that gets a hand, or None if the set has too few tiles.

    If the boneyard is written down, the seats with unknown hands share the remaining tiles evenly.
    Otherwise each of them gets a hand of the deal's size. Also return None if an unknown hand would
    be empty. [docs/rules.md §11]
    """
    left = tiles - sum(map(len, given.values())) - len(yard or ())
    unknown = [name for name in names if name not in given]
    shares = dict.fromkeys(unknown, hand)
    if yard is not None and unknown:
        each, more = divmod(left, len(unknown))
        shares = {name: each + (at < more) for at, name in enumerate(unknown)}
    if left < sum(shares.values()) or min(shares.values(), default=1) < 1:
        return None
    return {name: len(given[name]) if name in given else shares[name] for name in names}


# ---- the line of a refusal -------------------------------------------------------------------


_KEYS: Final = {
    RefusalReason.UNKNOWN_PRESET: ("rules",),
    RefusalReason.UNKNOWN_SWITCH: ("with",),
    RefusalReason.UNKNOWN_VALUE: ("with",),
    RefusalReason.CLASH: ("with", "rules"),
    RefusalReason.SET_UNKNOWN: ("set",),
    RefusalReason.SEATS_OUT_OF_RANGE: ("seats",),
    RefusalReason.PARTNER_SEATS: ("seats",),
    RefusalReason.ROUNDS_OUT_OF_RANGE: ("rounds",),
    RefusalReason.DEAL_UNLISTED: ("with", "set", "seats"),
    RefusalReason.DEAL_OUT_OF_RANGE: ("with", "set", "seats"),
    RefusalReason.HUB_NO_DOUBLE: ("engine",),
    RefusalReason.HUB_USED_BEFORE: ("engine",),
}
"""The header keys that may be at fault, the likeliest first."""


def refused_line(game: GameText, text: RoundText, refusal: Refusal) -> int:
    """Return the number of the line at fault in a refused header.

    Return its first line if no particular line is at fault.
    """
    facts = dict(refusal.facts)
    if "line" in facts:
        return int(str(facts["line"]))
    lines = {**dict(game.lines_of), **dict(text.lines_of)}
    tile = facts.get("tile")
    named = [(f"hand {name}", hand) for name, hand in text.hands]
    named.append(("boneyard", text.boneyard or ()))
    holders = [key for key, held in named if tile in [written.tile for written in held]]
    keys = _KEYS.get(refusal.reason, tuple(reversed(holders)))
    return next((lines[key] for key in keys if key in lines), text.line)
