"""The states of a peer that comes to a table, and the events that change them [peer.md §7].

There are five machines, each with a union of states and a table. `Joiner` drives each of them
separately: no machine's table refers to the states of another.
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from netgame.frozen import FrozenStruct

# ---- the person's purpose -----------------------------------------------------------------------


class WantsSeat(FrozenStruct):
    """The person wants a seat, or has one."""


class LooksOn(FrozenStruct):
    """The person does not want a seat now; in the lobby, we do not tell the members so."""


class SaysItWatches(FrozenStruct):
    """The person does not want a seat, and we tell the members so, even in the lobby."""


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
    """We have had no link to the lobby's host yet; a person may have to type a join code first."""


class HostHere(FrozenStruct):
    """We have a link to the lobby's host."""


class HostLost(FrozenStruct):
    """We had a link to the lobby's host, but have had none since the time `since`."""

    since: float


class HostElsewhere(FrozenStruct):
    """The game goes on without its host, who is at another table; the person has been told."""


class HostEvent(Enum):
    """The events that change the state of our link to the host."""

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
    """We have not asked the host over this link.

    We will if we have no seat, or if the log has other addresses for our seat than ours.
    """


class AskingAnew(FrozenStruct):
    """We will ask the host again, even if we have a seat."""


class Asked(FrozenStruct):
    """We asked the host when step `step` was due, and the log has not given us a seat yet."""

    step: int


class Admitted(FrozenStruct):
    """We asked the host when step `step` was due, and the log gives us a seat."""

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
    """Nobody has refused our key for good since the person asked for, or was promised, a seat."""


class TurnedAway(FrozenStruct):
    """The host or the chair has refused our key a seat, now and later (`kicked`)."""


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
    """A seating in which a peer can ask for a seat: its session, and the step that opened it."""

    session: bytes
    since: int


class NotAsking(FrozenStruct):
    """We have a seat, do not want one, or have not asked for one yet."""


class Applying(FrozenStruct):
    """We are asking every member for a seat in this seating, and have not been promised one."""

    seating: Seating


class Promised(FrozenStruct):
    """We have asked for a seat in this seating, and the chair has promised one."""

    seating: Seating


class PromisedEarly(FrozenStruct):
    """The chair promised us a seat before our log had reached the seating."""


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
