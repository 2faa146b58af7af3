"""The assertions of a written game, compared with the table. [docs/rules.md §11]"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.notation import position as places
from engine.notation.game import Assertion
from engine.notation.notation import parse_tile
from engine.play.due import due_seats, due_together, turn_of
from engine.play.judge import playable_tiles, why_illegal
from engine.play.legal_moves import legal_moves
from engine.play.places import open_ends
from engine.table.moves import Done, DrawTile, LayChain, LayTile, Pass, shows
from engine.table.table import CALLED_OFF, Ending, joining_halves
from engine.table.trains import Seat

_NOTHING: Final = ("-",)


def found_value(here: places.WrittenPosition, claim: Assertion) -> tuple[str, ...]:
    """Return the true value of a claim's subject, in the words of the notation.

    It is the one word `-` if there is nothing.
    """
    return _CLAIMS[claim.key][0](here, claim) or _NOTHING


def matches(claim: Assertion, found: tuple[str, ...]) -> bool:
    """Return True if a claim agrees with the value found.

    Order and orientation may differ where docs/rules.md §11 allows it. A claim without values means
    `-`, that is, nothing. A claim about ends, scores or totals need not name all of them.
    """
    return _CLAIMS[claim.key][1](claim.values or _NOTHING, found)


def _turn(here: places.WrittenPosition, _: Assertion) -> tuple[str, ...]:
    """Return the name of the seat that must act.

    Return () in a step that all seats take together, and when nobody must act.
    """
    table = here.table
    due = due_seats(table)
    return (here.names[due[0]],) if due and not due_together(table) else ()


def _public(here: places.WrittenPosition, _: Assertion) -> tuple[str, ...]:
    """Return the names of the marked trains, and of the Mexican train if the rules have one.

    The first Mexican train counts even before it is started; further ones count once started.
    """
    table = here.table
    marked = [train.id for train in table.trains if train.marker]
    mexican = [train.id for train in table.mexican_trains[:1]]
    mexican += [train.id for train in table.mexican_trains[1:] if train.started]
    return tuple(places.name_of(here.names, train) for train in (*marked, *mexican))


def _ends(here: places.WrittenPosition, claim: Assertion) -> tuple[str, ...]:
    """Return the open ends of each train that the claim names: `NAME=5,5`; `-` for a dead end.

    Return `NAME=?` for a train that is not on the table.
    """
    table = here.table
    found = []
    for word in claim.values:
        name = word.partition("=")[0]
        train = places.train_of(here.names, name)
        if not table.has_train(train):
            found.append(f"{name}=?")
            continue
        ends = [end.pip for end in table.train(train).ends]
        found.append(f"{name}=" + ",".join("-" if table.is_dead(pip) else str(pip) for pip in ends))
    return tuple(found)


def _hand(here: places.WrittenPosition, claim: Assertion) -> tuple[str, ...]:
    seat = Seat(here.names.index(str(claim.name)))
    tiles = sorted(tile for _, tile in places.known_hand(here, seat).tiles)
    return (*map(str, tiles), *("?" * places.unknown_count(here, seat)))


def _legal(here: places.WrittenPosition, claim: Assertion) -> tuple[str, ...]:
    """Return every legal lay as `TILE@TRAIN`, sorted by tile; if no lay is known, add one word.

    A chain counts as a lay of its first tile, and a bullet train is left out. The word is the first
    of `draw`, `pass` and `done` that is legal. If the hand is not fully known, the lays of tiles
    that it may hold are included, and come before the word. Return () if the seat may do none of
    these.
    """
    table = here.table
    seat = Seat(here.names.index(str(claim.name)))
    moves = legal_moves(table, places.known_hand(here, seat))
    lays = {
        (shows(move)[0][1], move.train)
        for move in moves
        if isinstance(move, LayTile) or (isinstance(move, LayChain) and not move.bullet)
    }
    kinds = {type(move) for move in moves}
    words = [kind.word for kind in (DrawTile, Pass, Done) if kind in kinds]
    words = [] if lays else words[:1]
    if places.unknown_count(here, seat):
        hidden = set(playable_tiles(table, seat)).difference(here.known.values())
        tried = (
            LayTile(seat, places.position_of(here, seat, tile), tile, end.train, end.on, joined)
            for end in open_ends(turn_of(table, seat))
            for tile in hidden
            for joined in joining_halves(table.rules, tile, end.pip)
        )
        lays |= {(move.tile, move.train) for move in tried if why_illegal(table, move) is None}
    ordered = sorted(lays, key=lambda lay: (lay[0], lay[1] < 0, abs(lay[1])))
    shown = [f"{tile}@{places.name_of(here.names, train)}" for tile, train in ordered]
    return (*shown, *words)


def _over(here: places.WrittenPosition, _: Assertion) -> tuple[str, ...]:
    """Return how the round ended, as one word: `no`, `out`, `redeal` or `blocked`.

    It is `no` before the end, `redeal` if the round was called off, and `blocked` if it ended in
    any other way without a seat going out.
    """
    outcome = here.table.outcome
    if outcome is None:
        return ("no",)
    if outcome.ending in CALLED_OFF:
        return (Ending.REDEAL.value,)
    return ((Ending.OUT if outcome.ending is Ending.OUT else Ending.BLOCKED).value,)


def _score(here: places.WrittenPosition, _: Assertion) -> tuple[str, ...]:
    if here.table.outcome is None or here.table.is_called_off:
        return ()
    return _named(here, places.scored_rounds(here)[-1])


def _total(here: places.WrittenPosition, _: Assertion) -> tuple[str, ...]:
    rounds = places.scored_rounds(here)
    totals = list[int | None]()
    for seat in range(len(here.names)):
        scores = tuple(scored[seat] for scored in rounds)
        known = places.known_scores(scores)
        totals.append(sum(known) if len(known) == len(scores) else None)
    return _named(here, tuple(totals))


def _named(here: places.WrittenPosition, scores: tuple[int | None, ...]) -> tuple[str, ...]:
    shown = ("?" if score is None else str(score) for score in scores)
    return tuple(f"{name}={score}" for name, score in zip(here.names, shown, strict=True))


def _plain(word: str) -> str:
    """Return the word with the tile in it, if any, written smaller half first.

    The tile may be the whole word or the part before `@`.
    """
    text, at, train = word.partition("@")
    written = parse_tile(text)
    return word if written is None else f"{written.tile}{at}{train}"


def _same(expected: tuple[str, ...], found: tuple[str, ...]) -> bool:
    return [*map(_plain, expected)] == [*map(_plain, found)]


def _same_in_any_order(expected: tuple[str, ...], found: tuple[str, ...]) -> bool:
    return sorted(map(_plain, expected)) == sorted(map(_plain, found))


def _same_for_named(expected: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """Return True if each name in the claim has the claimed value; ends may be in any order."""
    values = dict(_named_value(word) for word in found)
    return all(values.get(name) == value for name, value in map(_named_value, expected))


def _named_value(word: str) -> tuple[str, list[str]]:
    name, _, value = word.partition("=")
    return name, sorted(value.split(","))


_Finder: TypeAlias = Callable[[places.WrittenPosition, Assertion], tuple[str, ...]]
_Comparison: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]

_CLAIMS: Final[Mapping[str, tuple[_Finder, _Comparison]]] = {
    "turn": (_turn, _same),
    "public": (_public, _same_in_any_order),
    "ends": (_ends, _same_for_named),
    "owed": (lambda here, _: tuple(str(owed.tile) for owed in here.table.owed), _same),
    "hand": (_hand, _same_in_any_order),
    "legal": (_legal, _same_in_any_order),
    "boneyard": (lambda here, _: (str(len(here.table.boneyard)),), _same),
    "over": (_over, _same),
    "score": (_score, _same_for_named),
    "total": (_total, _same_for_named),
    "winner": (lambda here, _: places.winner_names(here), _same_in_any_order),
}
"""For each key of an assertion, the function that finds the value, and the one that compares."""
