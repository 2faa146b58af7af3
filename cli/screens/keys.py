"""Keys: what Tab offers, what Esc closes, and what means something while nothing is typed."""

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
"""A button that goes down, with column and row, as terminals say it (xterm, ctlseqs: SGR)."""

_ALT_PAIRS: Final = (*string.ascii_letters, *string.digits, "/", "?", "enter")
"""Keys that may come at once behind Esc; Alt with that key changes nothing on an empty line."""

_QUIT_S: Final = 0.5
"""An Enter that follows a q so soon was typed with it, by somebody who meant to quit."""

_LEFT: Final = 0
_WHEEL: Final = {64: -1, 65: 1}


def can_suspend() -> bool:
    """Whether a shell is there to come back from: not in a browser tab, nor on Windows."""
    return suspend_to_background_supported() and ABILITIES.get().starts_processes


class LegalMoves(Completer):
    """Hands what `cli.session.verbs.complete` offers at a place to prompt-toolkit."""

    def __init__(self, above: Overlay, place: Callable[[], CompletionContext]) -> None:
        self._above, self._place = above, place

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Offered]:
        """Yield what continues the text before the cursor; nothing beside a menu or a picture."""
        if self._above.stands:
            return
        for offer in complete(document.text_before_cursor, self._place()):
            yield Offered(offer.text, start_position=-offer.length, display_meta=offer.meta)


def _click(event: KeyPressEvent, region: Region, height: int) -> object:
    """Have a click in the lowest `height` rows replace what is typed; the wheel rolls an answer.

    A second click that means the line that stands there already is its Enter, unless that line goes
    on: behind a tile that fits in several places a blank waits for the train. A click does nothing
    while the list of Tab is open. Return `NotImplemented` for all but a button that goes down, and
    without a mouse: nothing is drawn anew then. prompt-toolkit would look at what it drew last:
    there is nothing while lines go by above, and it fails of a list that is closed since.
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
    """Whether the key that has come is no beginning of another, such as Esc of Alt-B.

    A second Esc behind it is a key of its own.
    """
    keys = get_app().key_processor
    behind = keys.input_queue[0].key if keys.input_queue else Keys.Escape
    return behind == Keys.Escape and len(keys.key_buffer) == 1


class EscapeKey:
    """Closes or drops one thing at a press; with nothing left, says no or goes back.

    Esc begins the code of every Alt key. So prompt-toolkit waits twice for the rest of one: for
    `ttimeoutlen`, as a terminal sends it in one go, and then for `timeoutlen`, a second, as a
    person may press Esc and a key for the same. Here nobody means that. An Esc that comes alone is
    taken at once, or the letter typed next would make an Alt key of it, and be lost.
    """

    def __init__(
        self, region: Region, typed: Callable[[], str], go_back: Callable[[], None]
    ) -> None:
        self._region, self._typed, self._go_back = region, typed, go_back

    def bind(self, bindings: KeyBindings) -> None:
        """Bind it alone, and at an empty line with another key behind it, which follows it then."""
        alone = Condition(_is_alone) & ~is_searching
        bindings.add("escape", filter=alone, eager=True)(self._pressed)
        has_typed = Condition(lambda: bool(self._typed()))
        for key in _ALT_PAIRS:
            # Alt with a digit would repeat the key after it, which nobody wants of a tile
            pairs = ~is_searching if key in string.digits else ~is_searching & ~has_typed
            bindings.add("escape", key, filter=pairs)(self._pressed_before)

    def _pressed_before(self, event: KeyPressEvent) -> None:
        self._pressed(event)
        event.key_processor.feed(event.key_sequence[-1], first=True)

    def _pressed(self, event: KeyPressEvent) -> None:
        """Close the list of Tab, else the answer that stands; drop what is typed; or go back."""
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
    """Have `q` close the answer that is open, as in a pager, while nothing is typed (`idle`).

    It is still the first letter of `quit` if a u follows. An Enter right behind it does nothing: it
    was typed to quit, and would play what is offered.
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
    """Run the line that Ctrl-R has found at once, as shells do; an empty one would play."""
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
    """Return bindings to choose from a menu, turn over pictures and pages, or close an answer.

    But for the mouse they hold only while nothing is typed. They `push` lines to the loop. `height`
    counts the rows from the region down to the foot of the window. No cursor is asked for, and no
    mouse unless somebody wants one.
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
