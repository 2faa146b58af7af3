"""The states of a peer that comes to a table, and what moves it [peer.md §7].

Five machines, each with a union of states and a table. `Joiner` drives them, one by one: no state
of one is looked up in the table of another.
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from netgame.frozen import FrozenStruct

# ---- what the person wants ----------------------------------------------------------------------


class WantsSeat(FrozenStruct):
    """The person wants a seat, or has one."""


class LooksOn(FrozenStruct):
    """The person wants no seat now. In the lobby nobody is told."""


class SaysItWatches(FrozenStruct):
    """The person wants no seat, and the members are told so in the lobby, too."""


class PurposeEvent(Enum):
    """The events that change the purpose."""

    TAKE_SEAT = "the person asks for a seat"
    LOOK_ON = "the person wants no seat, has yet to say so, or leaves"
    WATCH = "it comes to a table to watch, or to read the rules before it sits"
    SEATLESS = "it restarts, and the log has no seat of its key"


Purpose: TypeAlias = WantsSeat | LooksOn | SaysItWatches

PURPOSES: Final[dict[tuple[type[Purpose], PurposeEvent], type[Purpose]]] = {
    (LooksOn, PurposeEvent.TAKE_SEAT): WantsSeat,
    (SaysItWatches, PurposeEvent.TAKE_SEAT): WantsSeat,
    (WantsSeat, PurposeEvent.LOOK_ON): LooksOn,
    (WantsSeat, PurposeEvent.SEATLESS): LooksOn,
    (WantsSeat, PurposeEvent.WATCH): SaysItWatches,
    (LooksOn, PurposeEvent.WATCH): SaysItWatches,
}

# ---- the host's link ----------------------------------------------------------------------------


class HostUnmet(FrozenStruct):
    """The lobby's host has had no link yet: the first may take as long as a code takes to type."""


class HostHere(FrozenStruct):
    """The lobby's host has a link here."""


class HostLost(FrozenStruct):
    """The lobby's host has had no link since then, after one that was there."""

    since: float


class HostElsewhere(FrozenStruct):
    """The game goes on without its host, which is at another table; the person was told."""


class HostEvent(Enum):
    """The events that change how the host is linked."""

    MET = "in the lobby, the host has a link"
    LOST = "in the lobby, the host has no link"
    ELSEWHERE = "in the game, the host says `hello` from another table"


HostLink: TypeAlias = HostUnmet | HostHere | HostLost | HostElsewhere

HOST_LINKS: Final[dict[tuple[type[HostLink], HostEvent], type[HostLink]]] = {
    (HostUnmet, HostEvent.MET): HostHere,
    (HostLost, HostEvent.MET): HostHere,
    (HostHere, HostEvent.LOST): HostLost,
    (HostUnmet, HostEvent.ELSEWHERE): HostElsewhere,
    (HostHere, HostEvent.ELSEWHERE): HostElsewhere,
    (HostLost, HostEvent.ELSEWHERE): HostElsewhere,
}

# ---- what is asked of the host in the lobby -----------------------------------------------------


class Unasked(FrozenStruct):
    """The host was not asked over this link: it is, for a seat that is lacking or has moved."""


class AskingAnew(FrozenStruct):
    """The host is to be asked in any case, also for the seat that is there."""


class Asked(FrozenStruct):
    """The host was asked when this step was due, and the log has no seat of ours since."""

    step: int


class Admitted(FrozenStruct):
    """The host was asked when this step was due, and the log has our seat."""

    step: int


class RequestEvent(Enum):
    """The events that change the request."""

    ASKED = "it is level with the host, has no seat, and sends `join-ask`"
    ASKED_AGAIN = "it is level with the host, has a seat, and sends `join-ask`"
    SEATED = "the log has its seat"
    SEAT_GONE = "the log has its seat no more, and the host is here"
    LINK_GONE = "the link to the host ends, or another takes its place"
    ASK_ANEW = "it has another name, or the host answers `stale` and the log has come on"


Request: TypeAlias = Unasked | AskingAnew | Asked | Admitted

REQUESTS: Final[dict[tuple[type[Request], RequestEvent], type[Request]]] = {
    (Unasked, RequestEvent.ASKED): Asked,
    (AskingAnew, RequestEvent.ASKED): Asked,
    (Unasked, RequestEvent.ASKED_AGAIN): Admitted,
    (AskingAnew, RequestEvent.ASKED_AGAIN): Admitted,
    (Asked, RequestEvent.SEATED): Admitted,
    (Admitted, RequestEvent.SEAT_GONE): Unasked,
    (Asked, RequestEvent.LINK_GONE): Unasked,
    (Admitted, RequestEvent.LINK_GONE): Unasked,
    (Unasked, RequestEvent.ASK_ANEW): AskingAnew,
    (Asked, RequestEvent.ASK_ANEW): AskingAnew,
    (Admitted, RequestEvent.ASK_ANEW): AskingAnew,
}

# ---- what the host has said of our key ----------------------------------------------------------


class Welcome(FrozenStruct):
    """Nobody has turned our key away since the person asked for a seat."""


class TurnedAway(FrozenStruct):
    """The host, or the chair, gives our key no seat, now or later (`kicked`)."""


class WelcomeEvent(Enum):
    """The events that change whether our key may come."""

    KICKED = "the host answers `kicked` to one that looks on, or in the game it or the chair does"
    PROMISED = "the chair answers `later`"
    TAKE_SEAT = "the person asks for a seat"


HostsWord: TypeAlias = Welcome | TurnedAway

HOSTS_WORDS: Final[dict[tuple[type[HostsWord], WelcomeEvent], type[HostsWord]]] = {
    (Welcome, WelcomeEvent.KICKED): TurnedAway,
    (TurnedAway, WelcomeEvent.TAKE_SEAT): Welcome,
    (TurnedAway, WelcomeEvent.PROMISED): Welcome,
}

# ---- what is asked of the members later ---------------------------------------------------------


class Seating(NamedTuple):
    """A seating that one can ask for: the session, and the step since which it is open."""

    session: bytes
    since: int


class NotAsking(FrozenStruct):
    """It has a seat, wants none, or has not come to ask for one."""


class Applying(FrozenStruct):
    """It asks every member for a seat in this seating, and has no promise."""

    seating: Seating


class Promised(FrozenStruct):
    """It has asked for a seat in this seating, and the chair has promised one."""

    seating: Seating


class PromisedEarly(FrozenStruct):
    """The chair has promised a seat before this log has come to the seating."""


class SeatingEvent(Enum):
    """The events that change the request for a seat at the next round."""

    SEATED = "it has a seat"
    NEW_SEATING = "it wants a seat, has none, and the log is in another seating"
    LOOKS_ON = "it wants no seat"
    PROMISED = "the chair answers `later`"
    DENIED = "the chair answers that there is no seat, or the log says so"


NextSeat: TypeAlias = NotAsking | Applying | Promised | PromisedEarly

NEXT_SEATS: Final[dict[tuple[type[NextSeat], SeatingEvent], type[NextSeat]]] = {
    (NotAsking, SeatingEvent.NEW_SEATING): Applying,
    (Applying, SeatingEvent.NEW_SEATING): Applying,
    (Promised, SeatingEvent.NEW_SEATING): Applying,
    (PromisedEarly, SeatingEvent.NEW_SEATING): Applying,
    (NotAsking, SeatingEvent.PROMISED): PromisedEarly,
    (Applying, SeatingEvent.PROMISED): Promised,
    (Promised, SeatingEvent.DENIED): Applying,
    (PromisedEarly, SeatingEvent.DENIED): NotAsking,
    (Applying, SeatingEvent.LOOKS_ON): NotAsking,
    (Promised, SeatingEvent.LOOKS_ON): NotAsking,
    (PromisedEarly, SeatingEvent.LOOKS_ON): NotAsking,
    (Applying, SeatingEvent.SEATED): NotAsking,
    (Promised, SeatingEvent.SEATED): NotAsking,
    (PromisedEarly, SeatingEvent.SEATED): NotAsking,
}
