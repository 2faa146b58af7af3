"""A screen for a whole room: the table fills it, and a line to type stays at its foot.

prompt-toolkit keeps the alternate screen, writes only what has changed, draws everything anew after
a resize, and brings back what stood there before, however the program ends. All that is drawn is
made by `cli.render.wall`; here is kept what it is made of. Whoever has a keyboard there may type
what any host or watcher may. A page that answers covers the table until the next key, or for a
while, as a wall is not to be covered because somebody has walked away.
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
"""Sentences that are told once more below what stood there before the wall."""

_READ_S: Final = 8.0
"""A card stays at least so long, though the next round has begun."""

_LAST_CARD_S: Final = 15.0
"""A room reads for so long what everybody held last, before it sees what the game came to."""

_LOOK_S: Final = 0.25
_ANSWER_S: Final = 30.0
"""How long an answer stands where nobody presses a key any more."""


class WallFront:
    """The front end that fills a screen for a room, and takes what is typed at its foot.

    Made inside a running asyncio loop, on the terminal of prompt-toolkit's `create_app_session`.
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

    # ---- what the loop asks for -----------------------------------------------------------

    def canvas(self) -> Canvas:
        """Return the window as it is now, without the line that is typed; at least 20 by 9."""
        size = self._output.get_size()
        return Canvas(max(20, size.columns), max(9, size.rows - 1), self._glyphs)

    def say(self, sentence: str) -> None:
        """Let it stand below the table, until others take its place; answers also at the prompt."""
        if self._is_answering:
            self._answer = sentence
        self._hang(said=(*self._wall.said, sentence)[-_SAID_MAX:])

    def recount(self, sentence: str) -> None:
        """Let it stand there like all others, which bear no time."""
        self.say(sentence)

    def ask(self, sentence: str) -> None:
        """Let a question stand there."""
        self.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Cover the wall with the answer to a typed line, or with a page that replaces an old one.

        All other lines are dropped: what they show hangs on the wall anyway.
        """
        if self._is_answering or self._page.is_old:
            self._page.add(lines)
            self._app.invalidate()

    def shows_whole(self) -> bool:
        """Return False: whole trains are to be shown, which covers the wall."""
        return False

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next page take the place of the one that covers the wall; False if none does."""
        return self._drawn_at[1] and self._page.renews(partial(self.ending.call, closed))

    def working(self, sentence: str | None) -> None:
        """Ignore it: nobody thinks for a wall, which holds no tiles."""

    def tell(self, occasion: Occasion) -> None:
        """Keep what the wall is made of; say what happens."""
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
                pass  # it hangs there
            case NoticeShown():
                answers, self._is_answering = self._is_answering, False
                tell_reader(self, occasion)  # what happens, such as talk, answers nothing
                self._is_answering = answers
            case _:
                tell_reader(self, occasion)

    def _forget_advice(self, table: bytes) -> None:
        """Take down what was said on the way to a table, or at the one before."""
        if table != self._table:
            self._table = table
            self._hang(said=())

    def offer(self, menu: Menu | None) -> None:
        """Cover the wall with the list, until another is offered; None takes it away."""
        self._menu = menu
        self._app.invalidate()

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Hang the place as it is now, and its status, without the words that one watches."""
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
        """Ignore it: whoever reads a wall is not asked to move."""

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line, never None; what is shown until another is awaited answers it."""
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
        """Change what hangs there; it is drawn when the moment allows."""
        self._wall = structs.replace(self._wall, **changes)
        self._app.invalidate()

    def _close(self) -> None:
        """Uncover what an answer covers."""
        self._page.close()
        self._app.invalidate()

    def _turn(self, by: int) -> None:
        """Show another page of an answer that still stands, for as long again; else do nothing."""
        if self._drawn_at[1]:
            self._page.turn(by)
            self._answered_at = clock.seconds()

    def _painted(self) -> ANSI:
        """Draw the wall as it is at this moment."""
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
        """Tell what time alone changes: the countdown, and whether an answer still stands."""
        return self._card_seconds(), clock.seconds() - self._answered_at < _ANSWER_S

    @property
    def _is_table(self) -> bool:
        """Whether a table hangs there yet, and no question before it."""
        return self._wall.lobby is not None or self._wall.scene is not None

    def _hint(self) -> str:
        """Return the last answer while it stands, else what could be typed at a table.

        Empty while somebody types, and before there is either.
        """
        known = "help tells what can be typed here; quit takes the wall down"
        hint = visible(
            (self._drawn_at[1] and self._answer) or (say(known) if self._is_table else "")
        )
        return "" if self._line.text else spelt(hint, self._output.encoding())

    def _card_seconds(self) -> int:
        """Count down to the next round, or to the end of a game; -1 if no card is to be seen.

        0 at the end of a game once the countdown is over, and for the rest of eight seconds if the
        next round is played already: a person may read the card of a round for so long.
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
        """Uncover the wall, else drop what is typed; else say no, or go back from what is read."""
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
        """Take a Ctrl-C as `CtrlC.press` does; show what it returns, and clear the typed line."""
        self._answered_at = clock.seconds()
        place = self._wall.scene or self._wall.lobby
        self._answer = self._leaving.press(place, resumable=self.resumable)
        self._line.reset()

    def _accept(self, line: Buffer) -> bool:
        """Take a line, and close what is open; False has it cleared.

        An empty line goes on only as an answer to a question, or before there is a table.
        """
        self._leaving.presses = 0
        self._close()
        if (text := typed(line.text)) or self._beside.asks or not self._is_table:
            self.loop.push(text)
        return False

    async def read_lines(self) -> None:
        """Let the wall hang until the front end or its terminal is closed; then end the loop."""
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
        """Draw the wall when time changes it; once it is down, print what was said last."""
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
