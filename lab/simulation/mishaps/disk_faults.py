"""Faults of disks: they fill up, fail, flip bits, and go back in time.

A fault may restore an old record beside today's journal, or old versions of both. Likewise a disk
may lose its last entry from one file or both, and a bit may flip in either file.

Each function causes one fault and returns a line about it for the story, or an empty string if the
fault cannot happen.
"""

from collections.abc import Iterable
from itertools import combinations

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.network import pairs_of
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import signed_entry
from lab.simulation.mishaps.outages import CALM_S, Outages
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import frame_payload, read_entry, read_frames
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import SignedEntry


def fill(outages: Outages, victim: Process) -> str:
    """Leave the record's disk room for only a few octets, for a while."""
    disk, chance = victim.records.disk, outages.chance
    disk.room = chance.below(3_000)
    disk.allocates_late = chance.once_in(2)
    outages.for_a_while(disk.make_room, (0.1, 30.0))
    return f"{victim.name} in {disk.room} octets"


def fail(_: Outages, victim: Process) -> str:
    """Make all further syncs of the record fail, until somebody mends the disk."""
    victim.records.disk.fails_to_sync = True
    return victim.name


def flip_record(outages: Outages, victim: Process) -> str:
    """Flip a bit in the record of a dead process, if it has one.

    Half of the flips hit the part written in the lobby, which is a small part of a record.
    """
    disk, chance = victim.records.disk, outages.chance
    octets = len(disk.durable)
    if not octets:
        return ""
    at = chance.below(min(octets, 1_500) if chance.once_in(2) else octets)
    disk.flip(at, chance.below(8))
    return f"{victim.name}, octet {at}"


def flip_journal(outages: Outages, victim: Process) -> str:
    """Flip a bit in the journal of a dead process, if it has one.

    Half of the flips hit its last frame. Nothing then shows how long the journal was.
    """
    journal, chance = victim.records.journal, outages.chance
    payloads, _ = read_frames(journal.octets)
    if not payloads:
        return ""
    octets = len(journal.durable)
    most = len(frame_payload(payloads[-1])) if chance.once_in(2) else octets
    at = octets - 1 - chance.below(most)
    journal.flip(at, chance.below(8))
    return f"{victim.name}, octet {at} of {octets}"


def cut_record(outages: Outages, victim: Process) -> str:
    """Shorten a dead process's record, if it has one, as if an old backup had replaced it."""
    disk, chance = victim.records.disk, outages.chance
    most = len(disk.durable)
    if not most:
        return ""
    octets = 1 + chance.below(min(8_000, most))
    if chance.once_in(4):
        octets = most
    disk.cut(octets)
    return f"{victim.name}, {octets} octets"


def put_back(outages: Outages, writer: Process) -> str:
    """Kill a process, and restore its folder, or its record alone, as it was some entries ago.

    The folder goes back only while all other seats are there, because they must tell this seat what
    it has signed. The record alone can go back at any time.
    """
    chance = outages.chance
    journal_too = chance.once_in(2)
    victim = outages.loser(writer) if journal_too else outages.other(writer)
    if victim is None:
        return ""
    if not journal_too:
        victim.die()
        outages.bring_back(victim, alone=chance.once_in(3))
    disk, journal = victim.records.disk, victim.records.journal
    payloads, _ = read_frames(bytes(disk.durable))
    kept = payloads[: 1 + chance.below(max(1, len(payloads)))]
    disk.hold(kept)
    if journal_too:
        signed, _ = read_frames(bytes(journal.durable))
        journal.hold(each for each in signed if each in kept)
    what = "its folder" if journal_too else "its record"
    return f"{victim.name}, {what}, {len(kept)} of {len(payloads)} entries"


def forget_last(outages: Outages, victim: Process) -> str:
    """Kill a process and lose its last entry or statement, which it has sent to only one other.

    The other processes are then cut off from each other. If the journal loses it too, the author
    reaches all of them, and must hear from all before it writes. If the journal still has it, the
    author is cut off from every process that has the entry, and must not need to hear from them.
    """
    record, chance = victim.sent[-1], outages.chance
    others = [each for each in outages.world.processes if each is not victim]
    remembers = _forgotten(victim, record, chance)
    outages.cut_off([frozenset((a.number, b.number)) for a, b in combinations(others, 2)])
    delay = chance.between(0.1, 0.5)
    outages.calm_for(delay + CALM_S)

    def back() -> None:
        having = _who_have(others, record)
        if remembers:
            outages.cut_off(pairs_of([victim.number], having))
        elif not having and record in victim.sent:
            victim.sent.remove(record)  # it was lost on its way, too: nobody has heard it
        victim.come_back()
        victim.life.later(CALM_S, start_again)

    def start_again() -> None:
        # It has heard the forgotten entry too late, and stopped: somebody lagged behind the step in
        # which it wrote, and so could not show the entry in a head.
        if victim.is_finished and victim.state.phase is not Phase.OVER:
            victim.die()
            victim.come_back()

    outages.world.later(delay, back)
    where = "its journal alone" if remembers else "no file any more"
    return f"{victim.name} dies; what it has sent to one is in {where}"


def _forgotten(victim: Process, record: bytes, chance: Chance) -> bool:
    """Kill a process and make it forget `record`, its last. Return True if the journal keeps it.

    An entry is in the record, too; a statement only in the journal.
    """
    is_entry = signed_entry(record) is not None
    remembers = is_entry and chance.once_in(2)
    victim.die()
    if is_entry:
        victim.records.disk.cut(len(frame_payload(record)))
    if not remembers:
        victim.records.journal.cut(len(frame_payload(record)))
    return remembers


def _who_have(processes: Iterable[Process], record: bytes) -> list[int]:
    """Return the numbers of the processes that have this entry, or of all if it is a statement."""
    signed = signed_entry(record)
    return [p.number for p in processes if signed is None or _has(p.ledger, signed)]


def _has(ledger: Ledger, signed: SignedEntry) -> bool:
    pending = (entry.signed for entry in ledger.pending.values())
    return signed in (*ledger.entries_from(read_entry(signed).step), *pending)
