"""A terminal with a table that stays in place, completion, history and a status line.

prompt-toolkit runs in asyncio, and everything else in trio. asyncio hosts trio as its guest in the
same thread, so nothing here needs a lock.

    asyncio: prompt --line--> trio: loop --lines to print--> asyncio: printer
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import structs
from prompt_toolkit import PromptSession
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.key_binding.key_bindings import KeyBindingsBase
from prompt_toolkit.keys import Keys

from cli.language import say
from cli.render.cells import Canvas, clip, hang, text_cells, wrap_words
from cli.render.hand import BARE, Picture, turn_lines
from cli.render.menu import Menu
from cli.render.palette import Line, Paint, Span, ansi_text, hued
from cli.render.status import status_line
from cli.scene import CompletionContext, LobbyScene, RoundCard, Scene, choices
from cli.screens.attention import Attention, own_calls
from cli.screens.guest import CtrlC, TrioSide
from cli.screens.keys import EscapeKey, LegalMoves, can_suspend, keys_before_typing
from cli.screens.overlay import Overlay
from cli.screens.region import Region
from cli.screens.scroll import Scroll, depth_of, erase_without_history, typed_rows_max
from cli.screens.talk import Block
from cli.session.frontend import REDRAW, EveningShown, Occasion, TableShown, page_lines, tell_reader
from cli.settings.chosen import chosen
from cli.settings.declared import MOUSE, REDUCED_MOTION, TIMES, Bell
from cli.settings.look import own_glyphs, own_palette
from cli.settings.place import ENVIRONMENT
from cli.streams import drop_closed_terminal
from cli.visible import spelt, typed, visible
from cli.wording.game_end import GameEnd
from cli.wording.moves import thinking_text
from engine.table.moves import Move
from netgame.io import clock

_PROMPT: Final = "boneyard> "
_HELP: Final = "help"
_BOARD_KEY: Final = "f2"
_TABLE_KEYS: Final = "Tab moves  F1 help  F2 board "
_LOBBY_KEYS: Final = "F1 help  F2 table "
_MENU_KEYS: Final = "Up Down Enter  F1 help "
_MENU_ROWS: Final = 6
_SEEN_S: Final = 1.0
"""How long a move is highlighted on the board."""

_SPOKEN_MAX: Final = 50
"""The most sentences kept to show below a table; no window has more rows for them."""

_PASTED_MAX: Final = 1000
"""The most lines of a paste that wait for their turn; nobody types more."""


class _Shown(NamedTuple):
    """The list of plays on the screen, and the number of questions asked so far."""

    plays: tuple[Move, ...] = ()
    questions: int = 0


class TerminalFront:
    """The front end at the terminal of `create_app_session`; make it in a running asyncio loop."""

    asks_back = resumable = has_keys = True

    def __init__(self) -> None:
        self.place: CompletionContext = None
        self.seen: tuple[Move, ...] | None = ()
        self.saw_question = True
        self._beside = BARE
        self._back = ""
        self._asked = ""  # the line or key whose answer may be open
        self._answers = False  # the loop is carrying out a line, so sentences may be answers
        self.loop = TrioSide[tuple[str, _Shown]]()
        self.ending = self.loop.ending
        self._status = ""
        output = get_app_session().output
        output.enable_cpr = False  # type: ignore[attr-defined]
        erase_without_history(output)
        self._palette = own_palette(terminal=True, depth=depth_of(output))
        self._glyphs = own_glyphs(output.encoding())
        self._stamp = "%H:%M " if chosen(TIMES) else ""
        self._waiting: list[Block] = []
        self._spoken = deque[Block](maxlen=_SPOKEN_MAX)  # the sentences since the last page
        self._pasted: list[str] = []
        self._told = _Shown()  # everything told, whether drawn already or not
        self._on_screen = _Shown()  # what the person can see now
        self._begun = _Shown()  # what they saw when they began their line
        self._printed = asyncio.Event()  # set when there is something to print
        self._closing = False
        self._attention = Attention(self._emit, ENVIRONMENT.get(), clock.seconds, own_calls())
        self._thinking = ""
        self._leaving = CtrlC(self.push, self.loop.interrupt)
        self._drawn: tuple[Line, ...] = ()
        self._fading = asyncio.get_running_loop().call_soon(lambda: None)
        self.above = Overlay(self._make_room)
        self._region = Region(is_off=chosen(REDUCED_MOTION))
        self.keeps_board = not self._region.is_off
        wanted = chosen(MOUSE)
        self._session: PromptSession[str] = PromptSession(
            _PROMPT,
            completer=LegalMoves(self.above, lambda: self.place),
            complete_while_typing=False,
            reserve_space_for_menu=_MENU_ROWS,
            erase_when_done=True,
            placeholder=self._placeholder,
            key_bindings=self._bindings(),
            enable_suspend=can_suspend(),
            mouse_support=Condition(
                lambda: wanted and self._region.heeds_mouse and not self.above.stands
            ),
            output=output,
        )
        self._session.default_buffer.on_text_changed += self._text_changed
        self._session.default_buffer.accept_handler = self._accept
        self._scroll = Scroll(self._session.app, self._palette, self._height)
        self._scroll.lay_out(
            self._above_prompt, self._toolbar, lambda: max(_MENU_ROWS, self._region.free_rows)
        )

    def _typed_rows(self) -> int:
        """Count the visible rows of the typed line."""
        window = self._window()
        rows = 1 + (len(_PROMPT) + text_cells(self._typing())) // window.columns
        return min(rows, typed_rows_max(window.rows))

    def _height(self) -> int:
        """Count the rows of table, answer, prompt and status line; 0 without a table or answer."""
        if self.above.stands or not (self._region.scene is not None or self._region.is_covered):
            return 0
        typed = self._typed_rows()
        return len(self._region.lines(self._window(), typed)) + typed + 1

    # ---- called by the loop ---------------------------------------------------------------

    def canvas(self) -> Canvas:
        """Return the window's present size, but at least 20 columns and 10 rows for a page."""
        window = self._window()
        return structs.replace(window, columns=max(20, window.columns), rows=max(10, window.rows))

    def _window(self) -> Canvas:
        size = self._session.output.get_size()
        return Canvas(size.columns, size.rows, self._glyphs)

    def say(self, sentence: str) -> None:
        """Print one sentence, wrapped, with the time if the player wants it.

        During a round, show an answer like a page if the rows below the table cannot hold it.
        """
        self._say(clock.local_now(self._stamp), sentence)

    def recount(self, sentence: str) -> None:
        """Print one sentence, with blanks in place of the time."""
        self._say(" " * len(clock.local_now(self._stamp)), sentence)

    def _say(self, clock: str, sentence: str) -> None:
        names = self.place.names if isinstance(self.place, Scene) else ()

        def wrapped() -> Sequence[Line]:
            lines = wrap_words(sentence, self.canvas().columns - len(clock))
            return hang(Span(clock, Paint.DIM), hued(lines, names))

        if self._answers and self._region.hides(len(wrapped())):
            self.show(wrapped())
        else:
            self._speak(wrapped)

    def ask(self, sentence: str) -> None:
        """Show a question at the prompt, or print it; a line begun earlier does not answer it."""
        self._told = self._told._replace(questions=self._told.questions + 1)
        if self._region.ask(sentence):
            self._session.app.invalidate()
        else:
            self.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines as an answer that Esc closes, or print them if the region takes none."""
        if self._region.answer(lines, self._window()):
            self._session.app.invalidate()
        else:
            self._print(lambda: lines)

    def shows_whole(self) -> bool:
        """Show in full the trains that the table cuts short; return False without a table."""
        self._session.app.invalidate()
        return self._region.show_whole(self._window(), self._typed_rows())

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next answer replace an open one; return False if there is none to replace."""
        return self._region.renews(partial(self.ending.call, closed))

    def working(self, sentence: str | None) -> None:
        """Show the sentence in the answer's place until None comes; without a table, say it."""
        lines = () if sentence is None else self.canvas().prose(sentence, paint=Paint.DIM)
        if self._region.awaits(lines):
            self._session.app.invalidate()
        elif sentence is not None:
            self.say(sentence)

    def _print(self, page: Block) -> None:
        """Keep a page for `print_lines`, which prints it above the prompt."""
        self._speak(page)
        self._spoken.clear()

    def _speak(self, sentence: Block) -> None:
        """Keep a sentence for `print_lines`, which shows it below the table during a round."""
        self._spoken.append(sentence)
        self._waiting.append(sentence)
        self._printed.set()

    def tell(self, occasion: Occasion) -> None:
        """Pass an occasion to `Attention`, then tell it, unless the region draws it anyway."""
        self._attention.take(occasion)
        match occasion:
            case TableShown(scene, picture):
                if self._region.is_off:
                    self._told = self._told._replace(plays=choices(scene))
                    self.show(turn_lines(scene, self.canvas(), picture))
            case RoundCard() | GameEnd():
                self._see(occasion.scene)
                self._print(partial(page_lines, self, occasion))
            case EveningShown() | LobbyScene(news="") if not self._region.is_covered:
                self._print(partial(page_lines, self, occasion))
            case _:
                tell_reader(self, occasion)

    def _emit(self, codes: str) -> None:
        """Write control codes to the terminal."""
        self._session.output.write_raw(codes)
        self._session.output.flush()

    def offer(self, menu: Menu | None) -> None:
        """Draw the list above the prompt, where arrows move and Enter chooses; None removes it."""
        self.above.offer(menu)

    def _make_room(self) -> None:
        """Let the list of Tab cover what is above the prompt, or reserve rows below the prompt."""
        stands = self.above.stands or self._region.scene is not None
        self._session.reserve_space_for_menu = 0 if stands else _MENU_ROWS
        self._session.app.invalidate()

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Take the new place, status line and picture, and redraw."""
        self.place = place
        self._status = status
        self._beside = beside
        self._attention.place_is(place)
        if self._see(place, beside):
            self._fading.cancel()
            self._fading = asyncio.get_running_loop().call_later(_SEEN_S, self._fade)
        self._make_room()

    def _see(self, place: CompletionContext, beside: Picture = BARE) -> bool:
        """Have the region draw this place and picture; return True if a train has grown.

        When a round begins, the latest sentences move below its table; when it is over, they scroll
        away above the board.
        """
        was_played = self._region.is_played
        has_grown = self._region.scene_is(place, beside)
        begins = self._region.is_played and not was_played and not self.above.stands
        if self._region.is_left_talking:
            self._scroll.leave_pushed()
        self._pass_by(self._scroll.take_back(self._spoken) if begins else ())
        return has_grown

    def _fade(self) -> None:
        self._region.fade()
        self._session.app.invalidate()

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Show the length of the turn in the status line, or nothing for None; ring if `first`."""
        self._thinking = "" if seconds is None else f" | {thinking_text(seconds)}"
        if first:
            self._attention.ring(Bell.TURN, Bell.ALL)
        self._session.app.invalidate()

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line, never None, and set `seen` and `saw_question` for that line.

        Until then Esc types the line `back`. The end of the input counts as the line `quit`.
        """
        self._back, self._answers = back, False
        try:
            line, seen = await self.loop.next_line()
        finally:
            self._back, self._answers = "", True
        self.seen, self.saw_question = seen.plays, seen.questions == self._told.questions
        return line

    # ---- prompt-toolkit's side ------------------------------------------------------------

    def _above_prompt(self) -> tuple[Line, ...]:
        """Return the lines above the prompt: a menu, a picture or the table."""
        lines = self.above.lines(self.canvas())
        lines = lines or self._region.lines(self._window(), self._typed_rows())
        if lines is not self._drawn:
            self._drawn = lines
            self._note_drawn()
        return lines

    def _note_drawn(self) -> None:
        """Note the question that is on the screen, and the plays unless an answer covers them."""
        if self._region.asks:
            self._on_screen = self._on_screen._replace(questions=self._told.questions)
        if self._region.scene is not None and not self._region.is_covered:
            plays = choices(self._region.scene)
            self._told = self._told._replace(plays=plays)
            self._on_screen = self._on_screen._replace(plays=plays)

    def _toolbar(self) -> FormattedText:
        at_table = _TABLE_KEYS if isinstance(self.place, Scene) else _LOBBY_KEYS
        known = say(_MENU_KEYS if self.above.menu else at_table if self.place else "")
        card = f"{say('press Enter')} | " if self._region.is_covered else ""
        told = visible(f"{self._status.removeprefix(card)}{self._thinking}")
        encoding = self._session.output.encoding()
        line = status_line(spelt(told, encoding), spelt(known, encoding), self._window())
        return FormattedText([("", line)])

    def _placeholder(self) -> AnyFormattedText:
        """Return the dim text that says what Enter or Tab does at an empty prompt."""
        found = self._beside.suggestion
        told = found.told if found else ""
        if self._region.enter_closes:
            told = say("(Enter) closes this")
        text = clip(told, self._window().columns - len(_PROMPT) - 1, self._glyphs.cut)
        return ANSI(ansi_text((Span(text, Paint.DIM),), self._palette))

    def _text_changed(self, buffer: Buffer) -> None:
        """Note that a key was pressed, and what is on the screen when a line is begun."""
        self._attention.key_pressed()
        if len(buffer.text) <= 1:
            self._begun = self._on_screen

    def _bindings(self) -> KeyBindingsBase:
        bindings = KeyBindings()
        self._bind_editing(bindings)
        bindings.add("f1")(lambda _event: self._help())
        bindings.add("f2")(lambda _event: self._board())
        # without this, Ctrl-Z would type a control character
        suspends = Condition(can_suspend)
        bindings.add("c-z", filter=~suspends)(lambda _event: None)

        @bindings.add("c-l")
        def _redraw(event: KeyPressEvent) -> None:
            self._scroll.repaint()
            self.push(REDRAW)

        @bindings.add("c-c", filter=~is_searching)
        def _interrupt(event: KeyPressEvent) -> None:
            if event.current_buffer.text or self._pasted:
                event.current_buffer.reset()
                self._pasted.clear()
            elif text := self._leaving.press(self.place, resumable=self.resumable):
                self.say(text)

        EscapeKey(self._region, self._typing, self._go_back).bind(bindings)
        before = keys_before_typing(self.above, self._region, self._height, self._typing, self.push)
        return merge_key_bindings([bindings, before])

    def _help(self) -> None:
        """Open the help, or close it if it is open."""
        if self._region.is_covered and self._asked == _HELP:
            self._region.close()
        else:
            self.push(_HELP)

    def _board(self) -> None:
        """Open the whole board, or close it if it is open; without a table, push `REDRAW`."""
        if self._region.is_covered and self._asked == _BOARD_KEY:
            self._region.close()
        elif not self.shows_whole():
            self.push(REDRAW)
        else:
            self._asked = _BOARD_KEY

    def _go_back(self) -> None:
        """Type the line that says no, or else the one that goes back; then forget both lines."""
        line = self._beside.back or self._back
        self._beside, self._back = structs.replace(self._beside, back=""), ""
        if line:
            self.push(line)

    def _bind_editing(self, bindings: KeyBindings) -> None:
        """Bind the keys that change the typed line."""
        suggests = Condition(lambda: self._beside.suggestion is not None and not self._typing())

        @bindings.add("tab", filter=suggests)
        def _suggest(event: KeyPressEvent) -> None:
            if self._beside.suggestion is not None:
                event.current_buffer.insert_text(self._beside.suggestion.text)

        @bindings.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            first, *more = event.data.splitlines() or [""]
            event.current_buffer.insert_text(typed(first))
            self._keep_pasted([typed(line) for line in more if line.strip()])

    def _typing(self) -> str:
        """Return the text at the prompt."""
        return self._session.default_buffer.text

    def _keep_pasted(self, lines: Sequence[str]) -> None:
        """Keep pasted lines for one Enter each, at most 1,000 of them; say how many follow."""
        room = max(0, _PASTED_MAX - len(self._pasted))
        self._pasted += lines[:room]
        if lines:
            text = "{count} more pasted lines follow, one after each Enter; Ctrl-C drops them."
            self.say(say(text, count=len(self._pasted)))

    def push(self, line: str, seen: _Shown | None = None) -> None:
        """Close any answer, and hand the loop a line with what was `seen` when it was begun.

        If `seen` is not given, as for a single key, hand over what is on the screen now.
        """
        self._attention.key_pressed()
        self._region.close()
        self._asked = line
        self.loop.push((line, seen or self._on_screen))

    async def read_lines(self) -> None:
        """Prompt for lines until the front end or its terminal is closed, or the run is to end.

        An interrupt ends the loop. The terminal is in raw mode between prompts and while printing.
        """
        with self._session.input.raw_mode():
            await self._read_on()

    async def _read_on(self) -> None:
        while not (self._closing or drop_closed_terminal() or self.ending.is_asked):
            try:
                await self._session.prompt_async()
            except EOFError:
                if not self._closing:
                    self.push("quit")
            except KeyboardInterrupt:
                self.loop.interrupt()
                return

    def _accept(self, buffer: Buffer) -> bool:
        """Print a typed line and push it, or let an empty one close an open answer; return True."""
        line = buffer.text
        self._leaving.presses = 0
        if line and not self.above.stands:
            self._speak(lambda: wrap_words(f"{_PROMPT}{line}", self.canvas().columns))
        if line or not self._region.enter_closes:
            self.push(typed(line), self._begun if line else None)
        self._region.close()
        buffer.append_to_history()
        buffer.reset(Document(self._pasted.pop(0) if self._pasted else ""))
        return True

    async def print_lines(self) -> None:
        """Print waiting blocks, in order and in one go, until closed and everything is printed.

        During a round they appear below the table first, unless a menu or picture is drawn.
        """
        while not self._closing or self._waiting:
            await self._printed.wait()
            self._printed.clear()
            # wait a moment, to print in one go what belongs together
            await asyncio.sleep(0.01)
            blocks, self._waiting = self._waiting, []
            self._on_screen = self._told
            self._pass_by(blocks)
            self._session.app.invalidate()

    def _pass_by(self, blocks: Sequence[Block]) -> None:
        """Print these blocks, or only those for which there is no room below the table."""
        if self._closing or self.above.stands:
            blocks = (*self._region.hush(), *blocks)
        else:
            blocks = self._region.hear(blocks, self._window(), self._typed_rows())
        if blocks:
            self._scroll.print(blocks)

    def close(self) -> None:
        """Stop prompting, restore the title, and let `print_lines` print the rest and end."""
        self._closing = True
        self._attention.end()
        self._printed.set()
        if self._session.app.is_running:
            self._session.app.exit(exception=EOFError())
