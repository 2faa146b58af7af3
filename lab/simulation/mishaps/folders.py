"""What happens to whole data folders: one is put back from a backup, one is copied and played.

Put back are the record alone, while the journal beside it is of today, or both; in the same way a
disk loses the last entry that it was to keep, or a bit of a file is flipped. Of two programs
that play with one key one stops, as soon as it hears the other; a person then closes the copy.
"""

from collections.abc import Iterable
from typing import Final

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import signed_entry
from lab.simulation.computers.world import World
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import frame_payload, read_entry, read_frames
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.text import fingerprint
from netgame.wire.messages import SignedEntry

_LOOKS_UP_S: Final = 1.0
"""How often a person looks at both screens."""

_PATIENCE_S: Final = 20.0
"""A copy that nobody has noticed by then is closed."""

_SIGNED_TWICE: Final = (CheckCode.FORK, CheckCode.CUT)
"""What a pair that one key has signed is found by."""

_COPY_NUMBER: Final = 100
_COPY_LIFE: Final = 1_000
"""Where the numbers of copies and of their lives begin: their octets are others."""


def flip_record(victim: Process, chance: Chance) -> str:
    """Flip a bit in the record of a dead process; which.

    Half of the flips hit what was written in the lobby, which is a small part of a record.
    """
    octets = len(victim.records.disk.durable)
    at = chance.below(min(octets, 1_500) if chance.once_in(2) else octets)
    victim.records.disk.flip(at, chance.below(8))
    return f"{victim.name}, octet {at}"


def flip_journal(victim: Process, chance: Chance) -> str:
    """Flip a bit in the journal of a dead process; which, or an empty string if it has none.

    Half of the flips hit its last entry, behind which nothing tells how far it was.
    """
    journal = victim.records.journal
    payloads, _ = read_frames(journal.octets)
    if not payloads:
        return ""
    octets = len(journal.durable)
    most = len(frame_payload(payloads[-1])) if chance.once_in(2) else octets
    at = octets - 1 - chance.below(most)
    journal.flip(at, chance.below(8))
    return f"{victim.name}, octet {at} of {octets}"


def cut_record(victim: Process, chance: Chance) -> str:
    """Have the record of a dead process be that of an old backup: how much of it is gone."""
    octets = 1 + chance.below(min(8_000, len(victim.records.disk.durable)))
    if chance.once_in(4):
        octets = len(victim.records.disk.durable)
    victim.records.disk.cut(octets)
    return f"{victim.name}, {octets} octets"


def put_back(victim: Process, chance: Chance, *, journal_too: bool) -> str:
    """Have the folder of a dead process be as it was some entries ago; what was put back."""
    payloads, _ = read_frames(bytes(victim.records.disk.durable))
    kept = payloads[: 1 + chance.below(max(1, len(payloads)))]
    victim.records.disk.durable[:] = b"".join(map(frame_payload, kept))
    if journal_too:
        signed, _ = read_frames(bytes(victim.records.journal.durable))
        here = set(kept)
        still = [each for each in signed if each in here]
        victim.records.journal.durable[:] = b"".join(map(frame_payload, still))
    what = "its folder" if journal_too else "its record"
    return f"{victim.name}, {what}, {len(kept)} of {len(payloads)} entries"


def forget_last(victim: Process, record: bytes, chance: Chance) -> bool:
    """Have a process die, and not find what it has said last; whether its journal has it.

    Of an entry the record tells, too; of a statement the journal alone.
    """
    is_entry = signed_entry(record) is not None
    remembers = is_entry and chance.once_in(2)
    victim.die()
    if is_entry:
        victim.records.disk.cut(len(frame_payload(record)))
    if not remembers:
        victim.records.journal.cut(len(frame_payload(record)))
    return remembers


def who_have(processes: Iterable[Process], record: bytes) -> list[Process]:
    """In whose logs this entry stands, or is about to; all, for what is none."""
    signed = signed_entry(record)
    return [each for each in processes if signed is None or _has(each.core.ledger, signed)]


def _has(ledger: Ledger, signed: SignedEntry) -> bool:
    pending = (entry.signed for entry in ledger.pending.values())
    return signed in (*ledger.entries_from(read_entry(signed).step), *pending)


def start_copy(world: World, original: Process, delay: float) -> str:
    """Copy the folder of a process now, and play from the copy a while later."""
    number = _COPY_NUMBER + len(world.copies)
    copy = Process(
        *(world.room, world.network, world, number),
        *(original.signer, lambda: original.core, original.remake),
    )
    copy.is_alive, copy.lives = False, _COPY_LIFE * (1 + len(world.copies))
    copy.checking = original.checking.of_copy()
    copy.records.disk.durable[:] = original.records.disk.octets
    copy.records.journal.durable[:] = original.records.journal.octets
    world.copies.append(copy)
    until = world.time.now + delay + _PATIENCE_S
    world.time.later(delay, copy.come_back)
    world.time.later(delay + _LOOKS_UP_S, lambda: _look_up(world, original, copy, until))
    return f"{original.name}'s folder, played {delay:.1f} s later"


def _look_up(world: World, original: Process, copy: Process, until: float) -> None:
    """Close the copy once one of the two has stopped, and come back to the table if it was ours."""
    is_over = original.core.state.phase is Phase.OVER
    stopped = original.is_alive and original.is_finished and not is_over
    if not (stopped or copy.is_finished or world.time.now >= until):
        world.time.later(_LOOKS_UP_S, lambda: _look_up(world, original, copy, until))
        return
    copy.die()
    if stopped:
        original.die()
        life = original.lives
        back = original.come_back
        world.time.later(_LOOKS_UP_S, lambda: back() if original.lives == life else None)


def signed_twice(world: World) -> Process | None:
    """The seat that was played from a copy, if both signed what only one may before hearing it.

    That is two entries for one slot, or what cannot stand beside a promise. Nothing that travels
    can tell them apart in time (docs/threat-model.md): this ends the game.
    """
    keys = {copy.key for copy in world.copies}
    faults = (process.core.fault for process in world.processes)
    pairs = (f for f in faults if f is not None and f.finding.check in _SIGNED_TWICE)
    return next((world.by_key[PeerKey(pair.key)] for pair in pairs if pair.key in keys), None)


def wrong_with_copy(world: World, twice: Process) -> list[str]:
    """Whom else anybody accused, and who played on beside the evidence."""
    found = []
    for process in world.processes:
        told = [each for each in process.told if isinstance(each, notices.FaultFound)]
        found += [
            f"accused: {process.name} was told that {each.sentence}"
            for each in told
            if fingerprint(twice.key) not in each.name
        ]
        has_gone = world.trouble.has_left(process.number)
        if process is not twice and not (told or has_gone):
            found.append(f"escaped: {process.name} was told nothing of two entries")
    return found
