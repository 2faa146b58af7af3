"""Answers to a request for a seat, before or during the game: a promise, or a reason why not.

On a link they are codes with numbers; `cli.wording` words them, each program in its own language.
"""

from enum import Enum
from typing import Final, Self

from netgame.frozen import FrozenStruct
from netgame.wire.messages import JoinAnswer

CLOSED: Final = "closed"
"""The code with which a host says that it closes its table before the game."""

LATER: Final = "later"
"""The code of the chair's promise: a seat at the round after the one whose number comes with it."""


class Giver(Enum):
    """The one who can refuse a seat for a given reason."""

    HOST = "the host, in its lobby"
    CHAIR = "the chair, in the game"
    BOTH = "either"


class WhyNoSeat(Enum):
    """The reasons why there is no seat, each with its code and with who can give that reason."""

    _value_: str
    giver: Giver
    may_be_lifted: bool
    """The person of the chair can say yes to this key all the same (`allow`)."""

    # shown to everybody by the log
    KEY = "key", Giver.HOST
    """The request is for a different key from that of the link."""
    STALE = "stale", Giver.HOST
    """The request is no longer good: the joiner asks again when its log has moved on."""
    SEATED = "seated", Giver.BOTH
    """This key has a seat."""
    TAKEN = "taken", Giver.HOST
    """All seats are taken; the answer has their number."""
    TOO_OFTEN = "too-often", Giver.HOST
    """People have come and gone so often that the log of the lobby is full."""
    WATCHERS = "watchers", Giver.HOST
    """Too many watch already, so the link ends; the answer has their number."""
    FORMING = "started", Giver.CHAIR
    """The game is just beginning."""
    OVER = "over", Giver.CHAIR
    WATCH = "watch", Giver.CHAIR
    """Latecomers only watch at this table."""
    PAIRS = "pairs", Giver.CHAIR
    """The table plays in pairs."""
    LAST_ROUND = "last-round", Giver.CHAIR
    FULL = "full", Giver.CHAIR
    """The rules allow no more seats than there have been; the answer has their number."""

    # decided by the host or the chair
    KICKED = "kicked", Giver.BOTH
    """The seat was taken back, and this key gets no other."""
    CONVICTED = "convicted", Giver.BOTH, True
    """The program with this key has broken the rules."""
    OTHERS_FIRST = "others-first", Giver.CHAIR
    """Others asked earlier, and there is no room for more."""
    STRANGER = "stranger", Giver.CHAIR, True
    """Nobody here knows this key."""
    NOBODY_THERE = "nobody-there", Giver.CHAIR, True
    """Nobody here knows this key, and nobody is at the keyboard to say yes."""
    STRANGERS = "strangers", Giver.CHAIR
    """Strangers have as many seats as they may."""
    SILENT = "silent", Giver.CHAIR, True
    """This key was given a seat in this game, and did not answer."""
    LEFT_TWICE = "left-twice", Giver.CHAIR, True
    """This key has left twice while it owed shares of the hands."""
    UNKNOWN = "unknown", Giver.BOTH
    """A code that this program does not know, or one without its number."""

    def __new__(cls, code: str, giver: Giver, may_be_lifted: bool = False) -> Self:  # noqa: FBT001, FBT002
        """Make a member whose value is its code."""
        member = object.__new__(cls)
        member._value_, member.giver, member.may_be_lifted = code, giver, may_be_lifted
        return member

    @property
    def is_of_chair(self) -> bool:
        """True if it is up to the chair whether this reason applies, or if it is `UNKNOWN`.

        The log does not show such a reason, and it may cease to apply.
        """
        return self.may_be_lifted or self in _PASSING

    @property
    def has_number(self) -> bool:
        """True if an answer with this reason also contains a number."""
        return self in _NUMBERED


_PASSING: Final = frozenset({WhyNoSeat.OTHERS_FIRST, WhyNoSeat.STRANGERS, WhyNoSeat.UNKNOWN})
_NUMBERED: Final = frozenset({WhyNoSeat.TAKEN, WhyNoSeat.FULL, WhyNoSeat.WATCHERS})
_BY_CODE: Final = {why.value: why for why in WhyNoSeat}


class NoSeat(FrozenStruct):
    """The reason why there is no seat; `number` is part of it only if `why.has_number`."""

    why: WhyNoSeat
    number: int = 0

    def answer(self) -> JoinAnswer:
        """Return the message that tells a joiner this reason."""
        return JoinAnswer(self.why.value, (self.number,) if self.why.has_number else ())


def no_seat_of(answer: JoinAnswer) -> NoSeat:
    """Return the reason that an answer gives, or `UNKNOWN` if this program cannot read it.

    Any numbers that do not belong to the reason are ignored.
    """
    why = _BY_CODE.get(answer.code, WhyNoSeat.UNKNOWN)
    if not why.has_number:
        return NoSeat(why)
    return NoSeat(why, answer.numbers[0]) if answer.numbers else NoSeat(WhyNoSeat.UNKNOWN)


# ---- notices for the person of a seat ----------------------------------------------------------


class SeatAsked(FrozenStruct):
    """Somebody asks for a seat, and gets one if our person, in the chair, says yes (`allow`)."""

    name: str
    """Cleaned, and different from every member's; another watcher may have the same."""
    fingerprint: str
    """The key's fingerprint, because the name tells nobody for certain."""
    why: WhyNoSeat
    """The reason against giving the seat."""


class StrangersLead(FrozenStruct):
    """The strangers `names` now have more than half of the `votes` on who goes on."""

    names: tuple[str, ...]
    votes: int


class VoteWithheld(FrozenStruct):
    """Our program will not give this player a vote unless our person says yes (`allow`).

    It would have to trust the chair about this player.
    """

    name: str
