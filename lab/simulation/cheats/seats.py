"""Cheats about who sits: requests used for another seating, and floods that are to wear others out.

The host has a second key in its pocket, which asks for whatever seat is wanted.
"""

from typing import Final

from lab.simulation.cheats.cheat import Bend, Cheat, How, flip
from lab.simulation.cheats.deal import ANY_TIME
from netgame.crypto.signing import make_signing_key
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import REQUEST_DOMAIN
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode

_ROUNDS: Final = wire.Settings("standard", (), 6, 3, 3, 3)
_PATIENT: Final = wire.Settings("standard", (), 6, 3, 1, 4)
"""Nobody is given up for the minute in which who floods the others is kept out."""
_FLOOD: Final = 200
"""Messages: many times what any allowance gives at once, but for pulls."""
_IN_A_FRAME: Final = 250
"""As many of the smallest entries as fit one."""


def _asked(table: bytes, step: int) -> wire.Admit:
    """What the second key signs for the seating at this step of this log."""
    pocket = make_signing_key(bytes(range(32)))
    request = encode(wire.JoinRequest(table, step, pocket.public_bytes, "Eve", (), bot=False))
    return wire.Admit(request, pocket.sign(REQUEST_DOMAIN, request))


# ---- in the lobby -----------------------------------------------------------------------------


def _admits_of_another_table(core: Core, _: wire.Close) -> wire.Admit:
    return _asked(flip(core.state.log_id), core.state.step)


def _admits_too_soon(core: Core, _: wire.Close) -> wire.Admit:
    return _asked(core.state.log_id, core.state.step + 1)


# ---- with the scores --------------------------------------------------------------------------


def _seats(scored: wire.RoundOver, *admits: wire.Admit) -> wire.RoundOver:
    return wire.RoundOver(scored.scores, admits)


def _seats_of_an_earlier_round(core: Core, scored: wire.RoundOver) -> wire.RoundOver | None:
    """By a request that was good for the scores before these."""
    state = core.state
    begun = state.company.sessions[-1][0]
    if state.seating_since <= begun:
        return None
    return _seats(scored, _asked(state.log_id, state.seating_since - 1))


def _seats_of_the_lobby(core: Core, scored: wire.RoundOver) -> wire.RoundOver:
    return _seats(scored, _asked(core.state.table_id, 1))


def _seats_of_another_table(core: Core, scored: wire.RoundOver) -> wire.RoundOver:
    return _seats(scored, _asked(flip(core.state.log_id), core.state.step))


def _seats_of_a_round_to_come(core: Core, scored: wire.RoundOver) -> wire.RoundOver:
    return _seats(scored, _asked(core.state.log_id, core.state.step + 1))


def _seats_twice(core: Core, scored: wire.RoundOver) -> wire.RoundOver:
    both = _asked(core.state.log_id, core.state.step)
    return _seats(scored, both, both)


def _seats_who_left(core: Core, scored: wire.RoundOver) -> wire.RoundOver | None:
    """Who has left sits down again, by the request that it signed for its first seat."""
    state = core.state
    gone = {state.seats[seat].key for seat in state.gone}
    said = (each.payload for step in core.ledger.steps[: state.company.seats_step] for each in step)
    asked = (each for each in said if isinstance(each, wire.Admit))
    old = next((each for each in asked if decode(each.request, wire.JoinRequest).key in gone), None)
    return None if old is None else _seats(scored, old)


# ---- floods -----------------------------------------------------------------------------------


def _talks(core: Core, payload: wire.Payload) -> wire.Payload:
    for _ in range(_FLOOD):
        core.place.links.tell_all(wire.Chat("!"))
    return payload


def _accuses(core: Core, payload: wire.Payload) -> wire.Payload:
    """What stands in everybody's log, said to convict somebody."""
    (opening, *_) = core.ledger.steps[0]
    for _ in range(_FLOOD):
        core.place.links.tell_all(wire.Evidence((opening.signed,)))
    return payload


def _wishes(core: Core, payload: wire.Payload) -> wire.Payload:
    """To sit where it sits, not to sit, and to sit again."""
    admit = _asked(core.state.log_id, core.state.step)
    for _ in range(_FLOOD // 2):
        core.place.links.tell_all(wire.JoinAsk(admit.request, admit.signature))
        core.place.links.tell_all(wire.Watch("Eve"))
    return payload


def _pulls(core: Core, payload: wire.Payload) -> wire.Payload:
    for _ in range(_FLOOD):
        core.place.links.tell_all(wire.Pull(core.state.step, b"", 0))
    return payload


def _foretells(core: Core, payload: wire.Payload) -> wire.Payload:
    """Answers that nobody asked for: steps to come, each nearer than those told before."""
    state, step = core.state, core.state.step + _FLOOD * _IN_A_FRAME
    for _ in range(_FLOOD):
        entries = []
        for _ in range(_IN_A_FRAME):
            body = wire.Body(state.log_id, step, bytes(64), 0, 0, wire.Checked(0))
            entries.append(wire.SignedEntry(encode(body), bytes(64)))
            step -= 1
        core.place.links.tell_all(wire.Pulled(tuple(entries)))
    return payload


_IN_LOBBY: Final = (
    ("an admission by a request of another table", _admits_of_another_table),
    ("an admission before it was asked for", _admits_too_soon),
)
_WITH_SCORES: Final = (
    ("a latecomer by a request of an earlier round", _seats_of_an_earlier_round),
    ("a latecomer by a request of the lobby", _seats_of_the_lobby),
    ("a latecomer by a request of another table", _seats_of_another_table),
    ("a latecomer before it has asked", _seats_of_a_round_to_come),
    ("a latecomer seated twice", _seats_twice),
)
_FLOODS: Final = (
    ("a flood of talk", _talks),
    ("a flood of evidence", _accuses),
    ("a flood of wishes", _wishes),
    ("a flood of pulls", _pulls),
)


def _at_scores(name: str, bend: Bend) -> Cheat:
    """A cheat of the chair's, with the scores of a round after which others follow."""
    how = How.INSTEAD
    return Cheat(
        name, (wire.RoundOver,), bend, CheckCode.SHAPE, how, None, Phase.SCORE, _ROUNDS, host=True
    )


_WHO_LEFT: Final = wire.Settings("standard", (), 6, 4, 3, 3, ("leaver=rebuild", "patience=minute"))

SEAT_CHEATS: Final = (
    *(Cheat(name, (wire.Close,), bend, CheckCode.SHAPE) for name, bend in _IN_LOBBY),
    *(_at_scores(name, bend) for name, bend in _WITH_SCORES),
    Cheat(
        "a seat for who has left, by its first request",
        (wire.RoundOver,),
        _seats_who_left,
        CheckCode.SHAPE,
        phase=Phase.SCORE,
        place=_WHO_LEFT,
        leaver=True,
        host=True,
    ),
    *(Cheat(name, ANY_TIME, bend, None, How.IDLE) for name, bend in _FLOODS),
    Cheat(
        "a flood of steps to come",
        (wire.Lay,),
        _foretells,
        None,
        How.IDLE,
        phase=Phase.PLAY,
        place=_PATIENT,
        floods=True,
    ),
)
"""In the order of the game; floods at last."""
