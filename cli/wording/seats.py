"""Answers to a request for a seat: a promise, or the reason for a refusal."""

from collections.abc import Mapping
from typing import Final

from cli.language import say
from netgame.protocol.notices import SeatLater
from netgame.protocol.seating import NoSeat, WhyNoSeat


def seat_later_text(answer: SeatLater) -> str:
    """Return a sentence on when the player gets a seat or their old one, or why they get none."""
    if answer.no_seat is not None:
        return no_seat_text(answer.no_seat)
    text = "The game has begun: you watch round {number} and get a seat when round {next} is dealt."
    if answer.returns:
        text = (
            "You are back at the table: you watch round {number}, and get your old seat when round "
            "{next} is dealt."
        )
    if not answer.watched:
        text = "The game has begun: you watch, and get a seat at the next round."
    return say(text, number=answer.watched, next=answer.watched + 1)


def no_seat_text(no_seat: NoSeat) -> str:
    """Return a sentence saying why there is no seat."""
    return say(NO_SEAT[no_seat.why], number=no_seat.number)


NO_SEAT: Final[Mapping[WhyNoSeat, str]] = {
    WhyNoSeat.KEY: "Your request for a seat came from another program: ask again.",
    WhyNoSeat.STALE: "This request for a seat is out of date; ask again.",
    WhyNoSeat.SEATED: "This key already has a seat at the table.",
    WhyNoSeat.TAKEN: "All {number} seats at this table are taken.",
    WhyNoSeat.TOO_OFTEN: (
        "People have come and gone here too often; the host can open a new table."
    ),
    WhyNoSeat.WATCHERS: "{number} people watch this table already.",
    WhyNoSeat.FORMING: "The game at this table is just beginning; ask again in a moment.",
    WhyNoSeat.OVER: "The game at this table is over, so there is no seat any more.",
    WhyNoSeat.WATCH: "At this table people who come late only watch.",
    WhyNoSeat.PAIRS: "This table plays in pairs, so nobody sits down later.",
    WhyNoSeat.LAST_ROUND: "This is the last round: you can watch, but there is no seat.",
    WhyNoSeat.FULL: (
        "These rules allow no more than {number} seats here, and seats that were left are kept for "
        "their players: you can only watch."
    ),
    WhyNoSeat.KICKED: (
        "You were kicked, so there is no seat for you here. To come in again, ask whoever kicked "
        "you to type allow and your name."
    ),
    WhyNoSeat.CONVICTED: (
        "Your program has broken the rules: no seat for you until somebody at the table says yes."
    ),
    WhyNoSeat.OTHERS_FIRST: (
        "Others asked before you, and the rules have no room for more at the next round: you "
        "watch, and get a seat if one of them no longer wants it."
    ),
    WhyNoSeat.STRANGER: (
        "Nobody at this table knows you yet: you watch, and get a seat at the next round once "
        "somebody there says yes."
    ),
    WhyNoSeat.NOBODY_THERE: (
        "Nobody at this table knows you, and nobody is at the keyboard to say yes: you watch."
    ),
    WhyNoSeat.STRANGERS: (
        "Strangers already have all the seats they may have here: they must stay fewer than "
        "the other players. You watch."
    ),
    WhyNoSeat.SILENT: (
        "You were given a seat in this game and did not answer, so you watch until somebody at the "
        "table says yes."
    ),
    WhyNoSeat.LEFT_TWICE: (
        "You left twice while the hands were being dealt, so you watch until somebody at the "
        "table says yes."
    ),
    WhyNoSeat.UNKNOWN: (
        "There is no seat for you at this table, for a reason that your version of Boneyard does "
        "not know."
    ),
}
"""The sentence for each reason; `{number}` is `NoSeat.number`."""
