"""A recorded game in notation, which the referee can read: hands open, scores as assertions.

Notation says less than the log. If seats are asked for one double after another, each seat's answer
is written once. `first` replaces the tiles turned up for the first turn. A deal in which no engine
was found is left out, and so is the silence of a seat that had nothing to declare.
[docs/rules.md §11]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Final

from msgspec import Struct

from cli.exits import CommandFailed, ExitCode
from cli.export.deals import Change, DealHistory, Departure, WrittenDeal
from cli.language import say
from cli.scene import chosen_among_ends
from engine.notation import game
from engine.notation.game import Action, Assertion, RoundText, SeatChange, Verb, WrittenTile
from engine.notation.position import name_of
from engine.play.hub_search import asks_heaviest
from engine.play.leavers import laid_double, waiting_double
from engine.play.places import chains_now
from engine.rules.choose import format_rules
from engine.scoring import totals, winners
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
    Show,
)
from engine.table.table import RoundPhase, Table
from engine.table.trains import TrainId
from engine.table.turn import EngineSearch, InChain, SeekStep
from engine.tiles import Tile
from netgame.protocol.ledger.record import Walked
from netgame.protocol.ledger.voided import standing
from netgame.protocol.state.options import Draws
from netgame.protocol.state.phases import History
from netgame.protocol.state.state import State

_ASKING: Final = (SeekStep.HEAVIEST, SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED)


class _Unseen(Exception):
    """The notation would need a tile that the record never opens."""


def notation_of(steps: Iterator[Walked]) -> str:
    """Return a recorded game in notation, hands open, with the scores as assertions.

    A round that is not over is left out, because its hands are not known. For a game that all but
    one left before the first deal, only the winner is written. Raises `CommandFailed` if there is
    nothing to write, or if a tile that went back unseen would have to be named.
    """
    state: State | None = None
    story = DealHistory()
    for step in standing(steps):
        state = step.after
        story.take(step)
    last = None if state is None else story.left_alone(state)
    if state is None or state.spec is None or not (story.deals or last is not None):
        raise CommandFailed(ExitCode.FAILED, say("No round of this game was finished."))
    names = _written_names(state)
    hides = state.options.draws is Draws.HIDDEN
    rounds = [_round_text(deal, names, hides=hides) for deal in story.deals]
    if last is not None and story.changes:
        lines = (_winner(last, names),)
        rounds.append(RoundText(lines=lines, changes=_changes(story.changes, names)))
    elif last is not None:  # the deal that was given up says who left
        rounds[-1] = replace(rounds[-1], lines=(*rounds[-1].lines, _winner(last, names)))
    preset, words = format_rules(state.spec.rules)
    switches = tuple((name, value) for name, _, value in (word.partition("=") for word in words))
    text = game.GameText(
        names[: story.seats], tuple(rounds), preset, switches, state.spec.pip_max, state.spec.rounds
    )
    return f"{_tabs_comment(state)}{text}"


def _tabs_comment(state: State) -> str:
    """Return a comment on the seats that were played in browser tabs; empty without any."""
    names = [seat.name for seat in state.seats if seat.in_tab]
    said = "# In a browser tab, by what the program said of itself:"
    return f"{said} {', '.join(names)}\n" if names else ""


def _written_names(state: State) -> tuple[str, ...]:
    """Return the seats' names, or `S1`, `S2`, … in place of all of them.

    Numbers replace the names if notation could not read one of them, or if two are alike.
    """
    names = tuple(seat.name for seat in state.seats)
    plain = all(name[:1].isalpha() and name.isalnum() and name.isascii() for name in names)
    reserved = any(name.lower().startswith("mexican") or name == "table" for name in names)
    alike = len(set(names)) < len(names)
    if plain and not reserved and not alike:
        return names
    return tuple(f"S{n}" for n in range(1, len(names) + 1))


def _changes(changes: Sequence[Change], names: Sequence[str]) -> tuple[SeatChange, ...]:
    return tuple(
        SeatChange(tuple(names[seat] for seat in each.seats), each.joins) for each in changes
    )


# ---- one deal -------------------------------------------------------------------------------


def _round_text(deal: WrittenDeal, names: tuple[str, ...], *, hides: bool) -> RoundText:
    """Return one round in notation.

    A scored round has open hands; of a round given up, only what everybody saw is written.
    With `hides`, nobody at this table can tell when a tile was drawn. Raises `CommandFailed` if a
    tile that was never shown would have to be named.
    """
    names = names[: deal.began.spec.seats]
    writer = MoveWriter(deal.tiles, names, deal.hidden)
    try:
        lines = _lines(deal, writer)
        hands = tuple(
            (names[seat], tuple(map(writer.known, positions)))
            for seat, positions in enumerate(deal.began.hands)
            if positions and (seat not in deal.hidden or deal.tiles.keys() >= {*positions})
        )
    except _Unseen:
        text = "Round {number} cannot be written down: a tile went back that was never shown."
        if hides:
            text = (
                "Round {number} cannot be written down: this table hid when each tile was drawn "
                "(draws=hidden)."
            )
        sentence = say(text, number=deal.began.round_number + 1)
        raise CommandFailed(ExitCode.FAILED, sentence) from None
    if not deal.voided:
        lines += _assertions(deal, names)
    began = deal.began
    hub = began.hub or waiting_double(began)
    return RoundText(
        first=_first(deal, names),
        engine=None if hub is None else _written(hub),
        hands=hands,
        lines=tuple(lines),
        changes=_changes(deal.changes, names),
    )


def _first(deal: WrittenDeal, names: Sequence[str]) -> str | None:
    """Return the name of the first player, or None if a heaviest tile shown in the moves decides.

    A round that was given up always names a player, because its hands are not known.
    """
    if not asks_heaviest(deal.began):
        return names[deal.began.first]
    if not deal.voided:
        return None
    shown = (move.seat for _, move in deal.history if isinstance(move, Show))
    return names[next(shown, deal.began.first)]


def _lines(deal: WrittenDeal, writer: MoveWriter) -> list[game.Line]:
    """Return the lines for moves and departures; raises `_Unseen` as `MoveWriter` does."""
    found: list[Action] = []
    begin = 0
    for departure in deal.departures:
        made = _before(deal, departure, deal.history[begin : departure.at])
        # the header of a round given up says who begins, so it needs no questions
        made = tuple(each for each in made if not (deal.voided and asks_heaviest(each[0])))
        found += writer.actions(made)
        begin = departure.at
        first, *others = (writer.names[seat] for seat in departure.seats)
        found.append(Action(first, Verb.LEAVES, together=(*others,), redeal=departure.redeal))
    found += writer.actions(deal.history[begin:])
    return [*map(game.WrittenDone, found)]


def _before(deal: WrittenDeal, departure: Departure, made: History) -> History:
    """Return the moves that counted when a seat left: all, unless a search was given up.

    In such a search the last answers do not count, because only some seats had given them. If also
    no double was shown and no hand has grown or shrunk, no move counts.
    """
    if not departure.redeal or deal.ended.hub is not None or not made:
        return made
    while made and _is_asking(made[-1][0]):
        made = made[:-1]
    shown = laid_double(deal.ended) is not None
    given = [*map(len, deal.ended.hands)] != [*map(len, deal.began.hands)]
    return made if shown or given else ()


def _assertions(deal: WrittenDeal, names: Sequence[str]) -> list[game.Line]:
    table = deal.ended
    scores = tuple(f"{name}={score}" for name, score in zip(names, table.past[-1], strict=True))
    sums = tuple(f"{name}={total}" for name, total in zip(names, totals(table), strict=True))
    lines: list[game.Line] = [Assertion("score", None, scores), Assertion("total", None, sums)]
    return lines + ([_winner(table, names)] if table.phase is RoundPhase.FINISHED else [])


def _winner(table: Table, names: Sequence[str]) -> Assertion:
    return Assertion("winner", None, tuple(names[seat] for seat in winners(table)))


# ---- its moves ------------------------------------------------------------------------------


def _is_asking(table: Table) -> bool:
    """Return True if the seats are being asked for a double, or for their heaviest tile."""
    return isinstance(table.now, EngineSearch) and table.now.step in _ASKING


def _series(table: Table) -> tuple[bool, int] | None:
    """Return a key for the series of questions that a table is in; None if it is in none.

    The next series has a different key, because somebody draws before it, or the heaviest tile is
    shown.
    """
    return (asks_heaviest(table), sum(map(len, table.hands))) if _is_asking(table) else None


def _written(tile: Tile, joined: int | None = None) -> WrittenTile:
    """Return a tile with its joining half first, or its higher half if it joins nothing."""
    first = tile.high if joined is None else joined
    return WrittenTile(first, tile.other_end(first))


class MoveWriter(Struct, frozen=True):
    """Writes the moves of one round; `tiles` are those that became known."""

    tiles: Mapping[int, Tile]
    names: tuple[str, ...]
    hidden: Collection[int] = ()
    """Seats that never opened their hands: their draws are written if they are known."""

    def known(self, position: int) -> WrittenTile:
        """Return the tile at a position; raises `_Unseen` if it was never shown."""
        try:
            return _written(self.tiles[position])
        except KeyError:
            raise _Unseen from None

    def actions(self, history: Sequence[tuple[Table, Move]]) -> list[Action]:
        """Write moves, each given with the table before it.

        A series of questions becomes the laying of the double, or the tile shown, or else one
        answer per seat. Raises `_Unseen` if a tile that was never shown would have to be named.
        """
        found: list[Action] = []
        for series, made in groupby(history, lambda each: _series(each[0])):
            if series is None:
                found += chain.from_iterable(self._actions(*each) for each in made)
            else:
                found += self._answers([move for _, move in made])
        return found

    def _answers(self, answers: Sequence[Move]) -> list[Action]:
        """Return for a series of questions the move that has a tile, or each seat's last answer."""
        laid = [self._simple(move) for move in answers if isinstance(move, LayHub | Declare | Show)]
        if laid:
            return laid[:1]
        last = {move.seat: move for move in answers}
        return [
            self._action(move, Verb.NONE if isinstance(move, NoDouble) else Verb.SILENT)
            for _, move in sorted(last.items())
        ]

    def _action(self, move: Move, verb: Verb, *tiles: WrittenTile) -> Action:
        return Action(self.names[move.seat], verb, tiles)

    def _laid(self, move: Move, train: TrainId, under: Tile | None, *tiles: WrittenTile) -> Action:
        """Write tiles laid on a train, with the tile `under` them if it has to be named."""
        name, hangs_on = name_of(self.names, train), None if under is None else _written(under)
        return Action(self.names[move.seat], Verb.LAY, tiles, name, hangs_on=hangs_on)

    def _actions(self, table: Table, move: Move) -> list[Action]:
        match move:
            case LayTile(train=train):
                # name the tile it hangs on if several ends would take it
                under = chosen_among_ends(table, move) if table.has_train(train) else None
                return [self._laid(move, train, under, _written(move.tile, move.joined))]
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
        self,
        move: LayHub | Declare | Show | moves.TurnUp | moves.Discard | moves.Mark | moves.WordMove,
    ) -> Action:
        """Write a move that is a word, or a word and a tile.

        Raises `_Unseen` if a tile turned up or put back was never shown.
        """
        match move:
            case LayHub(tile=tile):
                return self._action(move, Verb.ENGINE, _written(tile))
            case Declare(tile=tile):
                return self._action(move, Verb.DECLARES, _written(tile))
            case Show(tile=tile):
                return self._action(move, Verb.SHOWS, _written(tile))
            case moves.TurnUp():
                shown = self.known(move.position) if move.tile is None else _written(move.tile)
                return self._action(move, Verb.TURNS, shown)
            case moves.Discard():
                return self._action(move, Verb.DISCARDS, self.known(move.position))
            case moves.Mark():
                return self._action(move, Verb.OPEN if move.up else Verb.CLOSE)
            case _:
                return self._action(move, Verb(move.word))

    def _drawn(self, table: Table, drawer: int, count: int) -> tuple[WrittenTile, ...]:
        """Return the next `count` tiles of the boneyard, as `drawer` drew them.

        If one of the tiles was never shown, the result is empty for a drawer in `hidden`; for any
        other drawer this raises `_Unseen`.
        """
        drawn = table.boneyard[:count]
        if drawer in self.hidden and any(position not in self.tiles for position in drawn):
            return ()
        return tuple(self.known(position) for position in drawn)

    def _chain(self, table: Table, move: LayChain) -> list[Action]:
        """Write several tiles: one line for a chain, two lines for a double and its follower.

        `bullet` comes before a chain if the move declares it, and `done` after a chain of one tile
        that leaves others in hand.
        """
        tiles = [_written(link.tile, link.joined) for link in move.lays]
        whole = self._laid(move, move.train, None, *tiles)
        if move.bullet:
            return [self._action(move, Verb.BULLET), whole]
        bulleted = table.memory.bullet is not None
        chaining = table.phase is RoundPhase.OPENING_ALL or chains_now(table) or bulleted
        if chaining or isinstance(table.turn.stage, InChain):
            alone = len(tiles) == 1 and len(table.hands[move.seat]) > 1
            return [whole, self._action(move, Verb.DONE)] if alone else [whole]
        train, under = move.train, move.lays[0].tile
        if move.back and table.turn.doubles:
            train, on = table.turn.doubles[0]
            under = table.train(train).lays[on].tile
        double, follower = tiles
        on_double = self._laid(move, train, under, follower)
        return [self._laid(move, move.train, None, double), on_double]

    def _might_declare(self, table: Table) -> bool:
        """Return True if a seat's silence has to be written, because it might have declared.

        False only if the tile just looked at is not among the doubles asked for. Raises `_Unseen`
        if that tile was never shown.
        """
        seek = table.now
        if not isinstance(seek, EngineSearch) or seek.step is not SeekStep.LOOKED:
            return True
        return self.known(seek.turned[-1][0]).tile in seek.asked
