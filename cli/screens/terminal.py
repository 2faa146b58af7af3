"""A terminal with completion, history and a status line; the one user of prompt-toolkit.

prompt-toolkit lives in asyncio, everything else in trio: asyncio hosts, trio runs as its guest in
the same thread, so nothing here needs a lock. The board is ordinary scrollback above the prompt.

    asyncio: prompt --line--> trio: loop --lines to print--> asyncio: printer
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import trio
from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import default_ui_style
from prompt_toolkit.utils import suspend_to_background_supported

from cli.language import say
from cli.render.cells import Canvas, clip, hang, text_cells, wrap_words
from cli.render.hand import BARE, Picture, strip_texts, turn_lines
from cli.render.menu import Menu
from cli.render.palette import Line, Paint, Span, ansi_text
from cli.scene import CompletionContext, Scene, choices
from cli.screens.above import KEYS, Above
from cli.screens.attention import Attention, own_calls
from cli.session.frontend import REDRAW, Occasion, TableShown, TurnBegins, tell_reader
from cli.session.verbs.complete import complete
from cli.settings.chosen import chosen
from cli.settings.declared import REDUCED_MOTION, TIMES, Bell
from cli.settings.look import own_glyphs, own_palette
from cli.settings.place import ENVIRONMENT
from cli.visible import open_door, spelt, typed, visible
from cli.wording.moves import thinking_text
from engine.table.moves import Move
from engine.table.table import RoundPhase

_PROMPT: Final = "boneyard> "
_TABLE_KEYS: Final = "Tab moves  F1 help  F2 board "
_MENU_KEYS: Final = "Up Down Enter  F1 help "
_MENU_ROWS: Final = 6
_PASTED_MAX: Final = 1000
"""Lines of one paste that wait for their turn; nobody types more."""


class _Shown(NamedTuple):
    """The list of plays on the screen, and how many questions have been asked there."""

    plays: tuple[Move, ...] = ()
    questions: int = 0


class _LegalMoves(Completer):
    """Hands what `cli.session.verbs.complete` offers to prompt-toolkit."""

    def __init__(self, front: TerminalFront) -> None:
        self._front = front

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Offered]:
        """Offer what continues the text before the cursor; in a menu nothing does."""
        if self._front.above.stands:
            return
        for offer in complete(document.text_before_cursor, self._front.place):
            yield Offered(offer.text, start_position=-offer.length, display_meta=offer.meta)


def depth_of(output: Output) -> int | None:
    """Return how many bits the colours of a Windows console have; None elsewhere.

    prompt-toolkit knows Windows, where no variable tells; anywhere else it believes in 256 colours.
    """
    if sys.platform != "win32":
        return None
    return int(output.get_default_color_depth().value.split("_")[1])  # "DEPTH_24_BIT"


class TerminalFront:
    """The screen of a person at a terminal. Made inside a running asyncio loop."""

    asks_back = resumable = has_keys = True

    def __init__(self) -> None:
        self.place: CompletionContext = None
        self.seen: tuple[Move, ...] | None = ()
        self.saw_question = True
        self._beside = BARE
        self.token: trio.lowlevel.TrioToken | None = None
        self.scope = trio.CancelScope()
        self._status = ""
        output = create_output(stdout=open_door())
        self._palette = own_palette(terminal=True, depth=depth_of(output))
        self._glyphs = own_glyphs()
        self._stamp = "%H:%M " if chosen(TIMES) else ""
        self._waiting: list[Line] = []
        self._pasted: list[str] = []
        self._told = self._on_screen = self._begun = _Shown()
        self._printed, self._closing = asyncio.Event(), False
        self._attention = Attention(self._emit, ENVIRONMENT.get(), time.monotonic, own_calls())
        self._thinking, self._leaving_keys = "", 0
        self._calm = chosen(REDUCED_MOTION)
        self.above = Above(self._redraw_above)
        self._send, self._receive = trio.open_memory_channel[tuple[str, _Shown]](math.inf)
        self._session: PromptSession[str] = PromptSession(
            self._message,
            completer=_LegalMoves(self),
            complete_while_typing=False,
            reserve_space_for_menu=_MENU_ROWS,
            bottom_toolbar=self._toolbar,
            placeholder=self._placeholder,
            key_bindings=self._bindings(),
            enable_suspend=True,
            output=output,
        )
        self._session.default_buffer.on_text_changed += self._text_changed

    # ---- what the loop asks for -----------------------------------------------------------

    def canvas(self) -> Canvas:
        """Return the window as it is now; a last column is left free for terminals that wrap."""
        size = self._session.output.get_size()
        return Canvas(max(20, size.columns), max(10, size.rows), self._glyphs)

    def say(self, sentence: str) -> None:
        """Print one sentence with the time, broken between words."""
        self._say(time.strftime(self._stamp), sentence)

    def recount(self, sentence: str) -> None:
        """Print one sentence, where the others have the time."""
        self._say(" " * len(time.strftime(self._stamp)), sentence)

    def _say(self, clock: str, sentence: str) -> None:
        lines = wrap_words(sentence, self.canvas().columns - len(clock))
        self.show(hang(Span(clock, Paint.DIM), lines))

    def ask(self, sentence: str) -> None:
        """Print a question; a line that was begun before it stands there is no answer."""
        self._told = self._told._replace(questions=self._told.questions + 1)
        self.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Print lines above the prompt."""
        self._waiting.extend(lines)
        self._printed.set()

    def tell(self, occasion: Occasion) -> None:
        """Print what happened; of a turn the board, the hand and the plays, and ring the bell."""
        self._attention.take(occasion)
        match occasion:
            case TurnBegins(scene, picture) | TableShown(scene, picture):
                if isinstance(occasion, TurnBegins):
                    self._told = self._told._replace(plays=choices(scene))
                self.show(turn_lines(scene, self.canvas(), picture))
            case _:
                tell_reader(self, occasion)

    def _emit(self, codes: str) -> None:
        """Write what a terminal obeys."""
        self._session.output.write_raw(codes)
        self._session.output.flush()

    def offer(self, menu: Menu | None) -> None:
        """Draw the list above the prompt, where the arrows move in it and Enter chooses."""
        self.above.offer(menu)

    def _redraw_above(self) -> None:
        self._session.reserve_space_for_menu = 0 if self.above.stands else _MENU_ROWS
        self._session.app.erase_when_done = self.above.stands
        self._session.app.invalidate()

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Keep completion and toolbar true."""
        self.place, self._status, self._beside = place, status, beside
        self._attention.place_is(place)
        self._session.app.invalidate()

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Have the status line say it, and ring at first."""
        self._thinking = "" if seconds is None else f" | {thinking_text(seconds)}"
        if first:
            self._attention.ring(Bell.TURN, Bell.ALL)
        self._session.app.invalidate()

    async def next_line(self) -> str | None:
        """Return the next line; the end of input is read as `quit`, which asks back."""
        line, seen = await self._receive.receive()
        self.seen, self.saw_question = seen.plays, seen.questions == self._told.questions
        return line

    # ---- prompt-toolkit's side ------------------------------------------------------------

    def _message(self) -> ANSI:
        """Return what stands before the cursor: a menu or a picture, and the prompt."""
        lines = (ansi_text(line, self._palette) for line in self.above.lines(self.canvas()))
        text = "".join(f"{line}\n" for line in lines)
        return ANSI(spelt(f"{text}{_PROMPT}", self._session.output.encoding()))

    def _toolbar(self) -> FormattedText:
        columns = self._session.output.get_size().columns
        told = spelt(visible(f"{self._status}{self._thinking}"), self._session.output.encoding())
        status = clip(f" {told}", columns, self._glyphs.cut)
        known = say(_MENU_KEYS if self.above.menu else _TABLE_KEYS if self.place else "")
        known = spelt(known, self._session.output.encoding())
        gap = columns - text_cells(status) - text_cells(known)
        keys = " " * gap + known if gap > 1 else ""
        strip: tuple[str, ...] = ()
        if isinstance(self.place, Scene) and not self._calm:
            strip = strip_texts(self.place, self.canvas(), self._beside)
        rows = [spelt(visible(row), self._session.output.encoding()) for row in strip]
        return FormattedText([("", "".join(f"{row}\n" for row in rows)), ("", status + keys)])

    def _placeholder(self) -> AnyFormattedText:
        """Write dimly what an empty prompt suggests, and which key takes it."""
        found = self._beside.suggestion
        if found is None:
            return ""
        told = say("(Enter) {text}" if found.plays else "(Tab) {text}", text=found.text)
        columns = self._session.output.get_size().columns - len(_PROMPT) - 1
        text = clip(told, columns, self._glyphs.cut)
        return ANSI(ansi_text((Span(text, Paint.DIM),), self._palette))

    def _text_changed(self, buffer: Buffer) -> None:
        """Note what stands on the screen when a line is begun."""
        self._attention.key_pressed()
        if len(buffer.text) <= 1:
            self._begun = self._on_screen

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        self._bind_editing(bindings)
        self._bind_menu(bindings)
        bindings.add("f1")(lambda _event: self.push("help"))
        bindings.add("f2")(lambda _event: self.push(REDRAW))
        # no mouse is asked for, and no control character is to be typed
        bindings.add(Keys.Vt100MouseEvent)(lambda _event: None)
        suspends = Condition(suspend_to_background_supported)
        bindings.add("c-z", filter=~suspends)(lambda _event: None)

        @bindings.add("c-l")
        def _redraw(event: KeyPressEvent) -> None:
            event.app.renderer.clear()
            self.push(REDRAW)

        @bindings.add("c-c")
        def _interrupt(event: KeyPressEvent) -> None:
            if event.current_buffer.text or self._pasted:
                event.current_buffer.reset()
                self._pasted.clear()
            elif self._leaving_keys:
                event.app.exit(exception=KeyboardInterrupt())
            else:
                self._leaving_keys += 1
                self.say(self._leaving_text())

        return bindings

    def _leaving_text(self) -> str:
        """Say what another Ctrl-C does, and what brings a game back that is in play."""
        scene = self.place if self.resumable and isinstance(self.place, Scene) else None
        if scene and scene.hand is not None and scene.table.phase is not RoundPhase.FINISHED:
            return say("Press Ctrl-C once more to leave at once; come back with: boneyard resume")
        return say("Press Ctrl-C once more to leave at once.")

    def _bind_editing(self, bindings: KeyBindings) -> None:
        """Bind what changes the line that is typed."""
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

    def _bind_menu(self, bindings: KeyBindings) -> None:
        """Let keys choose from a menu, or turn over pictures, while nothing is typed."""
        chooses = Condition(lambda: self.above.chosen() is not None and not self._typing())

        bindings.add("up", filter=chooses)(lambda _event: self.above.step(-1))
        bindings.add("down", filter=chooses)(lambda _event: self.above.step(1))

        @bindings.add("enter", filter=chooses)
        def _choose(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(str(self.above.chosen()))
            event.current_buffer.validate_and_handle()

        def bind(key: str) -> None:
            means = Condition(lambda: key in self.above.keys and not self._typing())
            bindings.add(key, filter=means)(lambda _event: self.push(self.above.keys[key]))

        for key in KEYS:
            bind(key)

    def _typing(self) -> str:
        """Return what stands at the prompt."""
        return self._session.default_buffer.text

    def _keep_pasted(self, lines: Sequence[str]) -> None:
        """Have each further line of a paste wait at the prompt for its own Enter."""
        room = max(0, _PASTED_MAX - len(self._pasted))
        self._pasted += lines[:room]
        if lines:
            text = "{count} more pasted lines follow, one after each Enter; Ctrl-C drops them."
            self.say(say(text, count=len(self._pasted)))

    def push(self, line: str) -> None:
        """Hand a line to the loop; nothing happens once the loop has ended."""
        self._attention.key_pressed()
        seen = self._begun if line else self._on_screen
        self._in_trio(lambda: self._send.send_nowait((line, seen)))

    def interrupt(self) -> None:
        """End the loop at once, whatever it waits for."""
        self._in_trio(self.scope.cancel)

    def _in_trio(self, call: Callable[[], None]) -> None:
        if self.token is not None:
            with contextlib.suppress(trio.RunFinishedError):
                self.token.run_sync_soon(call)

    async def read_lines(self) -> None:
        """Prompt for lines until the front end is closed.

        Between two prompts the terminal stays in raw mode, as while lines are printed.
        """
        with self._session.input.raw_mode():
            await self._read_on()

    async def _read_on(self) -> None:
        while not self._closing:
            try:
                default = self._pasted.pop(0) if self._pasted else ""
                line = await self._session.prompt_async(default=default)
            except EOFError:
                if not self._closing:
                    self.push("quit")
                continue
            except KeyboardInterrupt:
                self.interrupt()
                return
            self._leaving_keys = 0
            self.push(typed(line))

    async def print_lines(self) -> None:
        """Print what waits, in order and in one go, so that the prompt is redrawn once."""
        while not self._closing or self._waiting:
            await self._printed.wait()
            self._printed.clear()
            # a moment, so that what belongs together is printed together
            await asyncio.sleep(0.01)
            if self._waiting:
                self._print()

    def _print(self) -> None:
        """Print above the prompt, whose text and keys stay as they are.

        The terminal is left in raw mode meanwhile: in its own mode it would take Ctrl-C for a
        signal, and Ctrl-Z for an order to drop what was typed.
        """
        lines, self._waiting = self._waiting, []
        self._on_screen = self._told
        app = self._session.app
        if app.is_running:
            app.renderer.erase()
        text = "\n".join(ansi_text(line, self._palette) for line in lines)
        encoding = self._session.output.encoding()
        shown = ANSI(spelt(f"{text}\n", encoding))
        print_formatted_text(self._session.output, shown, default_ui_style())
        if app.is_running:
            app.renderer.reset()
            app.renderer.request_absolute_cursor_position()
            app.invalidate()

    def close(self) -> None:
        """Stop prompting and print what is left."""
        self._closing = True
        self._attention.end()
        self._printed.set()
        if self._session.app.is_running:
            self._session.app.erase_when_done = True
            self._session.app.exit(exception=EOFError())
