"""Records of games that nobody played: good ones spoilt, and false ones signed by conspiring seats.

*Spoilt*: somebody without keys changes octets or frames in a stretch of a record. *Built*: all
seats, or all but one, continue a game from any place as they like. Their entries and statements may
have any wrong field. They also sign good entries at wrong places, false proofs where the toy group
allows them, and keys that cancel. Then they play on honestly for as long as the log accepts it.

The verifier must reach a verdict on each. No verdict may convict a seat that has not lied.
"""

from random import Random
from typing import Final

from lab.fuzzing.built_lies import conspire
from lab.fuzzing.mutation import mutated
from lab.fuzzing.part import Broken
from lab.fuzzing.record_games import GAMES, RecordGame, copied, played
from lab.simulation.computers.records import file_of, judged
from netgame.protocol.ledger.verdict import RecordVerdict
from netgame.protocol.ledger.verification import verdict_of
from netgame.protocol.log.entry import frame_payload, read_frames, read_statement
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import (
    EvidenceFrame,
    RecordEntry,
    RecordFrame,
    RecordStatement,
    SignedEntry,
    SignedStatement,
)

_REAL_ONCE_IN: Final = 50
"""One input in this many is made from the game with real points."""

_CHECKS: Final = (*(each.value for each in CheckCode), "", "psychic")


def _any_game(chance: Random) -> RecordGame:
    real = chance.randrange(_REAL_ONCE_IN) == 0
    return played(0 if real else chance.randrange(1, len(GAMES)))


# ---- spoilt ---------------------------------------------------------------------------------


def spoilt(chance: Random) -> bool:
    """Verify a stretch of a record whose octets or frames somebody without a key has changed.

    Return True if the verifier accepts it. Raises `Broken` if that verdict is wrong.
    """
    game = _any_game(chance)
    at = chance.randrange(len(game.payloads))
    kept = list(game.payloads[at : at + chance.choice((1, 2, 4, 8, 40))])
    octets = _changed(chance, game, kept)
    with game.kind.group():
        verdict = verdict_of(copied(game.readings[at]), octets)
    return _is_good(game, octets, verdict)


def spoilt_from_the_start(chance: Random) -> bool:
    """Do the same as `spoilt` from the first frame on, with real points."""
    game = played(0)
    octets = _changed(chance, game, list(game.payloads[: chance.randrange(1, 12)]))
    return _is_good(game, octets, judged(octets))


def _changed(chance: Random, game: RecordGame, kept: list[bytes]) -> bytes:
    """Return a file of the frames, with some of its octets or its frames changed."""
    if chance.random() < 0.4:
        return mutated(chance, (b"".join(map(frame_payload, kept)),))
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(kept) + 1)
        match chance.randrange(6):
            case 0:
                del kept[at : at + 1]
            case 1:
                kept[at:at] = kept[at : at + 1] or [game.payloads[0]]
            case 2:
                kept[at : at + 2] = reversed(kept[at : at + 2])
            case 3:
                other = _any_game(chance) if chance.random() < 0.2 else game
                kept[at : at + chance.randrange(2)] = [chance.choice(other.payloads)]
            case 4:
                kept.append(_accusation(chance, game))
            case _:
                kept[at : at + 1] = [mutated(chance, kept[at : at + 1] or game.payloads[:1])]
    return b"".join(map(frame_payload, kept))


def _accusation(chance: Random, game: RecordGame) -> bytes:
    """Return a closing frame that accuses with a random check and genuine or forged entries."""
    entries = tuple(chance.sample(game.entries(), chance.randrange(3)))
    if chance.random() < 0.3:
        entries = tuple(_forged(chance, each) for each in entries)
    said = tuple(chance.sample(game.statements, chance.randrange(len(game.statements) + 1)))
    if chance.random() < 0.5:
        said = ()
    return encode(EvidenceFrame(chance.choice(_CHECKS), entries, said))


def _forged(chance: Random, signed: SignedEntry) -> SignedEntry:
    body = mutated(chance, (signed.body,))
    return SignedEntry(body[: len(signed.body) + 64], signed.signature)


def _is_good(game: RecordGame, octets: bytes, verdict: RecordVerdict) -> bool:
    """Return True if the verdict calls the record good.

    Nobody lied in the game, so a good file may contain only frames of the game. Raises `Broken` if
    the verdict convicts a seat or accepts a strange frame.
    """
    if not verdict.ok:
        return False
    if verdict.culprit:
        raise Broken(f"an honest seat is convicted: {verdict.sentence}")
    payloads, _ = read_frames(octets)
    for strange in set(payloads) - set(game.payloads):
        if not _is_said_elsewhere(game, strange):
            raise Broken("a record was found good that nobody has played")
    return True


def _is_said_elsewhere(game: RecordGame, payload: bytes) -> bool:
    """Return True if this is a statement that a seat of the game has signed in another game.

    Games of the same people can begin in the same way, so a record may contain such a statement.
    """
    frame = decode_any(payload, RecordFrame)
    if not isinstance(frame, RecordStatement):
        return False
    said = read_statement(frame.statement)
    with game.kind.group():
        return any(said.is_by(key) for key in game.parties)


def _framed(signed: SignedEntry | SignedStatement) -> RecordEntry | RecordStatement:
    return RecordEntry(signed) if isinstance(signed, SignedEntry) else RecordStatement(signed)


# ---- built ----------------------------------------------------------------------------------


def built(chance: Random) -> bool:
    """Verify the continuation of a record that its seats made up together, signatures included.

    Return True if the verifier accepts it. Raises `Broken` if its verdict convicts only honest
    seats, or convicts nobody although an honest program crashed.
    """
    game = _any_game(chance)
    anywhere = range(1, len(game.payloads))
    at = chance.choice(game.mixing() if chance.random() < 0.3 else anywhere)
    with game.kind.group():
        made = conspire(chance, game, at)
        closing = () if made.accusation is None else (made.accusation,)
        octets = file_of((*map(_framed, made.frames), *closing))
        verdict = verdict_of(copied(game.readings[at]), octets)
    liars = {fingerprint(key) for key in made.liars}
    if verdict.ok and verdict.culprit and not any(each in verdict.culprit for each in liars):
        raise Broken(f"who has not lied is convicted: {verdict.sentence}")
    if verdict.ok and not verdict.culprit and made.crash:
        raise Broken(f"a log without a fault crashes honest seats: {made.crash}")
    return verdict.ok
