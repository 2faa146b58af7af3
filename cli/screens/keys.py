"""Keys: the offers of Tab, the effects of Esc, and keys with a meaning while nothing is typed."""

import math
import re
import string
from collections.abc import Callable, Iterable
from typing import Final

from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, Filter, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.search import accept_search
from prompt_toolkit.utils import suspend_to_background_supported

from cli.scene import CompletionContext
from cli.screens.overlay import KEYS, Overlay
from cli.screens.region import Region
from cli.session.verbs.complete import complete
from netgame.io import clock
from netgame.io.abilities import ABILITIES

_PAGES: Final = {"pageup": -1, "pagedown": 1}
_CLICK: Final = re.compile(r"\x1b\[<(\d{1,3});(\d{1,4});(\d{1,4})M")
"""A button press with column and row, as terminals report it (xterm, ctlseqs: SGR)."""

_ALT_PAIRS: Final = (*string.ascii_letters, *string.digits, "/", "?", "enter")
"""Keys that may follow Esc at once: on an empty line, Alt with one of them would change nothing."""

_QUIT_S: Final = 0.5
"""An Enter this soon after a `q` belongs to it: somebody typed both to quit."""

_LEFT: Final = 0
_WHEEL: Final = {64: -1, 65: 1}


def can_suspend() -> bool:
    """Return True if Ctrl-Z can go back to a shell: not in a browser tab or on Windows."""
    return suspend_to_background_supported() and ABILITIES.get().starts_processes


class LegalMoves(Completer):
    """A completer that hands the offers of `cli.session.verbs.complete` to prompt-toolkit."""

    def __init__(self, above: Overlay, place: Callable[[], CompletionContext]) -> None:
        self._above, self._place = above, place

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Offered]:
        """Yield completions of the text before the cursor; none if a menu or a picture is shown."""
        if self._above.stands:
            return
        for offer in complete(document.text_before_cursor, self._place()):
            yield Offered(offer.text, start_position=-offer.length, display_meta=offer.meta)


def _click(event: KeyPressEvent, region: Region, height: int) -> object:
    """Handle a turn of the wheel, or a click in the lowest `height` rows, which types a line.

    A click that means the line already typed acts as Enter, unless that line ends with a blank: a
    tile that fits in several places still needs its train. A click does nothing while the list of
    Tab is open. Without a mouse, or for anything but a button press, return `NotImplemented`, which
    avoids a redraw. prompt-toolkit's own handler would look at its last drawing, which is absent
    while lines are printed above. It would also fail on a list of Tab that has closed since.
    """
    app, line = event.app, event.current_buffer
    found = _CLICK.fullmatch(event.data)
    if found is None or not app.renderer.mouse_support():
        return NotImplemented
    button, column, row = map(int, found.groups())
    if button in _WHEEL:
        region.roll(_WHEEL[button])
    elif button == _LEFT and line.complete_state is None:
        top = app.output.get_size().rows - height
        words = region.clicked(column - 1, row - 1 - top, line.text)
        if words and words == line.text and not words.endswith(" "):
            line.validate_and_handle()
        elif words:
            line.document = Document(words)
    return None


def _is_alone() -> bool:
    """Return True if the key just read is not the start of a longer code, as Esc is in Alt-B.

    A second Esc after it is a key of its own.
    """
    keys = get_app().key_processor
    behind = keys.input_queue[0].key if keys.input_queue else Keys.Escape
    return behind == Keys.Escape and len(keys.key_buffer) == 1


class EscapeKey:
    """The Esc key: it closes or drops one thing per press; with nothing left, says no or goes back.

    Esc begins the code of every Alt key. So prompt-toolkit waits twice for the rest of such a code.
    First it waits for `ttimeoutlen`, since a terminal sends the code in one go. Then it waits for
    `timeoutlen`, a second, since a person may press Esc and then the key. Here nobody presses Esc
    for that, so a lone Esc takes effect at once. Otherwise the next letter would make an Alt key of
    it, and be lost.
    """

    def __init__(
        self, region: Region, typed: Callable[[], str], go_back: Callable[[], None]
    ) -> None:
        self._region, self._typed, self._go_back = region, typed, go_back

    def bind(self, bindings: KeyBindings) -> None:
        """Bind Esc alone, and Esc right before another key, which then acts as if typed afterwards.

        The second binding applies on an empty line; for digits, on any line.
        """
        alone = Condition(_is_alone) & ~is_searching
        bindings.add("escape", filter=alone, eager=True)(self._pressed)
        has_typed = Condition(lambda: bool(self._typed()))
        for key in _ALT_PAIRS:
            # Alt with a digit would repeat the next key, which nobody wants when typing a tile
            pairs = ~is_searching if key in string.digits else ~is_searching & ~has_typed
            bindings.add("escape", key, filter=pairs)(self._pressed_before)

    def _pressed_before(self, event: KeyPressEvent) -> None:
        self._pressed(event)
        event.key_processor.feed(event.key_sequence[-1], first=True)

    def _pressed(self, event: KeyPressEvent) -> None:
        """Close the list of Tab or the open answer, or drop the typed text, or else go back."""
        line = event.current_buffer
        if line.complete_state is not None:
            line.cancel_completion()
        elif self._region.is_covered:
            self._region.close()
        elif line.text:
            line.reset()
        else:
            self._go_back()


def bind_closing_q(
    bindings: KeyBindings, covered: Condition, idle: Filter, close: Callable[[], None]
) -> None:
    """Let `q` close the open answer, as in a pager, while nothing is typed (`idle`).

    A `q` still begins `quit` if a u follows. An Enter right after the `q` does nothing: somebody
    typed both to quit, and Enter would play the suggestion.
    """
    closed_at = -math.inf

    @bindings.add("q", filter=covered & idle)
    def _close(_event: KeyPressEvent) -> None:
        nonlocal closed_at
        close()
        closed_at = clock.seconds()

    @bindings.add("u", filter=idle)
    def _go_on(event: KeyPressEvent) -> None:
        behind = [press.key for press in event.previous_key_sequence] == ["q"]
        event.current_buffer.insert_text("qu" if behind else event.data)

    just_closed = Condition(lambda: clock.seconds() - closed_at < _QUIT_S)
    bindings.add("enter", filter=just_closed & idle)(lambda _event: None)


def _run_found(event: KeyPressEvent) -> None:
    """Run the line that Ctrl-R found at once, as shells do.

    Do not run an empty line, because that would play the suggestion.
    """
    accept_search()
    if event.app.current_buffer.text:
        event.app.current_buffer.validate_and_handle()


def keys_before_typing(
    above: Overlay,
    region: Region,
    height: Callable[[], int],
    typed: Callable[[], str],
    push: Callable[[str], None],
) -> KeyBindings:
    """Return bindings for menus, for pictures with keys, for open answers, and for the mouse.

    Except for the mouse and a search, they apply only while nothing is typed. They `push` lines to
    the loop. `height` counts the rows from the top of the region to the bottom of the window.
    Cursor reports are ignored.
    """
    bindings = KeyBindings()
    bindings.add(Keys.CPRResponse)(lambda _event: None)
    bindings.add("enter", filter=is_searching)(_run_found)
    bindings.add(Keys.Vt100MouseEvent)(lambda event: _click(event, region, height()))
    idle = Condition(lambda: not typed()) & ~is_searching
    chooses = Condition(lambda: above.chosen() is not None) & idle
    bindings.add("up", filter=chooses)(lambda _event: above.step(-1))
    bindings.add("down", filter=chooses)(lambda _event: above.step(1))
    is_value = Condition(lambda: above.is_value) & idle
    bindings.add("right", filter=is_value)(lambda _event: push(f"{above.chosen()}"))
    bindings.add("left", filter=is_value)(lambda _event: push(f"-{above.chosen()}"))

    @bindings.add("enter", filter=chooses)
    def _choose(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(str(above.chosen()))
        event.current_buffer.validate_and_handle()

    def bind(key: str) -> None:
        means = Condition(lambda: key in above.keys) & idle
        bindings.add(key, filter=means)(lambda _event: push(above.keys[key]))

    def bind_page(key: str, by: int) -> None:
        bindings.add(key, filter=covered & idle)(lambda _event: region.turn_page(by))

    @bindings.add(Keys.Any, filter=Condition(lambda: bool(above.keys)) & idle)
    def _ignore(event: KeyPressEvent) -> None:
        if event.data in above.begins:
            event.current_buffer.insert_text(event.data)

    covered = Condition(lambda: region.is_covered)
    bind_closing_q(bindings, covered, Condition(lambda: not above.stands) & idle, region.close)
    for key in KEYS:
        bind(key)
    for key, by in _PAGES.items():
        bind_page(key, by)
    return bindings
