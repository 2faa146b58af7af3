"""Cheats about who sits: requests reused for a different seating, and floods to exhaust peers.

The host has a second key, which asks for any seat that the cheat needs.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from lab.simulation.cheats.cheat import Cheat, How, cheat, fails_shape, flip, of_another_table
from lab.simulation.cheats.deal import ANY_TIME
from lab.simulation.computers.small_tables import small
from netgame.crypto.signing import make_signing_key
from netgame.protocol.log.entry import REQUEST_DOMAIN
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.talk import signed_chat
from netgame.protocol.state.phases import Phase
from netgame.wire.codec import decode, encode
from netgame.wire.messages import (
    Admit,
    Body,
    ChatLine,
    Checked,
    Close,
    Evidence,
    JoinAsk,
    JoinRequest,
    Lay,
    LinkMessage,
    Payload,
    PlayedBy,
    Pull,
    Pulled,
    Rival,
    RoundOver,
    Settings,
    SignedEntry,
    Watch,
)

_ROUNDS: Final = small(3, 3, rounds=3)
_PATIENT: Final = small(3, 4)
"""Its patience outlasts the minute for which a flooding peer is kept out."""
_WHO_LEFT: Final = small(4, 3, "leaver=rebuild", "patience=minute", rounds=3)
FLOOD: Final = 200
"""Messages: many times any allowance at once, except for pulls."""
_IN_A_FRAME: Final = 250
"""As many of the smallest entries as fit into a frame."""


def _asked(table: bytes, step: int) -> Admit:
    """Return the request that the second key signs for the seating at this step of this log."""
    pocket = make_signing_key(bytes(range(32)))
    request = encode(JoinRequest(table, step, pocket.public_bytes, "Eve", (), PlayedBy.TERMINAL))
    return Admit(request, pocket.sign(REQUEST_DOMAIN, request))


def _asks_now(core: Core) -> Admit:
    return _asked(core.state.log_id, core.state.step)


def _of_another_table(core: Core) -> Admit:
    return _asked(flip(core.state.log_id), core.state.step)


def _too_soon(core: Core) -> Admit:
    return _asked(core.state.log_id, core.state.step + 1)


def _of_an_earlier_round(core: Core) -> Admit | None:
    """Return a request that was valid for the previous round's scores; None in the first round."""
    state = core.state
    begun = state.company.sessions[-1][0]
    since = state.seating_since
    return None if since <= begun else _asked(state.log_id, since - 1)


def _of_who_left(core: Core) -> Admit | None:
    """Return the request that somebody who has left signed for their first seat, or None."""
    state = core.state
    gone = {state.seats[seat].key for seat in state.gone}
    begun, _ = state.company.sessions[0]
    said = (each.payload for step in core.ledger.steps[:begun] for each in step)
    asked = (each for each in said if isinstance(each, Admit))
    return next((each for each in asked if decode(each.request, JoinRequest).key in gone), None)


def _at_scores(
    name: str,
    request: Callable[[Core], Admit | None],
    times: int = 1,
    place: Settings = _ROUNDS,
    **more: Any,  # noqa: ANN401 - any other field of a cheat
) -> Cheat:
    """Return a cheat of the chair: with a round's scores, it seats the author of this request.

    It waits while there is no request, and seats the author this many `times`.
    """

    def bend(core: Core, scored: RoundOver) -> RoundOver | None:
        admit = request(core)
        return None if admit is None else replace(scored, latecomers=(admit,) * times)

    return fails_shape(name, RoundOver, bend, phase=Phase.SCORE, place=place, host=True, **more)


# ---- floods -----------------------------------------------------------------------------------


def flood(
    name: str,
    messages: Callable[[Core], Iterable[LinkMessage]],
    kinds: type[Any] | tuple[type[Any], ...] = ANY_TIME,
    **more: Any,  # noqa: ANN401 - any other field of a cheat
) -> Cheat:
    """Return a cheat that sends all these messages to all peers, besides the due entry."""

    def bend(core: Core, payload: Payload) -> Payload:
        for message in messages(core):
            core.context.links.tell_all(message)
        return payload

    return cheat(name, kinds, bend, how=How.IDLE, sign=of_another_table, **more)


def _accusations(core: Core) -> list[LinkMessage]:
    """Return the first entry of the log as evidence, many times; it convicts nobody."""
    (opening, *_) = core.ledger.steps[0]
    return [Evidence((opening.signed,))] * FLOOD


def _lines(core: Core) -> list[LinkMessage]:
    at = core.context
    return [
        signed_chat(at.signer, ChatLine(at.table_id, b"flood", number, at.name, "!"))
        for number in range(1, FLOOD + 1)
    ]


def _wishes(core: Core) -> list[LinkMessage]:
    """Return wishes for a seat, each followed by a wish to watch."""
    admit = _asks_now(core)
    return [JoinAsk(admit.request, admit.signature), Watch("Eve")] * (FLOOD // 2)


def _pulls(core: Core) -> list[LinkMessage]:
    return [Pull(core.state.step, b"", 0)] * FLOOD


def _steps_to_come(core: Core) -> Iterable[LinkMessage]:
    """Yield answers to requests that nobody made, with made-up entries of future steps.

    The steps furthest in the future come first.
    """
    last = core.state.step + FLOOD * _IN_A_FRAME
    for first in range(last, core.state.step, -_IN_A_FRAME):
        bodies = (
            Body(core.state.log_id, step, bytes(64), 0, 0, Checked(0))
            for step in range(first, first - _IN_A_FRAME, -1)
        )
        yield Pulled(tuple(SignedEntry(encode(each), bytes(64)) for each in bodies))


SEAT_CHEATS: Final = (
    fails_shape(
        "an admission by a request of another table", Close, lambda core, _: _of_another_table(core)
    ),
    fails_shape(
        "an admission before it was asked for",
        Close,
        lambda core, _: _too_soon(core),
        about="by a request for a step to come",
    ),
    _at_scores(
        "a latecomer by a request of an earlier round",
        _of_an_earlier_round,
        about="who asked with the scores before these",
    ),
    _at_scores(
        "a latecomer by a request of the lobby",
        lambda core: _asked(core.state.table_id, 1),
        about="in play, by a request for the lobby",
    ),
    _at_scores("a latecomer by a request of another table", _of_another_table),
    _at_scores(
        "a latecomer before it has asked", _too_soon, about="seated by a request for a step to come"
    ),
    _at_scores("a latecomer seated twice", _asks_now, times=2),
    _at_scores(
        "a seat for who has left, by its first request",
        _of_who_left,
        place=_WHO_LEFT,
        leaver=True,
        about=(
            "the chair seats somebody who has left for good, by the request signed in the lobby"
        ),
    ),
    flood(
        "a flood of talk",
        _lines,
        about="two hundred lines; what is over the key's allowance (peer.md 9) is ignored",
    ),
    flood(
        "a flood of evidence",
        _accusations,
        about="two hundred times that an entry of the log convicts somebody; likewise",
    ),
    flood(
        "a flood of wishes",
        _wishes,
        about="a hundred requests for a seat, each taken back; likewise",
    ),
    flood(
        "a flood of rivals",
        lambda _: [Rival()] * FLOOD,
        about=(
            "two hundred times that another program has the listener's key; it counts only "
            "before the first `head` of a later link, and then more than half of the others "
            "must say it (peer.md 2)"
        ),
    ),
    flood("a flood of pulls", _pulls, about="two hundred; each is answered within the allowance"),
    flood(
        "a flood of steps to come",
        _steps_to_come,
        Lay,
        phase=Phase.PLAY,
        place=_PATIENT,
        floods=True,
        about=(
            "two hundred answers to no question, of 250 made-up entries each, from far "
            "steps to near ones; few are kept, and when its allowance is spent it loses its "
            "links, and gets none for a minute"
        ),
    ),
)
"""In the order of the game; floods last."""
