"""Check which programs a fault has stopped, by which rule of protocol.md §7, and for how long.

The check works the answer out a second time, from the last step and poll that each key has signed
in the log of the program. It does not use `ledger.binding`, so it can find bugs there. It reports a
program that stops although no fault binds it, and one that keeps signing although a fault does.
"""

from collections import Counter
from enum import Enum
from typing import Final

from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from netgame.crypto.transcript import expand
from netgame.protocol.epochs.company import Epoch
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry, read_entry, read_statement
from netgame.protocol.log.fault import Fault, FaultKind, Finding
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import check_payload, due
from netgame.wire.messages import CHAIR
from netgame.wire.statements import Promise, seats_in


class Bind(Enum):
    """The faults that stop a table, as protocol.md §7 numbers them."""

    FORK = "1: two bodies of a fresh slot"
    PAIR = "2: statements of a fresh poll"
    SHOWN = "3: shown by the log"
    LOBBY = "4: by the host in the lobby"
    NO_QUORUM = "5: too few without its author"


_LASTS: Final = {1.0: "ended within a second", 5.0: "ended within 5 s", 15.5: "ended within 15 s"}
LASTED: Final = (*_LASTS.values(), "ended later")
"""How long a stop that ended has lasted."""


class Stops:
    """All stops of honest programs in one game. A program is identified by its number and life."""

    def __init__(self) -> None:
        self.binds: Counter[str] = Counter()
        """How many stops there were, by the rule that binds."""
        self.lasted: Counter[str] = Counter()
        """How many stops ended, by their duration."""
        self.wrong: list[str] = []
        """All failures."""
        self.convicted: set[bytes] = set()
        """The keys that anybody has convicted."""
        self.kept_s = 0.0
        """The longest time for which a seat has sat beside a convicted key."""
        self._left: dict[int, int] = {}
        """By number: the life in which it left for a fault."""
        self._ended: set[tuple[int, int]] = set()
        """The programs whose stay has ended."""
        self._beside: dict[tuple[int, int, bytes], float] = {}
        """By program and the convicted key beside which it sits: the time since when."""
        self._since: dict[int, tuple[int, float]] = {}
        """By number: the life in which a fault stops it now, and the time since when."""
        self._seen: dict[int, tuple[int, ...]] = {}
        """By number: how far it was at its last judgement."""

    def look(self, world: World, process: Process) -> None:
        """Check a process that has carried out all that it decided."""
        core, number = process.core, process.number
        self._look_beside(world, process)
        self._look_at_end(process)
        if not core.faults:
            self._since.pop(number, None)
            return
        at = process.lives, core.state.step, len(core.ledger.decisions), len(core.faults)
        is_stopped = core.fault is not None
        began = self._since.get(number)
        if is_stopped and (began is None or began[0] != process.lives):
            self._since[number] = process.lives, world.time.now
        elif not is_stopped and began is not None:
            del self._since[number]
            if began[0] == process.lives:
                self._note_end(world.time.now - began[1])
        is_new = is_stopped and self._since.get(number) != began
        if self._seen.get(number) == at and not is_new:
            return
        self._seen[number] = at
        self.convicted.update(fault.key for fault in core.faults)
        self._judge(process, is_new=is_new)

    def _look_beside(self, world: World, process: Process) -> None:
        """Note how long a program has played on alongside convicted keys."""
        core, now = process.core, world.time.now
        plays = core.fault is None and core.state.phase is not Phase.OVER
        there = (
            core.context.convicted if plays and core.context.sits(core.key) else frozenset[bytes]()
        )
        at = {(process.number, process.lives, key) for key in there}
        for gone in [each for each in self._beside if each[0] == process.number and each not in at]:
            del self._beside[gone]
        for each in at:
            self.kept_s = max(self.kept_s, now - self._beside.setdefault(each, now))

    def _look_at_end(self, process: Process) -> None:
        """Note a program that has finished because a fault stopped it.

        It is a failure if a program finishes before the end of the game without such a fault.
        """
        life = process.number, process.lives
        if not process.is_finished or life in self._ended:
            return
        self._ended.add(life)
        if process.core.fault is not None:
            self._left[process.number] = process.lives
        elif process.state.phase is not Phase.OVER:
            self.wrong.append(f"left: {process.name} at step {process.state.step}, by no fault")

    def has_left(self, process: Process) -> bool:
        """Return True if a fault has stopped a program for good and it has not started again."""
        return self._left.get(process.number) == process.lives

    def signs(self, process: Process) -> None:
        """Note that a program has signed something, which is wrong if a fault has stopped it."""
        began = self._since.get(process.number)
        if process.core.fault is not None and began is not None and began[0] == process.lives:
            self.wrong.append(f"signs on: {process.name} at step {process.state.step}")

    def _judge(self, process: Process, *, is_new: bool) -> None:
        core = process.core
        keys = {fault.key for fault in core.faults}
        where = f"{process.name} at step {core.state.step}"
        if core.fault is not None:
            bind = _binds(core.ledger, core.fault, keys, core.key, with_due=False)
            if bind is None:
                self.wrong.append(f"stopped: {where} by {core.fault.kind.value} that binds nobody")
            elif is_new:
                self.binds[bind.value] += 1
            return
        for fault in core.faults:
            bind = _binds(core.ledger, fault, keys, core.key, with_due=True)
            if bind not in (None, Bind.NO_QUORUM):
                self.wrong.append(f"plays on: {where} beside {fault.kind.value}: {bind}")

    def _note_end(self, seconds: float) -> None:
        within = (told for most, told in _LASTS.items() if seconds <= most)
        self.lasted[next(within, LASTED[-1])] += 1


def _binds(
    ledger: Ledger, fault: Fault, convicted: set[bytes], own: bytes, *, with_due: bool
) -> Bind | None:
    """Return the rule by which a fault stops the program with this log, or None if it does not.

    The entries received for the due step count only if `with_due`: a program weighs a fault when a
    step falls due, before it has them.
    """
    if fault.kind is FaultKind.SHOWN:
        at = fault.shown
        if at is None or at >= ledger.state.step:
            return None
        return Bind.SHOWN if ledger.head_before(at + 1) == fault.head else None
    if ledger.state.phase is Phase.OVER:
        return None
    entries = [read_entry(each) for each in fault.entries]
    now = ledger.state.company.now
    if any(each.seat == CHAIR for each in entries):
        return None if ledger.state.company.sessions else Bind.LOBBY
    if fault.key not in now.here:
        return None
    log = _log(ledger, with_due=with_due)
    if fault.kind is FaultKind.FORK and _parts_by_fork(ledger, log, entries, fault, own):
        return Bind.FORK
    if fault.kind in (FaultKind.PAIR, FaultKind.BESIDE) and _parts_by_pair(ledger, log, fault, own):
        return Bind.PAIR
    return None if _is_enough(ledger, now, convicted) else Bind.NO_QUORUM


def _log(ledger: Ledger, *, with_due: bool) -> list[Entry]:
    done = [entry for step in ledger.steps for entry in step]
    return [*done, *ledger.slots.values()] if with_due else done


def _parts_by_fork(
    ledger: Ledger, log: list[Entry], bodies: list[Entry], fault: Fault, own: bytes
) -> bool:
    """Return True if both bodies are good and a third seat has signed nothing after their slot.

    A third seat is one other than this program's own and the author's. The bodies must also be of
    the current epoch, and follow a head that this log contains.
    """
    one, other = bodies
    now, last = ledger.state.company.now, Counter[bytes]()
    if one.id != now.id or one.prev != other.prev or not ledger.holds(one.step, one.prev):
        return False
    for entry in log:
        key = ledger.key_of(entry) or b""
        last[key] = max(last[key], entry.step)
    for said in ledger.poll.cut.of(Promise).values():
        if ledger.holds(said.step, said.head):
            key = now.keys[said.seat]
            last[key] = max(last[key], said.step)
    third = [key for key in now.here if key not in (fault.key, own)]
    if all(last[key] > one.step for key in third):
        return False
    return all(_is_good(ledger, each) for each in bodies)


def _is_good(ledger: Ledger, entry: Entry) -> bool:
    """Return True if an entry passes 7.8 to 7.12 in the state in which its step was due."""
    state = ledger.past.state_at(entry.step)
    if entry.seat not in due(state).authors:
        return False
    checked = check_payload(state, entry)
    if isinstance(checked, Finding):
        return False
    return checked is None or checked.run(expand(bytes(32), "weights")) is None


def _parts_by_pair(ledger: Ledger, log: list[Entry], fault: Fault, own: bytes) -> bool:
    """Return True if a third voter has signed nothing that shows a later poll or epoch.

    A third voter is one other than this program's own key and the author of the statements.
    """
    company = ledger.state.company
    said = [read_statement(each).statement for each in fault.statements]
    said = said[:1] if fault.kind is FaultKind.BESIDE else said[:2]
    of = said[0].id
    polls = [each.poll for each in said]
    polls += [read_entry(each).poll for each in fault.entries]
    behind = company.first_behind(of)
    shown = {
        ledger.key_of(entry)
        for entry in log
        if entry.step >= behind or (entry.id == of and entry.poll > max(polls))
    }
    now = company.now
    voters = {now.keys[seat] for seat in seats_in(now.voters)}
    return bool(voters - {fault.key, own} - shown)


def _is_enough(ledger: Ledger, now: Epoch, convicted: set[bytes]) -> bool:
    """Return True if, of the voters who have not parted, more than half are not convicted."""
    parted = ledger.poll.cut.parted()
    voters = [seat for seat in seats_in(now.voters) if not parted >> seat & 1]
    honest = [seat for seat in voters if now.keys[seat] not in convicted]
    return 2 * len(honest) > len(voters)
