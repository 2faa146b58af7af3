"""The front end that reads lines and prints sentences: for screen readers, pipes and files.

Without being asked, it tells what has changed, the open ends and the hand, but it shows no board,
and it never draws over anything. Input may be a terminal, a pipe or a file.
"""

import codecs
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TextIO

import trio

from cli.language import either, say
from cli.render.cells import Canvas
from cli.render.hand import BARE, Picture
from cli.render.layout import hand_groups
from cli.render.menu import Menu, menu_lines, row_lines
from cli.render.palette import Line, plain_text
from cli.scene import (
    CompletionContext,
    RoundCard,
    Scene,
    choices,
    own_train,
    place_text,
    tile_text,
    train_name,
)
from cli.screens.ending import RunEnding
from cli.session.frontend import EveningShown, Occasion, TableShown, tell_reader
from cli.settings.look import own_glyphs
from cli.streams import (
    device_encoding,
    drop_closed_terminal,
    is_terminal,
    octets_of,
    standard_input,
    standard_output,
    window,
)
from cli.visible import print_line, typed
from cli.wording.game_end import GameEnd, evening_sentences, game_sentences
from cli.wording.moves import duty_sentences, move_text, thinking_sentence
from cli.wording.round_end import card_sentences
from cli.wording.since import one_left_sentences
from engine.play.reach import played_trains
from engine.table.moves import LayTile, Move
from engine.table.trains import Train
from engine.tiles import make_tile

COLUMNS: Final = 100
"""The width of a page for a reader without a window."""

_READ_BYTES: Final = 65_536
_LINE_CHARS_MAX: Final = 4_096


def _encoding_of(descriptor: int | None) -> str:
    """Return the encoding of a terminal's lines, such as a code page on Windows; else UTF-8."""
    encoding = device_encoding(descriptor) or "utf-8"
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return "utf-8"


class LineReader:
    """A reader of lines from any file descriptor, in a thread that may be left behind.

    None means standard input. The reader does not use `sys.stdin`: a thread left behind there would
    keep its lock, and the interpreter could not end. The task that waits for a line may be
    cancelled, as when a table ends before its player has typed anything. The thread then reads on,
    and the next call gets its line. A second thread is never started beside it, because one of the
    two would swallow a line.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._read_some = octets_of(descriptor)
        self._arrived: trio.Event | None = None
        self._decoder = codecs.getincrementaldecoder(_encoding_of(descriptor))("replace")
        self._pending = ""
        self._ended = False

    async def next_line(self) -> str | None:
        """Return the next line, cleaned by `typed`, without its end; None at the end of the input.

        The input may be anything: undecodable octets are replaced, and a line is cut after 4,096
        characters.
        """
        while "\n" not in self._pending and not self._ended:
            if self._arrived is None:  # else a thread reads already
                self._arrived, token = trio.Event(), trio.lowlevel.current_trio_token()
                trio.lowlevel.start_thread_soon(partial(self._read, token), lambda _: None)
            await self._arrived.wait()
        if not self._pending:
            return None
        line, _, self._pending = self._pending.partition("\n")
        return typed(line.rstrip("\r")[:_LINE_CHARS_MAX])

    def _take(self, octets: bytes) -> None:
        self._ended = not octets
        self._pending += self._decoder.decode(octets, final=self._ended)
        if self._arrived is not None:
            self._arrived.set()
        self._arrived = None

    def _read(self, token: trio.lowlevel.TrioToken) -> None:
        try:
            octets = self._read_some(_READ_BYTES)
        except OSError:
            # a closed or unreadable descriptor is the end of the input
            octets = b""
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(self._take, octets)


class PlainFront:
    """One sentence a line, numbered choices, no cursor movement.

    Lines come from a descriptor, and go to a stream; None means the present standard input or
    output. Pages are at most `columns` wide.
    """

    saw_question = True
    keeps_board = False

    def __init__(
        self, descriptor: int | None = None, out: TextIO | None = None, columns: int = COLUMNS
    ) -> None:
        self.asks_back = is_terminal(standard_input() if descriptor is None else descriptor)
        self._out, self._columns = out, columns
        self.resumable = True
        self.has_keys = False
        self.seen: tuple[Move, ...] | None = None
        self._listed: tuple[Move, ...] = ()
        self._offered: Menu | None = None
        self._reader = LineReader(descriptor)
        self.ending = RunEnding()

    def canvas(self) -> Canvas:
        """Return a page of fixed width, narrower in a narrow window, but at least 20 columns."""
        out, columns = self._out or standard_output(), self._columns
        room = window().columns if is_terminal(out) else columns
        return Canvas(max(20, min(room, columns)), 24, own_glyphs(out.encoding))

    def say(self, sentence: str) -> None:
        """Print one sentence."""
        print_line(sentence, self._out)

    def recount(self, sentence: str) -> None:
        """Print the sentence like any other: this screen shows no times."""
        self.say(sentence)

    def ask(self, sentence: str) -> None:
        """Print a question."""
        self.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Print lines without colour."""
        for line in lines:
            print_line(plain_text(line).rstrip(), self._out)

    def shows_whole(self) -> bool:
        """Return False: this screen has no board, so whole trains must be printed."""
        return False

    def renews(self, _closed: Callable[[], None]) -> bool:
        """Return False: printed lines cannot be replaced."""
        return False

    def working(self, sentence: str | None) -> None:
        """Print the sentence if a person types here; a script waits for the answer anyway."""
        if sentence is not None and self.asks_back:
            self.say(sentence)

    def tell(self, occasion: Occasion) -> None:
        """Print sentences on the occasion; on a table, those of `table_sentences`."""
        match occasion:
            case TableShown(scene, picture):
                if scene.can_move:
                    self._listed = choices(scene)
                sentences = table_sentences(scene, picture)
            case RoundCard():
                sentences = card_sentences(occasion)
            case GameEnd():
                sentences = game_sentences(occasion)
            case EveningShown(games):
                sentences = evening_sentences(games)
            case _:
                tell_reader(self, occasion)
                return
        for sentence in sentences:
            self.say(sentence)

    def offer(self, menu: Menu | None) -> None:
        """Print a numbered list; if it only changes the last one, print just the new rows.

        An unchanged list is printed whole again. None prints nothing, and makes the next list print
        whole.
        """
        before, self._offered = self._offered, menu
        if menu is None:
            return
        told = before.rows if before is not None and before.head == menu.head else ()
        new = tuple(row for row in menu.rows if row not in told)
        if told and menu != before:
            self.show(row_lines(new, self.canvas()))
        else:
            self.show(menu_lines(menu, self.canvas()))

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Do nothing: there is no status line here."""

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Say how long the turn has taken, but only the `first` time."""
        if seconds is not None and first:
            self.say(thinking_sentence(seconds))

    async def next_line(self, _back: str = "") -> str | None:
        """Return the next line of the input; None at its end.

        Set `seen` to the list printed last, or None if the input is not a terminal.
        """
        line = await self._reader.next_line()
        if line is None:
            drop_closed_terminal()
        self.seen = self._listed if self.asks_back else None
        return line


def table_sentences(scene: Scene, picture: Picture) -> tuple[str, ...]:
    """Return sentences on the ends, the hand, others with one tile, and the plan.

    Without a plan, a train that could be planned may be named. If it is the player's turn, the last
    sentence names the duties and the choices.
    """
    ends = "; ".join(_end_text(scene, train) for train in played_trains(scene.table))
    held = hand_groups(scene, picture.layout)
    tiles = " | ".join(" ".join(tile_text(make_tile(*p), p[0]) for p in each) for each in held)
    count = sum(map(len, held))
    hand = (say("You hold {count}: {tiles}.", count=count, tiles=tiles),) if held else ()
    turn = (_turn_text(scene),) if scene.can_move else ()
    left = one_left_sentences(scene)
    return (say("Ends: {ends}.", ends=ends), *hand, *left, *picture.notes, *turn)


def _turn_text(scene: Scene) -> str:
    said = [say("Your turn."), *duty_sentences(scene)]
    listed = [f"{at}, {_choice_text(scene, move)}" for at, move in enumerate(choices(scene), 1)]
    if listed:
        said.append(say("You can play: {moves}. Type a number, or help.", moves="; ".join(listed)))
    return " ".join(said)


def _end_text(scene: Scene, train: Train) -> str:
    """Return the pips that a train takes, who may play on it, and whether it is dead."""
    pips = dict.fromkeys(end.pip for end in train.ends)
    takes = either([*map(str, pips)]) or say("nothing")
    is_own = train.id == own_train(scene)
    notes = []
    if not train.is_mexican and (train.marker or not is_own):
        public = "open to all" if is_own else "open"
        notes.append(say(public if train.marker else "private"))
    if train.lays and all(map(scene.table.is_dead, pips)):
        notes.append(say("no tile is left for it"))
    whose = say("yours") if is_own else train_name(scene, train.id)
    return f"{whose} {takes} ({', '.join(notes)})" if notes else f"{whose} {takes}"


def _choice_text(scene: Scene, move: Move) -> str:
    if not isinstance(move, LayTile):
        return move_text(scene, move)
    tile = tile_text(move.tile, move.joined)
    return say("{tile} on {train}", tile=tile, train=place_text(scene, move))
