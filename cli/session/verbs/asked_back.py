"""A line that only names a place or a tile: an answer to the program's question, or half a play.

`mine`, `root`, `the mexican one` or `m` answers `4-9 could be 4-9 Root or 4-9 Mexican`. Without a
question, the name of a place asks what can be played there.
"""

from collections.abc import Sequence

from cli.input.chains import chain_meant
from cli.input.lexer import Words, plain, plain_words, read_pair
from cli.input.readers import begins_tile
from cli.input.resolution import (
    Ambiguous,
    MoveIntent,
    NotFound,
    NotLegal,
    Resolved,
    find_places,
    find_seats,
    one_of,
)
from cli.language import means_yes, say
from cli.scene import Scene, hangs_on, lays, train_name
from cli.session.verbs.play import Play, TileReading, read_move
from cli.session.verbs.table import begins_command, names_command
from cli.wording.events import on_train
from engine.refusals import RefusalCode
from engine.table.moves import Catch, LayChain, LayTile, Move
from engine.table.trains import Seat, TrainId
from engine.tiles import make_tile


class OneAsked(MoveIntent, frozen=True):
    """An answer to the question of which move was meant; `fitting` are the moves it can mean."""

    fitting: tuple[Move, ...]

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the only move, `Ambiguous` for several, or why that move cannot be made now."""
        first, *more = self.fitting
        if isinstance(first, LayChain) and not more:
            return chain_meant(first, scene)
        return one_of(self.fitting, self.fitting[0], scene)


class OnPlace(MoveIntent, frozen=True):
    """Play on the train of this name; no tile was named."""

    name: str

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return every lay there as `Ambiguous`, even a single one, since no tile was named.

        If there is none, `NotFound` or `NotLegal` says why.
        """
        trains, _ = find_places(scene, self.name)
        there = tuple(lay for lay in lays(scene) if lay.train in trains)
        if there:
            return Ambiguous(there)
        if not scene.can_move:
            return NotFound(say("It is not your turn."))
        if (shut := _why_shut(scene, seat, trains[0])) is not None:
            return shut
        places = on_train(scene, trains[0])
        return NotFound(say("You hold nothing that you can play {place}.", place=places))


def _why_shut(scene: Scene, seat: Seat, train: TrainId) -> NotLegal | None:
    """Return the refusal by a rule that closes a train to the player; None if no rule does."""
    assert scene.hand is not None
    typed = Play(tuple(TileReading((tile.high, tile.low), train_name(scene, train))
                       for _, tile in scene.hand.tiles))  # fmt: skip
    found = typed.resolved(scene, seat) if typed.readings else None
    if not isinstance(found, NotLegal):
        return None
    shut = (RefusalCode.TRAIN_CLOSED, RefusalCode.OWN_TRAIN_FIRST, RefusalCode.OWED_DOUBLE)
    why = found.shut or found.refusal
    return NotLegal(why, found.nearest) if why.code in shut else None


def read_answer(line: str, asked: Sequence[Move], scene: Scene | None) -> MoveIntent | None:
    """Read a line that only names a place, or a place and then a tile; else return None.

    If the last line was unclear, `asked` has the moves that it could mean. A line that fits some of
    them chooses among them; such a line may also name a player or a tile, or be a yes. A line that
    begins with a whole command is never an answer, and one that begins with part of a command only
    if it fits. A line that ends with a question mark chooses nothing. Without a hand, return None.
    """
    words = plain_words(line.lstrip("\ufeff").split())
    if scene is None or scene.hand is None or not words or names_command(line):
        return None
    asks = plain(line).rstrip().endswith("?")  # a question plays nothing
    fitting = () if asks else _fitting(words, asked, scene)
    if fitting:
        return OneAsked(fitting)
    if begins_tile(words[0]) or begins_command(line):
        return None
    *before, last = words
    if not asks and before and read_pair(last) and find_places(scene, " ".join(before))[0]:
        play = read_move([last, *before])
        return play if isinstance(play, MoveIntent) else None
    name = " ".join(words)
    return OnPlace(name) if find_places(scene, name)[0] else None


def _fitting(words: Words, asked: Sequence[Move], scene: Scene) -> tuple[Move, ...]:
    """Return the `asked` moves that fit the words, which name a place, a player or a tile.

    A tile fits only if just one move plays it, and a yes only if `asked` has just one move.
    """
    if len(asked) == 1 and means_yes(" ".join(words).casefold()):
        return tuple(asked)
    if begins_tile(words[0]):
        play = read_move(words)
        if not isinstance(play, Play) or any(each.train for each in play.readings):
            return ()
        tiles = {make_tile(*each.pips) for each in play.readings}
        left = tuple(each for each in asked if isinstance(each, LayTile) and each.tile in tiles)
        return left if len(left) == 1 else ()
    name = " ".join(words)
    (trains, double), seats = find_places(scene, name), find_seats(scene, name)

    def fits(move: Move) -> bool:
        if isinstance(move, LayTile):
            on_double = double is None or hangs_on(scene.table, move) == double
            return move.train in trains and on_double
        if isinstance(move, LayChain):
            return move.train in trains
        return isinstance(move, Catch) and move.offender in seats

    return tuple(filter(fits, asked))
