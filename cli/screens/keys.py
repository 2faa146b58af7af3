"""Keys: what Tab offers, what Esc closes, and what means something while nothing is typed."""

import re
import string
from collections.abc import Callable, Iterable
from typing import Final

from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.scene import CompletionContext
from cli.screens.overlay import KEYS, Overlay
from cli.screens.region import Region
from cli.session.verbs.complete import complete

_PAGES: Final = {"pageup": -1, "pagedown": 1}
_CLICK: Final = re.compile(r"\x1b\[<(\d{1,3});(\d{1,4});(\d{1,4})M")
"""A button that goes down, with column and row, as terminals say it (xterm, ctlseqs: SGR)."""

_LEFT: Final = 0
_WHEEL: Final = {64: -1, 65: 1}


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

    A click does nothing while the list of Tab is open. Return `NotImplemented` for all but a button
    that goes down, and without a mouse: nothing is drawn anew then. prompt-toolkit would look at
    what it drew last: there is nothing while lines go by above, and it fails of a list that is
    closed since.
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
        if words := region.clicked(column - 1, row - 1 - top, line.text):
            line.document = Document(words)
    return None


def _is_alone() -> bool:
    """Whether the key that has come is no beginning of another, such as Esc of Alt-B.

    A second Esc behind it is a key of its own.
    """
    keys = get_app().key_processor
    behind = keys.input_queue[0].key if keys.input_queue else Keys.Escape
    return behind == Keys.Escape and len(keys.key_buffer) == 1


def _escape(event: KeyPressEvent, region: Region) -> None:
    """Close the list that Tab has opened, else the answer that stands, else drop what is typed."""
    line = event.current_buffer
    if line.complete_state is not None:
        line.cancel_completion()
    elif region.is_covered:
        region.close()
    else:
        line.reset()


def _bind_escape(bindings: KeyBindings, region: Region, typed: Callable[[], str]) -> None:
    """Bind Esc, also with a digit typed at once behind it: Alt and a digit mean nothing else."""
    means = Condition(lambda: region.is_covered or bool(typed()))

    def and_then(event: KeyPressEvent) -> None:
        if means():
            _escape(event, region)
        event.key_processor.feed(event.key_sequence[-1], first=True)

    alone = means & Condition(_is_alone) & ~is_searching
    bindings.add("escape", filter=alone, eager=True)(lambda event: _escape(event, region))
    for digit in string.digits:
        bindings.add("escape", digit, filter=~is_searching)(and_then)


def keys_before_typing(
    above: Overlay,
    region: Region,
    height: Callable[[], int],
    typed: Callable[[], str],
    push: Callable[[str], None],
) -> KeyBindings:
    """Return bindings to choose from a menu, turn over pictures and pages, or close an answer.

    But for the mouse and Esc they hold only while nothing is typed. They `push` lines to the loop.
    `height` counts the rows from the region down to the foot of the window. No cursor is asked for,
    and no mouse unless somebody wants one.
    """
    bindings = KeyBindings()
    bindings.add(Keys.CPRResponse)(lambda _event: None)
    bindings.add(Keys.Vt100MouseEvent)(lambda event: _click(event, region, height()))
    chooses = Condition(lambda: above.chosen() is not None and not typed())
    bindings.add("up", filter=chooses)(lambda _event: above.step(-1))
    bindings.add("down", filter=chooses)(lambda _event: above.step(1))
    is_value = Condition(lambda: above.is_value and not typed())
    bindings.add("right", filter=is_value)(lambda _event: push(f"{above.chosen()}"))
    bindings.add("left", filter=is_value)(lambda _event: push(f"-{above.chosen()}"))

    @bindings.add("enter", filter=chooses)
    def _choose(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(str(above.chosen()))
        event.current_buffer.validate_and_handle()

    def bind(key: str) -> None:
        means = Condition(lambda: key in above.keys and not typed())
        bindings.add(key, filter=means)(lambda _event: push(above.keys[key]))

    def bind_page(key: str, by: int) -> None:
        bindings.add(key, filter=covered)(lambda _event: region.turn_page(by))

    for key in KEYS:
        bind(key)
    covered = Condition(lambda: region.is_covered and not typed())
    _bind_escape(bindings, region, typed)
    for key, by in _PAGES.items():
        bind_page(key, by)
    return bindings
