"""The states of a peer that comes to a table, and the events that change them [peer.md §7].

There are five machines, each with a union of states and a table. `Joiner` drives them one by one:
no machine's table refers to the states of another.
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from netgame.frozen import FrozenStruct

# ---- the person's purpose -----------------------------------------------------------------------


class WantsSeat(FrozenStruct):
    """The person wants a seat, or has one."""


class LooksOn(FrozenStruct):
    """The person wants no seat now; in the lobby we tell nobody."""


class SaysItWatches(FrozenStruct):
    """The person wants no seat, and we tell the members so, even in the lobby."""


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
    """The lobby's host has had no link yet; a person may first have to type a join code."""


class HostHere(FrozenStruct):
    """The lobby's host has a link here."""


class HostLost(FrozenStruct):
    """The lobby's host had a link, and has had none since `since`."""

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

# ---- the request to the host in the lobby -------------------------------------------------------


class Unasked(FrozenStruct):
    """We have not asked the host over this link; we do if our seat is lacking or has moved."""


class AskingAnew(FrozenStruct):
    """We ask the host in any case, even for a seat that we have."""


class Asked(FrozenStruct):
    """We asked the host when step `step` was due, and the log has no seat of ours yet."""

    step: int


class Admitted(FrozenStruct):
    """We asked the host when step `step` was due, and the log has our seat."""

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

# ---- the host's word on our key -----------------------------------------------------------------


class Welcome(FrozenStruct):
    """Nobody has turned our key away since the person asked for a seat."""


class TurnedAway(FrozenStruct):
    """The host, or the chair, gives our key no seat, now or later (`kicked`)."""


class WelcomeEvent(Enum):
    """The events that change whether our key is welcome."""

    KICKED = "the host answers `kicked` to one that looks on, or in the game it or the chair does"
    PROMISED = "the chair answers `later`"
    TAKE_SEAT = "the person asks for a seat"


HostsWord: TypeAlias = Welcome | TurnedAway

HOSTS_WORDS: Final[dict[tuple[type[HostsWord], WelcomeEvent], type[HostsWord]]] = {
    (Welcome, WelcomeEvent.KICKED): TurnedAway,
    (TurnedAway, WelcomeEvent.TAKE_SEAT): Welcome,
    (TurnedAway, WelcomeEvent.PROMISED): Welcome,
}

# ---- the request to the members in the game -----------------------------------------------------


class Seating(NamedTuple):
    """A seating for which a peer can ask: the session, and the step since which it is open."""

    session: bytes
    since: int


class NotAsking(FrozenStruct):
    """We have a seat, want none, or have not asked for one yet."""


class Applying(FrozenStruct):
    """We ask every member for a seat in this seating, and have no promise."""

    seating: Seating


class Promised(FrozenStruct):
    """We have asked for a seat in this seating, and the chair has promised one."""

    seating: Seating


class PromisedEarly(FrozenStruct):
    """The chair promised us a seat before our log had come to the seating."""


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
