"""What Tab offers, and keys that mean something while nothing is typed."""

from collections.abc import Callable, Iterable
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from cli.scene import CompletionContext
from cli.screens.above import KEYS, Above
from cli.screens.region import Region
from cli.session.verbs.complete import complete

_PAGES: Final = {"pageup": -1, "pagedown": 1}


class LegalMoves(Completer):
    """Hands what `cli.session.verbs.complete` offers at a place to prompt-toolkit."""

    def __init__(self, above: Above, place: Callable[[], CompletionContext]) -> None:
        self._above, self._place = above, place

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Offered]:
        """Offer what continues the text before the cursor; in a menu nothing does."""
        if self._above.stands:
            return
        for offer in complete(document.text_before_cursor, self._place()):
            yield Offered(offer.text, start_position=-offer.length, display_meta=offer.meta)


def keys_before_typing(
    above: Above, region: Region, typed: Callable[[], str], push: Callable[[str], None]
) -> KeyBindings:
    """Let keys choose from a menu, turn over pictures and pages, or close an answer."""
    bindings = KeyBindings()
    chooses = Condition(lambda: above.chosen() is not None and not typed())
    bindings.add("up", filter=chooses)(lambda _event: above.step(-1))
    bindings.add("down", filter=chooses)(lambda _event: above.step(1))

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
    bindings.add("escape", filter=covered, eager=True)(lambda _event: region.close())
    for key, by in _PAGES.items():
        bind_page(key, by)
    return bindings
