"""Answers to a request for a seat, before or during the game: a promise, or a reason why not.

Host and chair send a sentence over the link. A program that reads the same in its own log knows the
reason as well, and can say it in its player's language.
"""

from enum import Enum
from typing import Final, Self

from netgame.frozen import FrozenStruct

PROMISE: Final = (
    "The game has begun: you watch round {number} and get a seat when round {next} is dealt."
)
"""The chair's promise, with the numbers of the round in play, counted from 1, and of the next."""


BEGUN: Final = "The game at this table has begun; wait for the next one."
ANOTHER_TIME: Final = "This request for a seat is out of date; ask again."
TOO_OFTEN: Final = "People have come and gone here too often; the host can open a new table."
YOU_WATCH: Final = "The game has begun: you watch."
ANSWERS: Final = (BEGUN, ANOTHER_TIME, TOO_OFTEN, YOU_WATCH)
"""Answers other than the reasons below; the hearing program may translate them."""


def promise_text(number: int) -> str:
    """The promise of a seat when the round after `number` is dealt, in English.

    `number` is that of the round to watch, counted from 1.
    """
    return PROMISE.format(number=number, next=number + 1)


class WhyNoSeat(Enum):
    """The reasons for which there is no seat, each with its code as value and its sentence.

    `{number}` in a sentence stands for the number of `NoSeat`.
    """

    _value_: str
    sentence: str

    FORMING = "started", "The game at this table is just beginning; ask again in a moment."
    SEATED = "seated", "This key already has a seat at the table."
    TAKEN = "taken", "All {number} seats at this table are taken."
    KICKED = (
        "kicked",
        "The host has taken your seat back. To come in again, ask them to type allow and your "
        "name.",
    )
    OVER = "over", "The game at this table is over, so there is no seat any more."
    WATCH = "watch", "At this table people who come late only watch."
    PAIRS = "pairs", "This table plays in pairs, so nobody sits down later."
    LAST_ROUND = "last-round", "This is the last round: you can watch, but there is no seat."
    FULL = (
        "full",
        "These rules allow no more than {number} seats here, and seats that were left are kept for "
        "their players: you can only watch.",
    )
    OTHERS_FIRST = (
        "others-first",
        "Others asked before you, and the rules have no room for more at the next round: you "
        "watch, and get a seat if one of them no longer wants it.",
    )

    STRANGER = (
        "stranger",
        "Nobody at this table knows you yet: you watch, and get a seat at the next round once "
        "somebody there says yes.",
    )
    NOBODY_THERE = (
        "nobody-there",
        "Nobody at this table knows you, and nobody is at the keyboard to say yes: you watch.",
    )
    STRANGERS = (
        "strangers",
        "Strangers have as many seats here as they may: they must stay fewer than the other "
        "players. You watch.",
    )
    SILENT = (
        "silent",
        "You were given a seat in this game and did not answer, so you watch until somebody at the "
        "table says yes.",
    )
    LEFT_TWICE = (
        "left-twice",
        "You left twice while the hands were being dealt, so you watch until somebody at the "
        "table says yes.",
    )
    CONVICTED = (
        "convicted",
        "Your program has broken the rules: no seat for you until somebody at the table says yes.",
    )

    def __new__(cls, code: str, sentence: str) -> Self:
        """Make a member whose value is its code."""
        member = object.__new__(cls)
        member._value_, member.sentence = code, sentence
        return member

    @property
    def may_be_lifted(self) -> bool:
        """True if the person of the chair can say yes to this key all the same (`allow`)."""
        return self in _LIFTED

    @property
    def is_of_chair(self) -> bool:
        """True if the chair alone knows this reason: no log shows it, and it may pass."""
        return self in _OF_CHAIR


_LIFTED: Final = frozenset(
    {
        WhyNoSeat.STRANGER,
        WhyNoSeat.NOBODY_THERE,
        WhyNoSeat.SILENT,
        WhyNoSeat.LEFT_TWICE,
        WhyNoSeat.CONVICTED,
    }
)
_OF_CHAIR: Final = _LIFTED | {WhyNoSeat.OTHERS_FIRST, WhyNoSeat.STRANGERS}


def reason_of_chair(sentence: str) -> WhyNoSeat | None:
    """The reason that a chair has sent as this sentence; None if it is none of the chair's own."""
    return next((why for why in WhyNoSeat if why.is_of_chair and why.sentence == sentence), None)


class NoSeat(FrozenStruct):
    """Why there is no seat; `number` is the number of seats, if the sentence names it."""

    why: WhyNoSeat
    number: int = 0

    @property
    def sentence(self) -> str:
        """The reason in English, with `number` filled in."""
        return self.why.sentence.format(number=self.number)


# ---- what the person of a seat is told ---------------------------------------------------------


class SeatAsked(FrozenStruct):
    """Somebody asks for a seat who gets one if our person, in the chair, says yes (`allow`)."""

    name: str
    """Cleaned, and that of no member; another watcher may have the same."""
    fingerprint: str
    """That of the key, as the name tells nobody for certain."""
    why: WhyNoSeat
    """What stands against it."""


class StrangersLead(FrozenStruct):
    """Strangers, these, are now more than half of the `votes` on who goes on."""

    names: tuple[str, ...]
    votes: int
