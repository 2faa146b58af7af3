"""Calls for a person's attention at a terminal: its bell, its title, a desktop notice.

Pure except for `emit` and the clock, which are passed in. Names are the only text by other people
that gets into a title. They are made visible first, because a control character would end the title
and begin a command.
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
"""Besides a turn, the notices that ring the bell if it is set to everything."""

_AWAY_S: Final = 10.0
"""Somebody who has pressed a key within this time is looking at the terminal and needs no notice.
"""

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
"""Sets an empty title first, for terminals that cannot restore one."""


class Calls(Struct, frozen=True):
    """The settings of a player: when the bell rings, and whether to use title and notices."""

    bell: Bell = Bell.TURN
    title: bool = True
    notice: bool = True


def own_calls() -> Calls:
    """Return what the player has chosen for bell, title and notices."""
    return Calls(chosen(BELL), chosen(TITLE), chosen(NOTICE))


def takes_titles(environment: Mapping[str, str]) -> bool:
    """Return True if the terminal is known to have a title; others might print the codes."""
    return environment.get("TERM", "").startswith(_TITLED) or "WT_SESSION" in environment


def notice_codes(environment: Mapping[str, str], text: str) -> str:
    """Return the codes for a desktop notice; empty if no codes are known for this terminal.

    Empty inside tmux and screen, where nothing tells what the outer terminal knows. `text` goes in
    as it is, so it must be made visible first.
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
    """Return the title: "your turn", or else whose table it is, or else the program's name.

    A turn that the program plays by itself does not count.
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
    """The calls for a player's attention: one for each turn, however often the turn is shown."""

    emit: Callable[[str], None]
    """Writes control codes to the terminal."""
    environment: Mapping[str, str]
    now: Callable[[], float]
    """A clock, in seconds."""
    calls: Calls
    """The player's settings."""
    _rung: Table | None = None
    _title: str = ""
    _key_at: float = 0.0

    def take(self, occasion: Occasion) -> None:
        """Call the player for a turn, once, or for a loud notice; else do nothing.

        For a turn, ring the bell and, after ten seconds without a key, show a desktop notice. For a
        loud notice, ring the bell if it is set to everything, unless a key was pressed in the last
        second.
        """
        match occasion:
            case TableShown(scene) if scene.can_move and self._rung != scene.table:
                self._rung = scene.table
                self.ring(Bell.TURN, Bell.ALL)
                self._notify(say("your turn"))
            case NoticeShown(notice=notice) if isinstance(notice, _LOUD):
                if self._idle_s() >= _JUST_NOW_S:  # not for something that the player has just done
                    self.ring(Bell.ALL)
            case _:
                pass

    def _notify(self, text: str) -> None:
        """Show a desktop notice to somebody who has pressed no key for ten seconds.

        Do nothing if notices are off, or if no codes for them are known.
        """
        away = self._idle_s() >= _AWAY_S
        if self.calls.notice and away and (codes := notice_codes(self.environment, text)):
            self.emit(codes)

    def _idle_s(self) -> float:
        return self.now() - self._key_at

    def key_pressed(self) -> None:
        """Note that somebody is at the keyboard now."""
        self._key_at = self.now()

    def place_is(self, place: CompletionContext) -> None:
        """Keep the title up to date from the first table on, and save the old title.

        Write nothing if the title has not changed, titles are off, or the terminal takes none.
        """
        begins = place is not None or bool(self._title)
        if not begins or not self.calls.title or not takes_titles(self.environment):
            return
        before, self._title = self._title, title_text(place)
        if self._title != before:
            self.emit(f"{'' if before else _SAVE}\x1b]2;{self._title}\x1b\\")

    def end(self) -> None:
        """Restore the old title, if another was set."""
        if self._title:
            self.emit(_RESTORE)
            self._title = ""

    def ring(self, *settings: Bell) -> None:
        """Ring the bell if the player has set it to one of these."""
        if self.calls.bell in settings:
            self.emit("\a")
