"""Check that a game ended as every game must.

Among honest seats: equal heads, nobody accused, nothing lost that had been sent, and good records.
With a cheater: its signatures convict it at every honest seat, with evidence that convinces
anybody, and nobody else is accused of anything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from lab.simulation.cheats.cheat import How
from lab.simulation.cheats.cheater import Deed
from lab.simulation.cheats.convinced import not_convinced, title
from lab.simulation.computers.clock import Stuck
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged, signed_entry
from lab.simulation.computers.world import World
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.leaving import can_go_on, has_quorum
from lab.simulation.storms import stormy
from lab.simulation.verdict_company import is_void, same_coins, wrong_with_company
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import key_at
from netgame.protocol.log.entry import read_entry, read_frames
from netgame.protocol.log.fault import FaultKind
from netgame.protocol.notices import (
    FaultFound,
    SeatRefused,
    TableClosed,
    Trouble,
    TroubleKind,
    WhyClosed,
)
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint
from netgame.wire.messages import CHAIR, SignedEntry
from netgame.wire.statements import bit, seats_in

FRAMES_PER_ENTRY_MAX: Final = 400
"""The most frames that a good game needs for each entry and process, repair of faults included."""


def stuck_at(world: World, stuck: Stuck) -> str:
    """Return a line that says why the simulation is stuck, and how far every process was."""
    return f"stuck: {stuck} ({everywhere(world)})"


def everywhere(world: World) -> str:
    """Return a text that says how far every process is."""
    at = ((p.name, p.state, "" if p.is_alive else " dead") for p in world.processes)
    return ", ".join(f"{n} {s.phase.value} at step {s.step}{dead}" for n, s, dead in at)


def _finishers(world: World, cheater: Process | None) -> list[Process]:
    """Return the processes at the table at its end; others may have been given up while away.

    The cheater is left out, because it need not have finished. If two logs end at the same step,
    the table's log is that of the later epoch: the other belongs to a seat that the table went on
    without.
    """
    staying = [each for each in world.staying if each is not cheater]
    if not world.trouble.takes_seats:
        return staying
    began = (process.state for process in staying if process in world.began)
    furthest = max(began, key=lambda state: (len(state.company.epochs), state.step))
    here = {furthest.author_key(furthest.step - 1, seat) for seat in furthest.present}
    return [process for process in staying if process.key in here]


def is_gone(world: World) -> bool:
    """Return True if the table had to end because its host went away before the game began.

    A process that was told so proves it, even if its core would take the host back.
    """
    began = world.began
    closed = ((p, n.why) for p in began for n in p.told if isinstance(n, TableClosed))
    gone = WhyClosed.HOST_GONE
    lost = any(why is gone or p.state.phase is Phase.LOBBY for p, why in closed)
    lost |= all(each.state.phase is Phase.LOBBY for each in began)
    in_lobby = world.began_badly or 0 in world.left
    return world.is_gone or (lost and in_lobby)


_OF_ITS_FILE: Final = (TroubleKind.JOURNAL_DOUBT, TroubleKind.NO_WAY_ON, TroubleKind.LOST_END)
"""The troubles of a process with its own record and journal after they lost something."""
_WAITS_S: Final = 400.0
"""How long to watch a table without a quorum: longer than any patience with absent seats."""


class Blocked:
    """Decides whether a table has lost its quorum for good, so that it may wait for ever.

    The cheater, process `number`, does not count once it has lied with its `deed`.
    """

    def __init__(self, world: World, deed: Deed | None = None, number: int = 0) -> None:
        self._world = world
        self._deed = deed
        self._number = number
        self._since: float | None = None

    def is_sure(self) -> bool:
        """Return True once the staying seats have had no quorum for `_WAITS_S`.

        Call it regularly: the time is measured between calls.
        """
        sitting = [each for each in self._honest() if each.core.context.sits(each.key)]
        if not sitting or any(map(self._has_quorum, sitting)):
            self._since = None
            return False
        now = self._world.time.now
        self._since = now if self._since is None else self._since
        return now >= self._since + _WAITS_S

    def cheater(self) -> Process | None:
        """Return the process that has cheated, or None before it has."""
        has_lied = self._deed is not None and self._deed.lie is not None
        return self._world.processes[self._number] if has_lied else None

    def _honest(self) -> list[Process]:
        return [each for each in self._world.staying if each is not self.cheater()]

    def _has_quorum(self, process: Process) -> bool:
        """Return True if the staying seats are a quorum, in the view of this process.

        A seat does not count if it is in doubt about what it has signed. Nor does one whose process
        is dead, because its owner comes back only after a vote to go on without it. There is no
        quorum if a host in doubt is the only link between the other seats.
        """
        hub = self._world.processes[0]
        if self._world.keeps_apart and hub.core.parts.journal.is_in_doubt():
            return False
        state, company = process.state, process.ledger.poll.cut.company
        if not company or state.phase is Phase.OVER:
            return True
        alive = (each for each in self._honest() if each.is_alive)
        keys = {each.key for each in alive if not each.core.parts.journal.is_in_doubt()}
        stay = (bit(s) for s in seats_in(company) if state.company.now.keys[s] in keys)
        return has_quorum(process, sum(stay))


def wrong_while_blocked(world: World, cheater: Process | None = None) -> list[str]:
    """Return everything wrong with a table that has lost its quorum.

    That happens, for example, if half of the seats have left without a word or doubt what they have
    signed. The honest seats must then wait with equal logs.
    """
    staying = [each for each in world.staying if each is not cheater]
    found = world.agreement.parted(None if cheater is None else staying)
    for process in staying:
        found += told_wrong(process, cheater)
    if len({each.state.head for each in staying if each.is_alive}) > 1:
        found.append(f"diverged: {everywhere(world)}")
    return found


def wrong(world: World, cheater: Process | None = None, company: Comers | None = None) -> list[str]:
    """Return everything wrong after a game that was played to its end.

    If there is a `cheater`, notices about it are right, and its lies may have split the log of a
    seat that has left from the log of those that stay. With `company`, guests are checked, too.
    """
    found = world.agreement.parted(None if cheater is None else world.staying)
    finishers = _finishers(world, cheater)
    heads = {p.state.head for p in finishers}
    if len(heads) > 1 or any(p.state.phase is not Phase.OVER for p in finishers):
        found.append(f"diverged: {everywhere(world)}")
    for process in world.processes:
        found += told_wrong(process, cheater)
    found += hasty(world.processes, cheater)
    found += lost(finishers)
    found += same_coins(finishers[0].ledger)
    found += stormy(world, finishers[0].ledger)
    found += bad_records(world, finishers)
    for process in _gone_on_without(world, finishers):
        found += _apart(process, finishers[0].ledger)
    if company is not None:
        found += wrong_with_company(world, company, finishers)
    entries = sum(map(len, finishers[0].ledger.steps))
    if world.room.frames > FRAMES_PER_ENTRY_MAX * entries * len(world.processes):
        found.append(f"livelock: {world.room.frames} frames for {entries} entries")
    return found


def told_wrong(process: Process, *cheaters: Process | None) -> Iterator[str]:
    """Yield accusations of honest seats, and any trouble or refusal that no cheater caused.

    Troubles that follow from a process's loss of its own files do not count.
    """
    culprits = [title(each) for each in cheaters if each is not None]
    for notice in process.told:
        if isinstance(notice, FaultFound):
            if not any(fingerprint(each.key) in notice.name for each in cheaters if each):
                yield f"accused: {process.name} was told that {notice.sentence}"
            continue
        if isinstance(notice, Trouble) and notice.kind in _OF_ITS_FILE:
            continue
        unjust = isinstance(notice, Trouble | SeatRefused)
        if unjust and process not in cheaters and not any(e in str(notice) for e in culprits):
            yield f"told: {process.name} was told {notice}"


def hasty(processes: Iterable[Process], cheater: Process | None = None) -> Iterator[str]:
    """Yield a line for each honest seat that vouched for a chain before it had checked it."""
    for process in processes:
        if process.checking.hasty and process is not cheater:
            yield f"hasty: {process.name} signed {process.checking.hasty[0]} unchecked"


def lost(finishers: list[Process]) -> Iterator[str]:
    """Yield a line for each process that has sent entries which the log lacks, except void ones."""
    ledger = finishers[0].ledger
    standing = set(ledger.entries_from(0))
    for process in finishers:
        sent = set(filter(None, map(signed_entry, process.sent)))
        missing = sum(not is_void(signed, ledger) for signed in sent - standing)
        if missing:
            yield f"lost: {missing} entries that {process.name} had sent"


def bad_records(world: World, keepers: list[Process]) -> list[str]:
    """Return a line for each record that is not the log, or not a good record.

    Every record is compared with the log, and one of them, chosen at random, is fully verified.
    """
    found = []
    ledger = keepers[0].ledger
    verified = world.room.chance.pick(keepers)
    for process in keepers:
        octets = process.records.left_behind()
        payloads, damage = read_frames(octets)
        entries = list(filter(None, map(signed_entry, payloads[1:])))
        if damage is not None or not _is_log(entries, ledger):
            found.append(f"record: that of {process.name} is not the log")
        if process is verified:
            verdict = judged(octets)
            if not (verdict.ok and verdict.finished):
                found.append(f"record: that of {process.name} says: {verdict.sentence}")
    return found


def _gone_on_without(world: World, finishers: list[Process]) -> list[Process]:
    """Return the processes that finished the game although the others had given them up.

    This happens to a seat that closes the last step alone. The others lack its entry and may go on
    without it from there, because it may be away for good by then.
    """
    epochs = len(finishers[0].state.company.epochs)
    over = (each for each in world.staying if each.state.phase is Phase.OVER)
    return [each for each in over if len(each.state.company.epochs) < epochs]


def _apart(process: Process, ledger: Ledger) -> Iterator[str]:
    """Yield what is wrong with a process that the others gave up at the end.

    It must have the others' log up to its last step, the same result, and a good record.
    """
    last = process.state.step - 1
    if process.ledger.head_before(last) != ledger.head_before(last):
        yield f"apart: {process.name} has another game before its last step"
    if process.state.table != ledger.state.table:
        yield f"apart: {process.name} has another result"
    verdict = judged(process.records.left_behind())
    if not (verdict.ok and verdict.finished):
        yield f"record: that of {process.name} says: {verdict.sentence}"


def _is_log(entries: list[SignedEntry], ledger: Ledger) -> bool:
    """Return True if these are the entries of the log, plus entries that cuts have voided.

    No entry may occur twice.
    """
    held = Counter(entries)
    standing = Counter(ledger.entries_from(0))
    beside = held - standing
    is_there = not standing - held and set(beside.values()) <= {1}
    return is_there and all(is_void(signed, ledger) for signed in beside)


def wrong_with_cheater(world: World, cheater: Process, deed: Deed) -> list[str]:
    """Return everything wrong after a game in which a peer cheated, or had no chance to."""
    if deed.lie is None:
        return wrong(world)
    if deed.cheat.how in (How.UNSIGNED, How.IDLE):
        return [*wrong(world, cheater), *believed(deed)]
    if _came_to_nothing(world, cheater, deed):
        return wrong(world, cheater)
    found: list[str] = [*hasty(world.processes, cheater)]
    honest = [process for process in world.staying if process is not cheater]
    for process in world.processes:
        if process is not cheater:
            found += told_wrong(process, cheater)
    for process in honest:
        # An entry that arrives after its author has gone may belong to an epoch that this log no
        # longer knows. A process that is down when the others stop has not seen the lie yet, nor
        # has a seat that is gone and has not read on to the lie.
        may_know = process.is_alive and cut_at(process.ledger, cheater.key) is None
        may_know &= process.core.context.sits(process.key) or not _is_before(process, deed)
        if process.core.faults or may_know:
            found += not_convinced(process, cheater)
    stopped = [process for process in honest if process.core.fault is not None]
    for process in stopped:
        found += _stopped_for_nothing(process, cheater)
    return found if stopped else [*found, *wrong(world, cheater)]


def _is_before(process: Process, deed: Deed) -> bool:
    """Return True if a process has yet to reach the step of a deed."""
    return deed.done is not None and process.state.step < deed.done.step


def cut_at(ledger: Ledger, gone: PeerKey) -> int | None:
    """Return the first step that the table took without this seat.

    None if it has never gone on without the seat.
    """
    for decision in ledger.decisions:
        company, of = ledger.state.company, decision.book.id
        if gone in (key_at(company, of, seat) for seat in seats_in(decision.goes)):
            return decision.step
    return None


_PARTING: Final = (FaultKind.FORK, FaultKind.PAIR, FaultKind.BESIDE, FaultKind.SHOWN)
"""Faults that can part honest logs, and so may stop a table."""


def _stopped_for_nothing(process: Process, cheater: Process) -> Iterator[str]:
    """Yield a line if this process should have gone on without the cheater [protocol.md 7].

    It may stop only for a fault that can split logs, for a fault in the lobby, or if the others are
    not a quorum.
    """
    fault = process.core.fault
    assert fault is not None, "asked of a seat that has stopped"
    of_lobby = any(read_entry(each).seat == CHAIR for each in fault.entries)
    if fault.kind not in _PARTING and not of_lobby and can_go_on(process, cheater):
        yield f"stopped: {process.name} by {fault.kind.value}: {fault.finding.says}"


def _came_to_nothing(world: World, cheater: Process, deed: Deed) -> bool:
    """Return True if the lie had no effect: nobody knows of it, and it split no logs that count.

    That is so if its slot is void, or if the only peer that was told has lost its seat. It is also
    so if the lie was sent to one peer only, over a dead link, and was not heard before the end.
    """
    staying = world.staying
    honest = [process for process in staying if process is not cheater]
    if world.agreement.parted(staying) or any(process.core.faults for process in honest):
        return False
    if deed.victim and not deed.was_heard:
        return True
    ledger = _finishers(world, cheater)[0].ledger
    if isinstance(deed.lie, SignedEntry) and is_void(deed.lie, ledger):
        return True
    seat = ledger.state.seat_of(deed.victim)
    return bool(deed.victim) and seat not in ledger.state.present


def believed(deed: Deed) -> Iterator[str]:
    """Yield a line for each file of false evidence that would convince a third party."""
    for number, file in enumerate(deed.files):
        verdict = judged(file)
        if verdict.ok or verdict.culprit:
            yield f"framed: file {number} of {len(deed.files)} says: {verdict.sentence}"
