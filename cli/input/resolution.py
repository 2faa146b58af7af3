"""The trains and seats that a word can mean, and the possible results of a typed move."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct

from cli.guess import did_you_mean
from cli.input.lexer import plain_words, read_pair
from cli.input.places import MINE, OWN_TRAIN, first_that_fits, names_owed, spellings
from cli.input.readers import first_unread
from cli.language import either, joined, say, say_count
from cli.scene import Scene, calls, legal, own_train, tile_text, train_name, train_number
from cli.visible import begun_so, named_so
from engine.play.judge import why_illegal_holding
from engine.play.reach import played_trains
from engine.refusals import Refusal, RefusalCode
from engine.table.moves import Catch, DrawTile, LayChain, LayTile, Move, Pass, Tap
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile, make_tile

NOWHERE: Final = Position(-1)
"""The position of a tile that is not in hand: the rules refuse any move with it."""


class Ambiguous(Struct, frozen=True):
    """Several legal moves fit the words."""

    options: tuple[Move, ...]


class Doubtful(Struct, frozen=True):
    """Only this move is legal, but `word` fits several trains, which `names` lists."""

    move: LayTile | LayChain
    word: str
    names: tuple[str, ...]


class NotFound(Struct, frozen=True):
    """The words mean no move that can be made at this table now; the sentence `hint` says why."""

    hint: str


class NotLegal(Struct, frozen=True):
    """A move that the rules refuse, with legal moves like it in `nearest`, the most similar first.

    `nearest` is empty if it is another player's turn.
    """

    refusal: Refusal
    nearest: tuple[Move, ...]
    shut: Refusal | None = None
    """Why the named train is shut, if the refusal is only that the tile does not fit it."""


class TileByTile(Struct, frozen=True):
    """Tiles typed in one line that are separate moves of a turn, which may go on after them."""

    chain: LayChain
    """The tiles as one chain, which is not a legal move, or would end the turn."""
    lays: tuple[LayTile, ...]
    opens: bool
    """True if the tiles belong to an opening whose train goes on."""


Unplayable: TypeAlias = Ambiguous | Doubtful | NotFound | NotLegal
"""The reasons why a typed line is not a move."""

Resolved: TypeAlias = Move | TileByTile | Unplayable


class MoveIntent(Struct, frozen=True):
    """A move as it was typed, not yet checked against the rules."""

    def at_table(self, scene: Scene) -> "MoveIntent":
        """Return the intent with its words read at this table, where tiles can be told from names.

        An intent that needs no such reading returns itself. There must be a hand.
        """
        return self

    @abstractmethod
    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that is meant, with everything implied filled in, or the obstacle to it.

        Only `engine.play` decides whether a move is legal; nothing here guesses. There must be a
        hand, as `resolve` ensures.
        """


def resolve(intent: MoveIntent, scene: Scene) -> Resolved:
    """Return the move that is meant if the rules allow it, or the obstacle to it.

    Nothing is played. Returns `NotFound` for somebody without a seat or a hand.
    """
    if scene.seat is None or scene.hand is None:
        return only_watches()
    return intent.at_table(scene).resolved(scene, scene.seat)


def no_such_tile(tile: Tile, scene: Scene) -> NotFound | None:
    """Return a `NotFound` if the set has no such tile, else None."""
    pip_max = scene.table.spec.pip_max
    text = "A double-{pips} set has no {tile}."
    return NotFound(say(text, pips=pip_max, tile=tile)) if tile.high > pip_max else None


def not_to_hold(tile: Tile, scene: Scene) -> NotFound | None:
    """Return a `NotFound` if the tile is the engine, or not in this set; None if it can be held."""
    if tile == scene.table.hub:
        return NotFound(say("{tile} is the engine, in the middle.", tile=tile_text(tile)))
    return no_such_tile(tile, scene)


def judged(move: Move, scene: Scene) -> Move | NotLegal | NotFound:
    """Return the move if it can be made now, else the obstacle to it. There must be a hand.

    Return `NotLegal` if the rules refuse it, and `NotFound` for a catch that comes too late or if
    this seat cannot move yet. A call may be made out of turn.
    """
    assert scene.hand is not None
    refusal = why_illegal_holding(scene.table, scene.hand, move)
    if refusal is not None:
        return NotLegal(refusal, _nearest(refusal, move, scene))
    if isinstance(move, Tap | Catch) and move in calls(scene):
        return move
    if isinstance(move, Catch):
        return NotFound(say("Too late: their next turn comes before anybody may call again."))
    return move if scene.can_move else too_early(scene)


def only_watches() -> NotFound:
    """Return a `NotFound` that tells somebody without a seat or a hand that they only watch."""
    return NotFound(say("You only watch this table."))


def too_early(scene: Scene) -> NotFound:
    """Return a `NotFound` saying that the last move is unfinished, and who has yet to confirm."""
    names = [scene.names[seat] for seat in scene.awaited]
    if not names:
        return NotFound(say("One moment: what was played last is still on its way."))
    one = "One moment: {names} has yet to confirm the last move."
    many = "One moment: {names} have yet to confirm the last move."
    return NotFound(say_count(one, many, len(names), names=joined(names)))


def one_of(moves: Sequence[Move], otherwise: Move, scene: Scene) -> Resolved:
    """Return the only one of these legal moves, or `Ambiguous` for several; `otherwise` for none.

    A single move is passed through `judged`, which may return an obstacle instead.
    """
    if len(moves) == 1:
        return judged(moves[0], scene)
    return Ambiguous(tuple(moves)) if moves else judged(otherwise, scene)


def _nearest(refusal: Refusal, move: Move, scene: Scene) -> tuple[Move, ...]:
    """Return the legal moves, the most similar to the refused `move` first; empty out of turn.

    If a chain was refused, only lays and chains are returned. If a draw or a pass was refused
    because a tile can be played instead, only the lays of that tile are.
    """

    def distance(other: Move) -> tuple[bool, bool]:
        if not isinstance(move, LayTile) or not isinstance(other, LayTile):
            return (type(move) is not type(other), False)
        return (other.tile != move.tile, other.train != move.train)

    near = () if refusal.code is RefusalCode.NOT_YOUR_TURN else legal(scene)
    if isinstance(move, LayChain):
        near = tuple(other for other in near if isinstance(other, LayTile | LayChain))
    if isinstance(move, DrawTile | Pass):
        held = dict(refusal.facts).get("tile")  # the tile that could be played instead
        lays = (other for other in near if isinstance(other, LayTile) and other.tile == held)
        near = tuple(lays) or near
    return tuple(sorted(near, key=distance))


def position_of(tile: Tile, scene: Scene) -> Position:
    """Return the position of a tile in hand, or `NOWHERE`. There must be a hand."""
    assert scene.hand is not None
    return next((at for at, held in scene.hand.tiles if held == tile), NOWHERE)


def no_train_text(scene: Scene, text: str) -> str:
    """Return a sentence saying that no train has this name, with the nearest name or all names.

    If the text contains tiles too, only its other words are quoted. If it asks to cover a double,
    the sentence says that no double has to be covered.
    """
    text = first_unread(text)
    if names_owed(text):
        return say("No double has to be covered now.")
    names = [train_name(scene, train.id) for train in scene.table.trains]
    has_tile = any(map(read_pair, plain_words(text.split())))
    if not has_tile and (hint := did_you_mean(spellings(text)[-1], names)):
        return say("There is no train {train} here: {hint}", train=text, hint=hint)
    found = "There is no train {train} here: {names}."
    if len(text.split()) > 1:
        found = 'No train is called "{train}" here: {names}.'
    return say(found, train=text, names=", ".join(names))


def find_trains(scene: Scene, text: str) -> tuple[TrainId, ...]:
    """Return all trains that `text` can mean: by number, `m`, the owner's name or the start of one.

    They come in the order of the table; empty if there are none. A whole name wins over the start
    of another. `me`, `mine` or `my train` mean the player's own train. But a word spelled exactly
    like a player's name means that player's train, because the program writes names so in every
    play that it offers.
    """
    trains = [train.id for train in scene.table.trains]
    names = [train_name(scene, train) for train in trains]
    numbers = [train_number(train).casefold() for train in trains]

    def exactly(name: str) -> set[int]:
        found = {at for at, number in enumerate(numbers) if number == name.casefold()}
        found.update(named_so(names, name))
        if name == MINE or (name.casefold() in OWN_TRAIN and name not in names):
            found |= {at for at, train in enumerate(trains) if train == own_train(scene)}
        return found

    def begun(name: str) -> Sequence[int]:
        return () if name == MINE or name.casefold() in OWN_TRAIN else begun_so(names, name)

    found = first_that_fits(text, lambda name: sorted(exactly(name)), begun)
    return tuple(trains[at] for at in found)


def unclear_train(scene: Scene, text: str | None) -> tuple[str, ...]:
    """Return the names of the trains that `text` can mean, if they are several; else empty."""
    trains = find_places(scene, text)[0] if text is not None else ()
    return tuple(train_name(scene, train) for train in trains) if len(trains) > 1 else ()


def in_doubt(
    move: LayTile | LayChain, word: str | None, scene: Scene
) -> LayTile | LayChain | Doubtful:
    """Return the move, or `Doubtful` if the `word` that named its train fits others too."""
    names = unclear_train(scene, word)
    return move if word is None or not names else Doubtful(move, word, names)


def could_be_text(word: str, names: Sequence[str]) -> str:
    """Return a sentence saying that a word could be any of these names."""
    return say("{word} could be {choices}.", word=word, choices=either(names))


def find_places(scene: Scene, text: str | None) -> tuple[tuple[TrainId, ...], Tile | None]:
    """Return all trains that `text` can mean, and the double named after a slash: `ann/6-6`.

    There is no train if the name fits none; the double is None if none is named. Without `text`,
    returns all the trains being played on.
    """
    if text is None:
        return tuple(train.id for train in played_trains(scene.table)), None
    trains = find_trains(scene, text)
    name, slash, double = text.rpartition("/")
    pair = read_pair(plain_words([double])[0]) if slash and double and not trains else None
    return (trains, None) if pair is None else (find_trains(scene, name), make_tile(*pair))


def find_seats(scene: Scene, text: str) -> tuple[Seat, ...]:
    """Return all seats that `text` can mean: a number or a whole name, else the starts of names.

    They come in the order of the table, and numbers count from 1. Empty if no seat fits.
    """

    def exactly(name: str) -> list[int]:
        numbered = {at for at in range(len(scene.names)) if name == str(at + 1)}
        return sorted(numbered.union(named_so(scene.names, name)))

    return tuple(map(Seat, first_that_fits(text, exactly, partial(begun_so, scene.names))))
