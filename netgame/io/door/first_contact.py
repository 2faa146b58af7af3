"""First contact: both ends prove that they know the join code, the client first.

    server -> CodeAnswer(message)
    client -> CodeProof(proof)
    server -> CodeProof(proof), or Verdict

The client's message came with its `ClientProof`. A client that breaks off before its proof has
learned nothing, so nothing is counted; a wrong proof is counted [peer.md §5].

SPAKE2 in Python takes longer for some codes than for others. To hide this, every message that
depends on a code is sent a whole number of beats after the message that it answers arrived. A beat
is long enough for the work to be done.
"""

import hmac
import math
from collections.abc import Callable
from types import UnionType
from typing import Final, TypeVar, cast

import trio

from netgame import limits
from netgame.errors import Refused
from netgame.frozen import FrozenStruct
from netgame.io.door import pake
from netgame.io.door.admission import OK, WRONG_CODE, Door
from netgame.io.links import FramedStream
from netgame.io.work import apart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import CodeAnswer, CodeProof, Verdict

_ROUNDING: Final = 1e-9
"""Tolerance for float error: a moment this close to a beat counts as past it."""

_WRONG_CODE: Final = "the join code is wrong, or somebody stands between you and that table"
_NOT_THE_HOST: Final = (
    "the program that answers there does not know the join code: it is not the table you mean"
)

M = TypeVar("M", CodeAnswer, CodeProof)
T = TypeVar("T")

_ONE_AT_A_TIME: Final = trio.CapacityLimiter(1)
"""SPAKE2 is pure Python: more runs at once would only slow down the game."""


class CodeOpening(FrozenStruct):
    """A client's first SPAKE2 message, with the parties and the handshake to which it belongs."""

    message: bytes
    parties: pake.Parties
    handshake: bytes
    """The hash of the handshake."""


async def hear_code(frames: FramedStream, door: Door, source: str, opening: CodeOpening) -> Verdict:
    """Do the server's part of SPAKE2; the client shows its proof first.

    Returns `OK` once the door has noted the key and the server's proof is sent, `WRONG_CODE` for a
    wrong proof, or the verdict that forbids a try. The door counts a wrong proof. If the code has
    been replaced during the run, the result is `WRONG_CODE` whatever the client shows, so that
    several runs at once give no extra guess. Raises `Malformed` for a bad opening message, before
    the code is used, or for another message instead of the proof, and the errors of the frames.
    """
    came = trio.current_time()
    code = door.begin_try(source, came)
    if isinstance(code, Verdict):
        return code

    def answer() -> tuple[bytes, pake.Finish]:
        pake.check_opening(opening.message)
        return pake.begin("server", code, opening.parties)

    message, finish = await in_turn(answer)
    proofs = await in_turn(lambda: finish(opening.message, opening.handshake))
    await on_beat(came)
    await frames.send_frame(encode(CodeAnswer(message)))
    shown = decode(await frames.receive_frame(), CodeProof)
    await on_beat(came)
    is_right = hmac.compare_digest(shown.proof, proofs.client)
    if door.code != code:
        return WRONG_CODE
    if not is_right:
        door.was_wrong(source, trio.current_time())
        return WRONG_CODE
    door.was_right(PeerKey(opening.parties.client), source)
    await frames.send_frame(encode(CodeProof(proofs.server)))
    return OK


async def code_answered(frames: FramedStream, finish: pake.Finish, handshake: bytes) -> pake.Proofs:
    """Read the server's message; return both proofs as soon as the client's may be sent.

    `handshake` is the hash of the handshake. Raises `Refused` if a verdict comes instead,
    `Malformed` for anything else, and the errors of the frames.
    """
    answer = await _or_verdict(frames, CodeAnswer)
    came = trio.current_time()
    proofs = await in_turn(lambda: finish(answer.message, handshake))
    await on_beat(came)
    return proofs


async def conclude(frames: FramedStream, proofs: pake.Proofs | None) -> None:
    """Send the client's proof of the code, if any; return once the server has let the client in.

    Raises `Refused` if the server refuses or does not know the code, `Malformed` for any other
    message, and the errors of the frames.
    """
    if proofs is not None:
        await frames.send_frame(encode(CodeProof(proofs.client)))
        shown = await _or_verdict(frames, CodeProof)
        if not hmac.compare_digest(shown.proof, proofs.server):
            raise Refused("not-the-host", _NOT_THE_HOST)
    check_verdict(decode(await frames.receive_frame(), Verdict))


async def _or_verdict(frames: FramedStream, kind: type[M]) -> M:
    """Read one message of `kind`; raises `Refused` for any verdict that comes instead.

    Once the proof is sent, an honest host refuses only because the code is wrong. Any other verdict
    may come from an attacker who has used a guess, and would get another if the player tried again:
    so it is reported as `not-the-host`.
    """
    message = decode_any(await frames.receive_frame(), cast("UnionType", kind | Verdict))
    if isinstance(message, Verdict):
        if message.code == WRONG_CODE.code:
            raise Refused(WRONG_CODE.code, _WRONG_CODE)
        if kind is CodeAnswer:
            check_verdict(message)
        raise Refused("not-the-host", _NOT_THE_HOST)
    return cast("M", message)


def next_beat(came: float, now: float) -> float:
    """Return the first time after `now` that is a whole number of beats after `came`.

    Times are trio's seconds; a beat is `CODE_ANSWER_S`.
    """
    beats = math.floor((now - came) / limits.CODE_ANSWER_S + _ROUNDING) + 1
    return came + beats * limits.CODE_ANSWER_S


async def on_beat(came: float) -> None:
    """Wait for the next beat counted from `came`."""
    await trio.sleep_until(next_beat(came, trio.current_time()))


async def in_turn(work: Callable[[], T]) -> T:
    """Run a part of SPAKE2 in a thread, one at a time; return its result."""
    return await apart(work, limiter=_ONE_AT_A_TIME)


def check_verdict(verdict: Verdict) -> None:
    """Raise `Refused`, with the server's words as clean text, unless the verdict is `OK`."""
    if verdict.code != OK.code:
        code = clean_text(verdict.code, limits.VERDICT_CODE_CELLS_MAX, "refused")
        raise Refused(code, clean_text(verdict.text, limits.VERDICT_TEXT_CELLS_MAX, code))
