"""Check after every input that all programs of a table follow the same course.

An epoch has one course: all programs that close a step close it with the same entries, even if a
cut has voided it since; and each poll of the epoch has one decision. A lying seat can break this,
and is convicted when the two courses meet.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.simulation.computers.process import Process
from netgame.protocol.epochs.cut import Value
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision


def value_of(decision: Decision) -> Value:
    """Return the value of a decision: which seats go, and the step and head where the log stops."""
    last = decision.proposal
    return Value(last.goes, last.step, last.head)


@dataclass(slots=True)
class _Seen:
    """How far a process had followed the course when it was last looked at."""

    ledger: Ledger
    step: int = 0
    decisions: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """Two programs that differ, and the step or poll of an epoch in which they do."""

    one: str
    other: str
    where: str
    epoch: bytes
    step: int | None = None
    """The step; None for a poll."""

    @property
    def says(self) -> str:
        """The difference in words: the two programs, and where they parted."""
        return f"parted: {self.one} and {self.other} in {self.where}"


@dataclass(slots=True)
class Agreement:
    """The course that all programs have followed so far, and where any two of them parted."""

    steps: dict[tuple[bytes, int], tuple[bytes, str]] = field(default_factory=dict)
    """By epoch and step: the head after it, and the first program to reach it."""
    polls: dict[tuple[bytes, int], tuple[Value, str]] = field(default_factory=dict)
    """By epoch and number of the poll: its value, and the first program to decide it."""
    decided_at: dict[tuple[bytes, int], float] = field(default_factory=dict)
    """By epoch and number of the poll: the time of the first decision."""
    _parted: list[Difference] = field(default_factory=list)
    _seen: dict[int, _Seen] = field(default_factory=dict)

    def parted(self, among: Iterable[Process] | None = None) -> list[str]:
        """Return, in words, where any two programs have parted.

        If `among` is given, only differences between these processes count.
        """
        return [each.says for each in self.partings(among)]

    def partings(self, among: Iterable[Process] | None = None) -> list[Difference]:
        """Return the differences between any two programs.

        If `among` is given, only differences between these processes count.
        """
        names = None if among is None else {process.name for process in among}
        return [e for e in self._parted if names is None or names.issuperset((e.one, e.other))]

    def look(self, process: Process) -> None:
        """Compare what a process has followed since the last look with what others followed.

        Differences are noted for `partings`.
        """
        ledger, state = process.ledger, process.state
        seen = self._seen.get(process.number)
        if seen is None or seen.ledger is not ledger:
            seen = self._seen[process.number] = _Seen(ledger)
        if (seen.step, seen.decisions) == (state.step, len(ledger.decisions)):
            return
        first = seen.step
        for decision in ledger.decisions[seen.decisions :]:
            first = min(first, decision.step)
            self._note_poll(process, decision)
        for step in range(first, state.step):
            at = (state.company.at(step).id, step)
            head = ledger.head_before(step + 1)
            known, who = self.steps.setdefault(at, (head, process.name))
            if known != head:
                self._parted.append(Difference(who, process.name, f"step {step}", at[0], step))
        seen.step, seen.decisions = state.step, len(ledger.decisions)

    def _note_poll(self, process: Process, decision: Decision) -> None:
        at = (decision.book.id, decision.book.number)
        value = value_of(decision)
        self.decided_at.setdefault(at, process.room.time.now)
        known, who = self.polls.setdefault(at, (value, process.name))
        if known != value:
            where = f"poll {at[1]}, step {decision.step}"
            self._parted.append(Difference(who, process.name, where, at[0]))
