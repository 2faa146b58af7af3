"""Ledgers and cores, brought to the step at which a test tries a check of protocol.md §7."""

from msgspec.structs import replace

from netgame.crypto.signing import SigningKey, make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Guilty
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.phases import BetweenTurns, Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import Driven, driven, entries_in, entries_of, played, read_until
from tests.netgame.simtable import SimTable


def stranger() -> SigningKey:
    """Return the key of somebody who has no seat."""
    return make_signing_key(b"\x07" * 32)


def at_phase(phase: Phase):
    """Return a condition that is true of states in this phase, except between turns."""
    return lambda state: state.phase is phase and not isinstance(state.now, BetweenTurns)


def at_deal(phase: DealPhase):
    """Return a condition that is true of states in this stage of a deal."""
    return lambda state: state.deal is not None and state.deal.phase is phase


def checked_by(ledger: Ledger, signed: wire.SignedEntry) -> CheckCode:
    """Return the check that an entry fails, at once or when its proof is judged.

    If it fails at once, it must convict its signer.
    """
    judged = ledger.judge(signed)
    if isinstance(judged, Accepted):
        finding = judged.judging.run(expand(bytes(32), "judge"))
        return finding.check
    assert isinstance(judged, Guilty), judged
    assert judged.fault.key == ledger.state.author_key(judged.fault.step, read_entry(signed).seat)
    assert signed in judged.fault.entries
    return judged.fault.finding.check


def honest_entry(ledger: Ledger, game: SimTable | None = None) -> wire.SignedEntry:
    """Return the first entry that the game has for the due step of this ledger."""
    entries = entries_of((game or played()).host)
    return next(each for each in entries if read_entry(each).step == ledger.state.step)


def core_at(stop) -> tuple[Driven, bytes]:
    """Return Ann's core, restarted at the first state for which `stop` is true, and Ben's key.

    The core has a link to Ben.
    """
    one = driven(read_until(stop)[1])
    ben = played().sitters[1].key
    one.link(ben)
    return one, ben


def signer_of(payload: bytes) -> int:
    """Return the number of the sitter who signed an entry of the one-round game's record."""
    (signed,) = entries_in((payload,))
    return next(
        number
        for number, sitter in enumerate(played(3, 6, 1).sitters)
        if read_entry(signed).is_by(sitter.key)
    )


def resigned(frame: bytes, by: int, **changes: object) -> bytes:
    """Return an entry of the one-round record with changed fields, signed by the sitter `by`."""
    (signed,) = entries_in((frame,))
    body = replace(decode(signed.body, wire.Body), **changes)
    return encode(wire.RecordEntry(sign_entry(played(3, 6, 1).sitters[by].signer, body)))
