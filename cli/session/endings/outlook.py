"""The next table, as one person of the company knows it: a state machine.

`NextTable` keeps the state, acts on its changes, and answers `again` by the state:

    PLAYING, REOPENING, WITHOUT_HOST    too early; a script's `again` is kept for later
    MAY_OPEN, ALL_IN                    this host opens the next table
    WAITING, AWAY                       the others hear that this person is in, and the person waits
    GONE                                the first person in seat order whom others can reach opens
                                        it instead of the host; all others wait for that
    Opened                              the person goes there
"""

from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct


class AfterGame(Enum):
    """The state as long as no next table is known."""

    PLAYING = "the game is not over; it may not have begun"
    REOPENING = "the host has closed its lobby, and may open the table anew"
    WITHOUT_HOST = "the host is at another table, and others may still play on here"
    MAY_OPEN = "the game is over, and this program opens the next table"
    ALL_IN = "the same, and all other people have said that they are in"
    WAITING = "the game is over or deserted; the host answers at its door, and has no other table"
    AWAY = "nobody answers at the host's door: it goes from table to table, or has left"
    GONE = "nobody has answered there for long"


class Opened(Struct, frozen=True):
    """The next table, which somebody has opened."""

    where: str
    """Its address."""
    host: bytes
    """The key of the player who has opened it."""


Outlook: TypeAlias = AfterGame | Opened


class Learnt(Enum):
    """The news that changes the state."""

    LOBBY_CLOSED = "the host closes its lobby"
    OVER_AS_HOST = "the game is over, at this program's own table"
    OVER_AS_GUEST = "the game is over, at somebody else's table"
    HOST_MOVED = "the host says that it is at another table"
    ALL_GONE = "all others have gone from it"
    OTHERS_IN = "the last of the others says that they are in"
    ANSWER = "the host answers, without another table"
    NO_ANSWER = "nobody answers at the host's door"
    SILENCE = "nobody has answered there for `GIVE_UP_S`"
    TABLE = "the host answers, with another table"
    STAND_IN = "a player who opens it in the host's place answers, with another table"


TRANSITIONS: Final[dict[tuple[AfterGame, Learnt], AfterGame | type[Opened]]] = {
    (AfterGame.PLAYING, Learnt.LOBBY_CLOSED): AfterGame.REOPENING,
    (AfterGame.PLAYING, Learnt.OVER_AS_HOST): AfterGame.MAY_OPEN,
    (AfterGame.PLAYING, Learnt.OVER_AS_GUEST): AfterGame.WAITING,
    (AfterGame.PLAYING, Learnt.HOST_MOVED): AfterGame.WITHOUT_HOST,
    (AfterGame.WITHOUT_HOST, Learnt.OVER_AS_GUEST): AfterGame.WAITING,
    (AfterGame.WITHOUT_HOST, Learnt.ALL_GONE): AfterGame.WAITING,
    (AfterGame.MAY_OPEN, Learnt.OTHERS_IN): AfterGame.ALL_IN,
    (AfterGame.WAITING, Learnt.NO_ANSWER): AfterGame.AWAY,
    (AfterGame.AWAY, Learnt.ANSWER): AfterGame.WAITING,
    (AfterGame.AWAY, Learnt.SILENCE): AfterGame.GONE,
    (AfterGame.GONE, Learnt.ANSWER): AfterGame.WAITING,
    (AfterGame.REOPENING, Learnt.TABLE): Opened,
    (AfterGame.WAITING, Learnt.TABLE): Opened,
    (AfterGame.AWAY, Learnt.TABLE): Opened,
    (AfterGame.GONE, Learnt.TABLE): Opened,
    (AfterGame.GONE, Learnt.STAND_IN): Opened,
}
"""The next state, by state and news; no other pair changes anything."""


def after(outlook: Outlook, learnt: Learnt, where: str = "", host: bytes = b"") -> Outlook:
    """Return the state after this news.

    If a table was opened, `where` is its address, and `host` the key of the player who opened it.
    """
    if isinstance(outlook, Opened):
        return outlook
    then = TRANSITIONS.get((outlook, learnt), outlook)
    return then if isinstance(then, AfterGame) else then(where, host)
