"""A screen for a whole room: the table fills it, and a line to type stays at its foot.

prompt-toolkit uses the alternate screen, writes only changes, and redraws everything after a
resize. It restores the old screen, however the program ends. `cli.render.wall` makes the drawing;
this module keeps the facts for it. Somebody with a keyboard there can type everything that any host
or watcher can. An answer covers the table until the next key, or for a while: people may walk away
from a wall without closing it.
"""

import asyncio
import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec import structs
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import AfterInput, BeforeInput

from cli.language import say
from cli.render.cells import Canvas
from cli.render.hand import BARE, Picture
from cli.render.menu import Menu, menu_lines
from cli.render.palette import Line, ansi_text
from cli.render.wall import Wall, wall_lines
from cli.scene import CompletionContext, LobbyScene, RoundCard, Scene
from cli.screens.guest import CtrlC, TrioSide
from cli.screens.keys import bind_closing_q, can_suspend
from cli.screens.page import Page
from cli.session.endings.round_pause import CARD_S
from cli.session.frontend import EveningShown, NoticeShown, Occasion, TableShown, tell_reader
from cli.settings.look import own_glyphs, own_palette
from cli.streams import drop_closed_terminal
from cli.visible import print_line, spelt, typed, visible
from cli.wording.game_end import GameEnd
from engine.table.moves import Move
from engine.table.table import RoundPhase
from netgame.io import clock

_SAID_MAX: Final = 60
_LAST_WORDS: Final = 6
"""How many sentences are printed again on the old screen after the wall."""

_READ_S: Final = 8.0
"""The shortest time that a card stays, even if the next round has begun."""

_LAST_CARD_S: Final = 15.0
"""How long the last card stays, with everybody's tiles, before the room sees the result."""

_LOOK_S: Final = 0.25
_ANSWER_S: Final = 30.0
"""How long an answer stays after the last key."""


class WallFront:
    """The front end that fills a screen for a room, and takes lines typed at its bottom.

    Make it in a running asyncio loop, at the terminal of prompt-toolkit's `create_app_session`.
    """

    asks_back = resumable = saw_question = keeps_board = True
    has_keys = False
    seen: tuple[Move, ...] | None = None

    def __init__(self) -> None:
        self.loop = TrioSide[str]()
        self.ending = self.loop.ending
        self._wall = Wall()
        self._page = Page()
        self._card_at = -math.inf
        self._answered_at = -math.inf
        self._is_answering = False
        self._leaving = CtrlC(self.loop.push, self.loop.interrupt)
        self._beside = BARE
        self._back = ""
        self._table = b""
        self._answer = ""
        self._menu: Menu | None = None
        self._output = get_app_session().output
        self._palette = own_palette(terminal=True)
        self._glyphs = own_glyphs(self._output.encoding())
        self._line = Buffer(multiline=False, accept_handler=self._accept)
        self._line.on_text_changed += lambda _buffer: self._close()
        prompt = BufferControl(
            self._line, input_processors=[BeforeInput("> "), AfterInput(self._hint)]
        )
        rows = [Window(FormattedTextControl(self._painted)), Window(prompt, height=1)]
        self._app: Application[None] = Application(
            Layout(HSplit(rows), focused_element=prompt),
            key_bindings=self._bindings(),
            full_screen=True,
            output=self._output,
        )
        self._drawn_at = self._moment()
        self._gone = asyncio.Event()

    # ---- called by the loop ---------------------------------------------------------------

    def canvas(self) -> Canvas:
        """Return the window's size without the typed line, but at least 20 columns by 9 rows."""
        size = self._output.get_size()
        return Canvas(max(20, size.columns), max(9, size.rows - 1), self._glyphs)

    def say(self, sentence: str) -> None:
        """Show a sentence below the table until others replace it; an answer also at the prompt."""
        if self._is_answering:
            self._answer = sentence
        self._hang(said=(*self._wall.said, sentence)[-_SAID_MAX:])

    def recount(self, sentence: str) -> None:
        """Show the sentence like any other: a wall shows no times."""
        self.say(sentence)

    def ask(self, sentence: str) -> None:
        """Show a question like any other sentence."""
        self.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Cover the wall with the answer to a typed line, or with a page that replaces an old one.

        Drop all other lines: the wall shows their content anyway.
        """
        if self._is_answering or self._page.is_old:
            self._page.add(lines)
            self._app.invalidate()

    def shows_whole(self) -> bool:
        """Return False: whole trains must be shown as lines, which covers the wall."""
        return False

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next page replace the one that covers the wall; return False if none does."""
        return self._drawn_at[1] and self._page.renews(partial(self.ending.call, closed))

    def working(self, sentence: str | None) -> None:
        """Do nothing: nobody has a hand at a wall, so nobody waits for advice."""

    def tell(self, occasion: Occasion) -> None:
        """Keep the facts that the wall shows, and say what happens."""
        match occasion:
            case LobbyScene(news=news):
                self._forget_advice(occasion.view.table_id)
                self._hang(lobby=occasion)
                if news:
                    self.say(news)
            case RoundCard():
                self._card_at = clock.seconds()
                self._hang(card=occasion, end=None)
            case GameEnd():
                self._hang(end=occasion)
                tell_reader(self, occasion)
            case EveningShown():
                self._hang(evening=occasion.games)
                tell_reader(self, occasion)
            case TableShown():
                pass  # the wall shows it anyway
            case NoticeShown():
                answers, self._is_answering = self._is_answering, False
                tell_reader(self, occasion)  # a notice, such as talk, is not an answer
                self._is_answering = answers
            case _:
                tell_reader(self, occasion)

    def _forget_advice(self, table: bytes) -> None:
        """At a new table, remove the sentences said on the way to it or at the one before."""
        if table != self._table:
            self._table = table
            self._hang(said=())

    def offer(self, menu: Menu | None) -> None:
        """Cover the wall with the list, until another one is offered; None removes it."""
        self._menu = menu
        self._app.invalidate()

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Show the place and its status, but do not say that the wall only watches."""
        self._beside = beside
        status = status.removesuffix(f" | {say('you watch')}")
        lobby = self._wall.lobby
        if isinstance(place, LobbyScene):
            self._forget_advice(place.view.table_id)
        match place:
            case LobbyScene() if lobby is not None:
                lobby = replace(lobby, view=place.view, code=place.code)
                self._hang(lobby=lobby, scene=None, status=status)
            case LobbyScene():
                self._hang(lobby=place, scene=None, status=status)
            case Scene() if lobby is not None:
                self._hang(lobby=replace(lobby, code=place.code), scene=place, status=status)
            case _:
                self._hang(scene=place, status=status)

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Do nothing: nobody moves at a wall."""

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line, never None; anything shown until the next call is its answer."""
        self._is_answering, self._back = False, back
        try:
            line = await self.loop.next_line()
        finally:
            self._back = ""
        self._is_answering = True
        self._answer = ""
        self._answered_at = clock.seconds()
        self._close()
        return line

    # ---- prompt-toolkit's side ------------------------------------------------------------

    def _hang(self, **changes: object) -> None:
        """Change facts of the wall, and have it redrawn soon."""
        self._wall = structs.replace(self._wall, **changes)
        self._app.invalidate()

    def _close(self) -> None:
        """Close the open answer."""
        self._page.close()
        self._app.invalidate()

    def _turn(self, by: int) -> None:
        """Turn the page of a fresh answer, and restart the time for which it stays open."""
        if self._drawn_at[1]:
            self._page.turn(by)
            self._answered_at = clock.seconds()

    def _painted(self) -> ANSI:
        """Draw the wall as it is now."""
        self._drawn_at = seconds, is_fresh = self._moment()
        wall = structs.replace(self._wall, seconds=max(0, seconds))
        if seconds < 0:
            wall = structs.replace(wall, card=None)
        if self._menu is not None:
            wall = structs.replace(wall, page=menu_lines(self._menu, self.canvas()))
        elif is_fresh:
            wall = structs.replace(wall, page=self._page.drawn(self.canvas()))
        lines = wall_lines(wall, self.canvas())
        text = "\n".join(ansi_text(line, self._palette) for line in lines)
        return ANSI(spelt(text, self._output.encoding()))

    def _moment(self) -> tuple[int, bool]:
        """Return the facts that time changes: the countdown, and whether an answer is fresh."""
        return self._card_seconds(), clock.seconds() - self._answered_at < _ANSWER_S

    @property
    def _is_table(self) -> bool:
        """True once a table or lobby is shown, and not just a question before it."""
        return self._wall.lobby is not None or self._wall.scene is not None

    def _hint(self) -> str:
        """Return the last answer while it is fresh, else, at a table, how to get help.

        Empty while somebody types, and before a table without an answer.
        """
        known = "help tells what can be typed here; quit takes the wall down"
        hint = visible(
            (self._drawn_at[1] and self._answer) or (say(known) if self._is_table else "")
        )
        return "" if self._line.text else spelt(hint, self._output.encoding())

    def _card_seconds(self) -> int:
        """Return the seconds to the next round, or to the result of a game; -1 to show no card.

        0 at the end of a game once the countdown is over; also 0 if the next round is in play
        already, until the card has been up for eight seconds.
        """
        card, scene = self._wall.card, self._wall.scene
        if card is None or scene is None:
            return -1
        waited = clock.seconds() - self._card_at
        if card.is_last:
            left = max(0, math.ceil(_LAST_CARD_S - waited))
            return left if scene.table.phase is RoundPhase.FINISHED else -1
        is_new = scene.table.round_number != card.end.table.round_number
        if is_new and any(train.lays for train in scene.table.trains):
            return 0 if waited < _READ_S else -1
        return math.ceil(CARD_S - waited) if waited < CARD_S else -1

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        bindings.add("escape", eager=True)(lambda _event: self._go_back())
        covered = Condition(lambda: self._is_covered)
        idle = Condition(lambda: not self._line.text)
        bind_closing_q(bindings, covered, idle, self._close)
        bindings.add("pageup")(lambda _event: self._turn(-1))
        bindings.add("pagedown")(lambda _event: self._turn(1))
        bindings.add("c-d")(lambda _event: self.loop.push("quit"))
        bindings.add("c-c")(lambda _event: self._stop())
        bindings.add("c-l")(lambda event: event.app.renderer.clear())
        suspends = Condition(can_suspend)
        bindings.add("c-z", filter=suspends)(lambda event: event.app.suspend_to_background())
        return bindings

    def _go_back(self) -> None:
        """Close the answer, or else drop the typed text; else say no, or go back from a page."""
        line = self._beside.back or self._back
        if self._is_covered:
            self._close()
        elif self._line.text:
            self._line.reset()
        elif line:
            self._beside, self._back = structs.replace(self._beside, back=""), ""
            self.loop.push(line)

    @property
    def _is_covered(self) -> bool:
        return self._drawn_at[1] and bool(self._page.lines)

    def _stop(self) -> None:
        """Pass a Ctrl-C to `CtrlC.press`; show its sentence, and clear the typed line."""
        self._answered_at = clock.seconds()
        place = self._wall.scene or self._wall.lobby
        self._answer = self._leaving.press(place, resumable=self.resumable)
        self._line.reset()

    def _accept(self, line: Buffer) -> bool:
        """Take a line, and close an open answer; return False, so that the line is cleared.

        Push an empty line only as the answer to a question, or before there is a table.
        """
        self._leaving.presses = 0
        self._close()
        if (text := typed(line.text)) or self._beside.asks or not self._is_table:
            self.loop.push(text)
        return False

    async def read_lines(self) -> None:
        """Run the wall until it is taken down, and then end the loop.

        If the terminal is closed or the run is to end, only return; raise `EOFError` if the input
        ends otherwise.
        """
        try:
            await self._app.run_async(handle_sigint=False)
        except EOFError:  # nobody sees it any more
            if not (drop_closed_terminal() or self.ending.is_asked):
                raise
        else:
            self.loop.interrupt()
        finally:
            self._gone.set()

    async def print_lines(self) -> None:
        """Redraw the wall when time changes it; once it is down, print the last sentences."""
        while not self._gone.is_set():
            if self._moment() != self._drawn_at:
                self._app.invalidate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._gone.wait(), _LOOK_S)
        for sentence in self._wall.said[-_LAST_WORDS:]:
            print_line(sentence)

    def close(self) -> None:
        """Take the wall down."""
        if self._app.is_running:
            self._app.exit()
