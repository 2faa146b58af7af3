"""How a terminal calls somebody back to the table: its bell, its title, a notice of the desktop.

Pure but for `emit` and the clock, which are handed in. Of what others have written only names come
into a title, made visible first: a control character in one would end the title and begin an order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from cli.language import say
from cli.scene import CompletionContext, LobbyScene, Scene, forced_move
from cli.session.frontend import NoticeShown, Occasion, TableShown
from cli.settings.chosen import chosen
from cli.settings.declared import BELL, NOTICE, TITLE, Bell
from cli.visible import visible
from engine.table.table import Table
from netgame.protocol import notices

_LOUD: Final = (
    notices.GameStarted
    | notices.RoundOver
    | notices.GameOver
    | notices.ChatHeard
    | notices.AgainHeard
)
"""The notices that a bell for everything rings for, beside a turn."""

_AWAY_S: Final = 10.0
"""Whoever has pressed a key since then looks at the terminal and needs no notice."""

_JUST_NOW_S: Final = 1.0

_TITLED: Final = (
    "xterm",
    "screen",
    "tmux",
    "rxvt",
    "konsole",
    "alacritty",
    "foot",
    "putty",
    "st-",
    "vte",
    "wezterm",
    "ghostty",
    "contour",
    "gnome",
    "iterm",
)
_OSC_9_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "wezterm")
_OSC_9_PROGRAMS: Final = ("iTerm.app", "WezTerm", "ghostty")
_OSC_777_TERMS: Final = ("foot", "rxvt-unicode", "contour")

_NAME: Final = "Boneyard"
_SAVE: Final = "\x1b[22;2t"
_RESTORE: Final = "\x1b]2;\x1b\\\x1b[23;2t"
"""Empty first, for terminals that keep no titles."""


class Calls(Struct, frozen=True):
    """The settings of a player: what the bell rings for, whether there are a title and notices."""

    bell: Bell = Bell.TURN
    title: bool = True
    notice: bool = True


def own_calls() -> Calls:
    """Return the settings of the player here."""
    return Calls(chosen(BELL), chosen(TITLE), chosen(NOTICE))


def takes_titles(environment: Mapping[str, str]) -> bool:
    """Whether the terminal has a title to set; others would print it, or do something else."""
    return environment.get("TERM", "").startswith(_TITLED) or "WT_SESSION" in environment


def notice_codes(environment: Mapping[str, str], text: str) -> str:
    """Return what has the terminal show a notice, empty where it knows none.

    Inside tmux and screen nothing says what the terminal around them knows. `text` goes in as it
    is, and must be visible already.
    """
    term = environment.get("TERM", "")
    if "TMUX" in environment or "STY" in environment:
        return ""
    if environment.get("TERM_PROGRAM") in _OSC_9_PROGRAMS or term.startswith(_OSC_9_TERMS):
        return f"\x1b]9;{_NAME}: {text}\x1b\\"
    if term.startswith(_OSC_777_TERMS) or "VTE_VERSION" in environment:
        return f"\x1b]777;notify;{_NAME};{text}\x1b\\"
    return ""


def title_text(place: CompletionContext) -> str:
    """Say where one is: in one's own turn, else at whose table; else name only the program.

    A turn in which only one thing can be done is none.
    """
    match place:
        case Scene() if place.can_move and forced_move(place) is None:
            return f"{_NAME}: {say('your turn')}"
        case Scene(host=host) if host:
            return _titled(host)
        case LobbyScene(view=view):
            host = view.name_of(view.host_key)
            return _titled(host) if host else _NAME
        case _:
            return _NAME


def _titled(host: str) -> str:
    table = say("{host}'s table", host=host)
    return visible(f"{_NAME}: {table}")


@dataclass(slots=True)
class Attention:
    """Calls somebody back to the terminal; once for a turn, however often that is shown."""

    emit: Callable[[str], None]
    """Writes codes that the terminal obeys."""
    environment: Mapping[str, str]
    now: Callable[[], float]
    """A clock, in seconds."""
    calls: Calls
    """How somebody wants to be called."""
    _rung: Table | None = None
    _title: str = ""
    _key_at: float = 0.0

    def take(self, occasion: Occasion) -> None:
        """Call for a turn that was not called for, or for a loud notice; else do nothing.

        A turn has the bell and, after ten seconds without a key, a notice of the desktop. The loud
        ones have the bell that rings for all, unless a key was pressed in the last second.
        """
        match occasion:
            case TableShown(scene) if scene.can_move and self._rung != scene.table:
                self._rung = scene.table
                self.ring(Bell.TURN, Bell.ALL)
                self._notify(say("your turn"))
            case NoticeShown(notice=notice) if isinstance(notice, _LOUD):
                if self._idle_s() >= _JUST_NOW_S:  # not for what one has just said or done
                    self.ring(Bell.ALL)
            case _:
                pass

    def _notify(self, text: str) -> None:
        """Have the desktop say it to somebody who has pressed no key for ten seconds.

        Nothing happens where notices are off, or the terminal knows none.
        """
        away = self._idle_s() >= _AWAY_S
        if self.calls.notice and away and (codes := notice_codes(self.environment, text)):
            self.emit(codes)

    def _idle_s(self) -> float:
        return self.now() - self._key_at

    def key_pressed(self) -> None:
        """Note that somebody is there at this moment."""
        self._key_at = self.now()

    def place_is(self, place: CompletionContext) -> None:
        """Keep the title true from the first table on; the one that was there is saved.

        Nothing is written for the same title again, where titles are off, or the terminal takes
        none.
        """
        begins = place is not None or bool(self._title)
        if not begins or not self.calls.title or not takes_titles(self.environment):
            return
        before, self._title = self._title, title_text(place)
        if self._title != before:
            self.emit(f"{'' if before else _SAVE}\x1b]2;{self._title}\x1b\\")

    def end(self) -> None:
        """Bring back the title that was there, if another was set."""
        if self._title:
            self.emit(_RESTORE)
            self._title = ""

    def ring(self, *settings: Bell) -> None:
        """Ring the bell if the player has set it to one of these."""
        if self.calls.bell in settings:
            self.emit("\a")
