"""A written game as the referee sees it: the table, the known tiles, and the game after a move.

The text may give only part of the hands and the boneyard; the tiles at other positions stay
unknown. `round_header` makes a `WrittenPosition` from the header of a round.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.notation.game import Verb
from engine.play.apply import apply
from engine.play.hub_outcome import reshuffled
from engine.play.hub_search import found_position
from engine.play.judge import why_illegal_written
from engine.refusals import Refusal, RefusalCode
from engine.rules.spec import rises
from engine.scoring import best_seats, hangs_on_all, round_scores, rounds_are_over, with_errors
from engine.table.moves import DrawTile, Move, Pass, shows
from engine.table.table import Hand, Outcome, PlayOver, Table
from engine.table.trains import MEXICAN, SEATS, Position, Seat, TrainId
from engine.table.turn import HighDraw, Reshuffle
from engine.tiles import Tile

Scores: TypeAlias = tuple[int | None, ...]
"""Each seat's score in a round; None where it depends on an unknown hand."""

_MEXICAN_NAME: Final = re.compile(r"mexican([1-9][0-9]?)?")


@dataclass(frozen=True, slots=True)
class WrittenPosition:
    """A written game at one moment: a table whose seats have names, and the known tiles."""

    names: tuple[str, ...]
    table: Table
    past: tuple[Scores, ...]
    """The scores of earlier rounds."""
    dealt: Mapping[str, tuple[Tile, ...]] = field(default_factory=dict)
    """The hands in the round's header, by name."""
    yard: tuple[Tile, ...] = ()
    """The boneyard in the round's header, next tile first; empty if the header gives none."""
    sizes: tuple[int, ...] = ()
    """The number of tiles dealt to each seat in this round."""
    known: Mapping[Position, Tile] = field(default_factory=dict)
    """The known tiles by position; a tile that is laid stays in it."""
    said: Mapping[Seat, Verb] = field(default_factory=dict)
    """The seats' answers for every double still to be asked for in this step."""
    bullet: Seat | None = None
    """The seat that has declared a bullet train but not laid it yet."""
    errors: tuple[int, ...] = ()
    """Each seat's number of turns in this round with a proven error that the rules let stand."""
    erred: int = -1
    """The number of the last such turn: a draw and a pass in one turn are one error."""


def with_dealt(here: WrittenPosition) -> WrittenPosition:
    """Return the position with only the tiles from the header known.

    Leave out tiles for which a hand or the boneyard has no position.
    """
    known: dict[Position, Tile] = {}
    for name, positions in zip(here.names, here.table.hands, strict=True):
        known.update(zip(positions, here.dealt.get(name, ()), strict=False))
    known.update(zip(here.table.boneyard, here.yard, strict=False))
    return replace(here, known=known)


def with_reshuffled(here: WrittenPosition) -> WrittenPosition:
    """Return the position after the reshuffle that it waits for; unchanged if it waits for none.

    The new boneyard has new positions, whose tiles are unknown. After the high draw, hands are
    dealt from it, and the tiles from the header are known again.
    """
    table, waiting = here.table, here.table.now
    if not isinstance(waiting, Reshuffle):
        return here
    back = {at for at, _ in waiting.shown} | {at for _, at in waiting.hidden}
    back |= set(waiting.undrawn)
    placed = (*back, *here.known, *(at for held in table.hands for at in held))
    first = max(placed, default=-1) + 1
    fresh = [Position(first + at) for at in range(waiting.size)]
    known = {at: tile for at, tile in here.known.items() if at not in back}
    table = reshuffled(table, fresh, here.sizes)
    here = replace(here, table=table, known=known)
    return with_dealt(here) if isinstance(waiting.since, HighDraw) else here


def known_hand(here: WrittenPosition, seat: Seat) -> Hand:
    """Return the known tiles of a hand.

    They include a known boneyard tile that the seat has just looked at, or has turned up and must
    lay.
    """
    table = here.table
    held = table.hands[seat]
    found = found_position(table)
    if found is not None and seat == table.to_move:
        held = (*held, found)
    return Hand(seat, tuple((at, here.known[at]) for at in held if at in here.known))


def unknown_count(here: WrittenPosition, seat: Seat) -> int:
    """Return the number of unknown tiles in a hand."""
    return sum(at not in here.known for at in here.table.hands[seat])


def _round_result(here: WrittenPosition, outcome: Outcome) -> Scores:
    """Return each seat's score in this round, which ended with this outcome.

    A score is None if it depends on an unknown hand.
    """
    table = here.table
    rules, seats = table.rules, SEATS[: table.spec.seats]
    hands = [[tile for _, tile in known_hand(here, seat).tiles] for seat in seats]
    unknown = [unknown_count(here, seat) > 0 for seat in seats]
    points = round_scores(rules, outcome, hands, table.game)
    if not any(unknown):
        return with_errors(points, here.errors)
    if any(here.errors) or hangs_on_all(rules, outcome):
        return (None,) * len(seats)
    if rules.partners.is_yes:
        half = len(seats) // 2
        unknown = [unknown[at % half] or unknown[at % half + half] for at in seats]
        out = None if outcome.seat is None else outcome.seat % half
        unknown = [unknown[at] and at % half != out for at in seats]
    return tuple(None if hidden else own for hidden, own in zip(unknown, points, strict=True))


def scored_rounds(here: WrittenPosition) -> tuple[Scores, ...]:
    """Return the scores of all rounds that count, in order.

    The present round is included once its play is over.
    """
    now = here.table.now
    last = (_round_result(here, now.outcome),) if isinstance(now, PlayOver) else ()
    return here.past + last


def are_rounds_over(here: WrittenPosition) -> bool:
    """Return True if no round can follow, even if more seats join.

    That is so once all rounds are played, a total has reached the target, or no double is left for
    another round. Return False during a round, and after one that is called off.
    """
    table = here.table
    if table.outcome is None or table.is_called_off:
        return False
    if rounds_are_over(table.spec, scored_rounds(here)):
        return True
    own = table.game.own
    last = table.spec.pip_max if rises(table.rules) else 0
    return table.rules.engine.has_own_double and own is not None and own.high == last


def winner_names(here: WrittenPosition) -> tuple[str, ...]:
    """Return the winners' names, `?` if unknown hands decide, or () before the end of the game.

    The game is over if no round can follow, or if only one seat is left.
    """
    table = here.table
    if table.outcome is None or (len(table.present) > 1 and not are_rounds_over(here)):
        return ()
    rounds = [known_scores(scores) for scores in scored_rounds(here)]
    if not all(rounds):
        return ("?",)
    seats = best_seats(table.rules, rounds, len(here.names), table.game.gone)
    return tuple(here.names[seat] for seat in seats)


def known_scores(scores: Scores) -> tuple[int, ...]:
    """Return these scores, of a round or of one seat, if all are known, else ()."""
    known = tuple(score for score in scores if score is not None)
    return known if len(known) == len(scores) else ()


def train_of(names: tuple[str, ...], name: str) -> TrainId:
    """Return the train that a word names, or an id that no train has if it names none.

    `mexican2` and so on name a train even if the table does not have it.
    """
    if name in names:
        return TrainId(names.index(name))
    match = _MEXICAN_NAME.fullmatch(name)
    if match is None:
        return TrainId(len(names))
    return TrainId(MEXICAN + 1 - int(match[1] or 1))


def name_of(names: tuple[str, ...], train: TrainId) -> str:
    """Return the word for a train: its owner's name, `mexican`, `mexican2`, ...

    Raise IndexError for an id of 0 or more that belongs to no seat.
    """
    if train >= 0:
        return names[train]
    return "mexican" if train == MEXICAN else f"mexican{-train}"


# ---- moves --------------------------------------------------------------------------------

Tried = tuple[WrittenPosition, Refusal | None]
"""The game after an action and None, or the unchanged game and the refusal."""

NOWHERE: Final = Position(-1)
"""A position in no hand, from which a lay is refused."""


def make_move(here: WrittenPosition, move: Move) -> Tried:
    """Return the game after a move and None, or the unchanged game and the refusal.

    Judge the move with the known part of the hand. The tiles that the move shows become known. If
    the rules let a proven error stand, make the move anyway and count the error, at most once a
    turn. [rules.md §7.9]
    """
    table = here.table
    hand = known_hand(here, move.seat)
    refusal = why_illegal_written(table, hand, move)
    errors = here.errors
    if refusal is not None:
        if not _may_err(table, move, refusal):
            return here, refusal
        if here.erred != table.turns:
            errors = tuple(count + (seat == move.seat) for seat, count in enumerate(errors))
        here = replace(here, erred=table.turns)
    known = {**here.known, **dict(shows(move))}
    after = replace(here, table=apply(table, move)[0], known=known, errors=errors)
    return with_reshuffled(after), None


def _may_err(table: Table, move: Move, refusal: Refusal) -> bool:
    """Return True if this refused move may be made, and counts as an error. [docs/rules.md §7.9]

    That is so under `strategic-error=yes` for a draw or pass that only a known tile of the hand
    forbids.
    """
    return (
        table.rules.strategic_error.is_yes
        and refusal.code is RefusalCode.PLAYABLE_TILE
        and isinstance(move, (DrawTile, Pass))
        and bool(refusal.facts)
        and why_illegal_written(table, Hand(move.seat, ()), move) is None
    )


def position_of(
    here: WrittenPosition, seat: Seat, tile: Tile, taken: Set[Position] = frozenset()
) -> Position:
    """Return the position in the seat's hand where a tile is or may be, or `NOWHERE`.

    If the place of the tile is unknown, return the first unknown position that is not in `taken`.
    Return `NOWHERE` if there is none, or if the tile is known to be elsewhere.
    """
    held = here.table.hands[seat]
    for position in held:
        if here.known.get(position) == tile:
            return position
    if tile in here.known.values():
        return NOWHERE
    unknown = (at for at in held if at not in here.known and at not in taken)
    return next(unknown, NOWHERE)
