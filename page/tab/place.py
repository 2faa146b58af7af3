"""Sets up a tab as a place where the program can run: storage, network, terminal and variables."""

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import AppSession

from cli.__main__ import main_here
from cli.program import RUN_NEXT
from cli.settings.place import ENVIRONMENT
from cli.streams import Streams
from cli.visible import served_by
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.disk.identity import KEY_FILE
from netgame.io.disk.storage import STORAGE
from netgame.io.disk.store import DataFolder
from netgame.io.network.dialling import DIAL
from netgame.io.network.interfaces import HAS_NETWORK
from netgame.io.tables.kept import kept_games
from page.tab.browser import Page, the_page
from page.tab.kept import TabStorage
from page.tab.loop import stir
from page.tab.sockets import dial
from page.tab.terminal import Keys, Screen, Typed, drawn_on

_HOME: Final = Path("/boneyard")
_DROPPED: Final = Path("/dropped")
_TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Place:
    """A tab in which the program runs, and the options that its page was opened with."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys, self.screen = Keys(), Screen(page)
        self.printed = Screen(page, page.hear)
        self.storage = TabStorage(page)
        self.options: Any = page.options()
        self.follows: asyncio.Task[None] | None = None
        self.next_words: list[str] = []
        """The command that was typed to be run next; empty for the menu."""
        self.session: AppSession | None = None
        self.streams = Streams(
            Typed(),  # type: ignore[arg-type]
            self.printed,  # type: ignore[arg-type]
            self.printed,  # type: ignore[arg-type]
            lambda: (page.columns(), page.rows()),
            page.hear,
        )

    @classmethod
    async def opened(cls) -> "Place":
        """Set everything up for this tab, load the stored files, and return the place."""
        place = cls(page := the_page())
        page.listen(
            _call(place.keys.type), _call(place.redraw), _call(stir), _call(place.verify_dropped)
        )
        lacks = dict.fromkeys(Abilities.__struct_fields__, False)
        ABILITIES.set(Abilities(**lacks | {"is_tab": True}))
        # the folder for games is read from the system's environment, all else from `ENVIRONMENT`
        os.environ["BONEYARD_DATA"] = str(_HOME)
        language = {"LANG": str(place.options.language)}
        ENVIRONMENT.set(
            {"BONEYARD_DATA": str(_HOME), **_TERMINAL, **language, "BONEYARD_MOUSE": "on"}
        )
        HAS_NETWORK.set(page.is_online)
        DIAL.set(partial(dial, page, "" if place.options.isFile else str(place.options.host)))
        pieces: Any = await page.kept()
        place.storage.load(pieces.to_py())
        STORAGE.set(place.storage)
        RUN_NEXT.set(place.run_next)
        place.follows = asyncio.create_task(place.storage.follow())
        return place

    def run_next(self, words: Sequence[str]) -> None:
        """Note the command to run after the present one has ended."""
        self.next_words = [*words]

    def verify_dropped(self, name: str, octets: Any) -> None:  # noqa: ANN401 - of JavaScript
        """Verify the record or evidence in a file that the player has dropped onto the page.

        This types the command for the player. If they are at a table, the program asks them to type
        it in the menu instead.
        """
        path = _DROPPED / (re.sub(r"[^\w.-]", "", name).lstrip(".") or "record")
        _DROPPED.mkdir(exist_ok=True)
        path.write_bytes(octets.to_bytes())
        self.keys.type(f"boneyard verify {path}\r")

    def first_words(self) -> list[str]:
        """Return the command that joins the table serving the page; empty if no table serves it."""
        if not self.options.isServed:
            return []
        words = ["join", str(self.options.host)]
        return [*words, "--code", str(self.options.code)] if self.options.code else words

    def forget_key(self) -> None:
        """Delete this player's key once all the games in the store have ended.

        This is done only if a table serves the page. Later somebody else may have the host's
        private address, and a page served from there could read what the browser has stored for it.
        """
        games = kept_games(DataFolder(_HOME))
        over = games and all(game.notes and game.notes.ended for game in games)
        if self.options.isServed and over:
            self.storage.remove(_HOME / KEY_FILE)

    def redraw(self) -> None:
        """Have the program's screen drawn again, because the window's size has changed."""
        if self.session is not None and self.session.app is not None:
            self.session.app.invalidate()

    async def run(self, words: Sequence[str]) -> int:
        """Run the command with these words at the page's terminal; return its exit code."""
        with (
            served_by(self.streams),
            create_app_session(
                input=self.keys, output=drawn_on(self.screen, self.page)
            ) as self.session,
        ):
            return await main_here(words)


def _call(call: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return a proxy by which JavaScript may call `call` at any time."""
    from pyodide.ffi import create_proxy

    return create_proxy(call)
