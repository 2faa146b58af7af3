"""The moves of a recorded round as lines of notation: what peers sign, as people would write it.

Who is asked for doubles one by one answers once, and what goes without saying is left out.
[docs/rules.md §11.3]
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.play.ends import chains_now
from engine.table import moves
from engine.table.moves import (
    Catch,
    Declare,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Move,
    NoDouble,
    WordMove,
)
from engine.table.table import RoundPhase, Table, joining_halves
from engine.table.turn import SeekStep, TurnStage
from engine.tiles import Tile
from engine.written.game import Action, Verb, WrittenTile
from engine.written.position import name_of

_ASKING: Final = (SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED)


class Unseen(Exception):
    """A tile that the record never opens would have to be written."""


def is_asking(table: Table) -> bool:
    """Whether seats answer for one double after the other, which people say once."""
    seek = table.aside.seek
    return table.phase is RoundPhase.ENGINE and seek is not None and seek.step in _ASKING


def written(tile: Tile, joined: int | None = None) -> WrittenTile:
    """Return a tile with the half first that joins, else the higher one."""
    first = tile.high if joined is None else joined
    return WrittenTile(first, tile.other_end(first))


@dataclass(frozen=True, slots=True)
class MoveWriter:
    """Writes the moves of one round, as far as anybody learnt what its tiles were.

    Seats in `hidden` never opened their hands: what they drew is written where it is known.
    """

    tiles: Mapping[int, Tile]
    names: tuple[str, ...]
    hidden: Collection[int] = ()

    def known(self, position: int) -> WrittenTile:
        """Return the tile of a position; raises `Unseen` if it was never shown."""
        if position not in self.tiles:
            raise Unseen
        return written(self.tiles[position])

    def actions(self, history: Sequence[tuple[Table, Move]]) -> list[Action]:
        """Write moves, each with the table it was made at; raises `Unseen`."""
        found: list[Action] = []
        at = 0
        while at < len(history):
            end = at
            while end < len(history) and is_asking(history[end][0]) and _alike(history, at, end):
                end += 1
            if end > at:
                found += self._answers([move for _, move in history[at:end]])
                at = end
            else:
                found += self._actions(*history[at])
                at += 1
        return found

    def _answers(self, answers: Sequence[Move]) -> list[Action]:
        """Write a series of questions: who laid the double, else one answer of each seat."""
        laid = next((move for move in answers if isinstance(move, LayHub | Declare)), None)
        if laid is not None:
            verb = Verb.ENGINE if isinstance(laid, LayHub) else Verb.DECLARES
            return [self._action(laid, verb, written(laid.tile))]
        last = {move.seat: move for move in answers}
        return [
            self._action(move, Verb.NONE if isinstance(move, NoDouble) else Verb.SILENT)
            for _, move in sorted(last.items())
        ]

    def _action(self, move: Move, verb: Verb, *tiles: WrittenTile) -> Action:
        return Action(self.names[move.seat], verb, tiles)

    def _actions(self, table: Table, move: Move) -> list[Action]:
        match move:
            case LayTile():
                return [self._lay(table, move)]
            case LayChain():
                return self._chain(table, move)
            case DrawTile():
                return [self._action(move, Verb.DRAW, *self._drawn(table, move.seat, 1))]
            case Catch(offender=offender):
                drawn = self._drawn(table, offender, int(table.rules.tap_penalty.value))
                name = self.names[offender]
                return [Action(self.names[move.seat], Verb.CATCHES, drawn, other=name)]
            case moves.PullBack():
                tiles, name = (self.known(move.position),), self.names[move.other]
                return [Action(self.names[move.seat], Verb.PULLS, tiles, other=name)]
            case moves.Silent() if not self._might_declare(table):
                return []
            case _:
                return [self._simple(move)]

    def _simple(
        self, move: LayHub | Declare | moves.TurnUp | moves.Discard | moves.Mark | WordMove
    ) -> Action:
        """Write a move that is a word, or a word and a tile; a call of nothing is not written."""
        match move:
            case LayHub(tile=tile):
                return self._action(move, Verb.ENGINE, written(tile))
            case Declare(tile=tile):
                return self._action(move, Verb.DECLARES, written(tile))
            case moves.TurnUp():
                shown = self.known(move.position) if move.tile is None else written(move.tile)
                return self._action(move, Verb.TURNS, shown)
            case moves.Discard():
                return self._action(move, Verb.DISCARDS, self.known(move.position))
            case moves.Mark():
                return self._action(move, Verb.OPEN if move.up else Verb.CLOSE)
            case _:
                return self._action(move, Verb(move.word))

    def _drawn(self, table: Table, drawer: int, count: int) -> tuple[WrittenTile, ...]:
        """Return what is drawn next, as far as anybody learnt what it was."""
        drawn = table.boneyard[:count]
        if drawer in self.hidden and any(position not in self.tiles for position in drawn):
            return ()
        return tuple(self.known(position) for position in drawn)

    def _lay(self, table: Table, move: LayTile) -> Action:
        """Write one tile, with the tile it hangs on where several ends would take it."""
        train = table.train(move.train) if table.has_train(move.train) else None
        under = None
        if train is not None and 0 <= move.on < len(train.lays):
            fits = {end for end in train.ends if joining_halves(table.rules, move.tile, end.pip)}
            under = written(train.lays[move.on].tile) if len(fits) > 1 else None
        tiles = (written(move.tile, move.joined),)
        name, train_name = self.names[move.seat], name_of(self.names, move.train)
        return Action(name, Verb.LAY, tiles, train_name, hangs_on=under)

    def _chain(self, table: Table, move: LayChain) -> list[Action]:
        """Write several tiles: one line for a chain, a line each for a double and its follower."""
        name = self.names[move.seat]
        tiles = tuple(written(link.tile, link.joined) for link in move.lays)
        whole = Action(name, Verb.LAY, tiles, name_of(self.names, move.train))
        if move.bullet:
            return [Action(name, Verb.BULLET), whole]
        bulleted = table.aside.bullet is not None
        chaining = table.phase is RoundPhase.OPENING_ALL or chains_now(table) or bulleted
        if chaining or table.turn.stage is TurnStage.CHAIN:
            alone = len(tiles) == 1 and len(table.hands[move.seat]) > 1
            return [whole, Action(name, Verb.DONE)] if alone else [whole]
        train, under = move.train, move.lays[0].tile
        if move.back and table.turn.doubles:
            train, on = table.turn.doubles[0]
            under = table.train(train).lays[on].tile
        double, follower = tiles
        return [
            Action(name, Verb.LAY, (double,), name_of(self.names, move.train)),
            Action(
                name, Verb.LAY, (follower,), name_of(self.names, train), hangs_on=written(under)
            ),
        ]

    def _might_declare(self, table: Table) -> bool:
        """Whether a seat keeps silent about something, and not just has seen no such double."""
        seek = table.aside.seek
        if seek is None or seek.step is not SeekStep.LOOKED:
            return True
        return self.known(seek.turned[-1][0]).tile in seek.asked


def _alike(history: Sequence[tuple[Table, Move]], at: int, end: int) -> bool:
    """Whether two moves answer one series of questions: nobody has drawn in between."""
    one, other = history[at][0], history[end][0]
    return sum(map(len, one.hands)) == sum(map(len, other.hands))
