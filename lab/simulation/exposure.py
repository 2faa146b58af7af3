"""Each cheat of the catalogue done once in a quiet room by a real peer, and what came of it."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final

from lab.simulation.cheats.catalogue import CATALOGUE, new_cheater
from lab.simulation.cheats.cheat import Cheat, Cheater, How
from lab.simulation.cheats.kicked import ask_again
from lab.simulation.cheats.lost_tail import other_branch
from lab.simulation.cheats.parted import part_the_table
from lab.simulation.computers.clock import Stuck
from lab.simulation.computers.process import Process
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.evening import played_elsewhere
from lab.simulation.mishaps.faults import Injector
from lab.simulation.mishaps.leaving import Leaver
from lab.simulation.verdict import believed
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.ledger.poll import key_at
from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.statements import seats_in

_Found = tuple[str, int]

SEEDS_MOST: Final = 60
"""Games in which a cheat must have had its chance."""

_QUIET: Final = wire.Settings("standard", (), 6, 3, 1, 4)
LIMIT_S: Final = 1_800.0
"""Simulated seconds in which any of these games is over."""
_VOTE_S: Final = 90.0
"""People who see nothing happen for so long would go on without whom the table waits for."""
_LEAVE_S: Final = 0.005
"""So often it is looked whether a seat that leaves and comes back can do so yet."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one cheat.

    `done` and `found` are kind and step of the entry with which it was done, and of that which
    showed it, `check` says by what; both are None where nothing came of it. `log` is the step that
    was due at the furthest honest peer when it was found. `named` says for each honest peer whom it
    named, or gave up; `accepted` whether the verifier, given the file alone, comes to the same.
    """

    cheat: Cheat
    seed: int
    real: bool
    culprit: str
    done: tuple[str, int]
    found: tuple[str, int] | None
    check: str
    log: int
    evidence: str
    accepted: bool | None
    named: tuple[tuple[str, str], ...]
    files: int = 0
    """Files that it has shown to whoever was not there, and that convict nobody."""
    trouble: tuple[str, ...] = ()

    @property
    def is_witnessed(self) -> bool:
        """Whether only who received it can tell, as nobody has signed it."""
        return self.cheat.how is How.UNSIGNED

    @property
    def is_idle(self) -> bool:
        """Whether it does nothing at all."""
        return self.cheat.how in (How.IDLE, How.BRANCH, How.DAMAGED, How.KICKED)


def rows(*, real: bool = False) -> Iterator[Row]:
    """Do every cheat in the first game that gives it a chance."""
    return (first_row(cheat, real=real) for cheat in CATALOGUE)


def first_row(cheat: Cheat, *, real: bool) -> Row:
    """Play until a game gives this cheat a chance; what came of it.

    In some games it is another cheat (the tile does not even join), or comes when its step is over.
    So the first game in which nothing is amiss counts; if there is none, the first chance does.
    """
    amiss: Row | None = None
    special = {How.KICKED: _kicked, How.PARTED: _parted}
    play = special.get(cheat.how, _branch if cheat.is_branch else _play)
    for seed in range(cheat.first_seed, cheat.first_seed + SEEDS_MOST):
        try:
            with nullcontext() if real else toys():
                row = play(cheat, seed, real=real)
        except AssertionError:
            if not cheat.backed:
                raise
            continue  # the accomplice has believed its friend, and cannot read its own hand
        if row is not None and not row.trouble:
            return row
        amiss = amiss or row
    if amiss is not None:
        return amiss
    raise AssertionError(f"no game gives a chance: {cheat.name}")


def _play(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Play one game with one cheater; None if it had no chance."""
    settings = cheat.place or _QUIET
    host_writes = {wire.OpenTable, wire.Admit, wire.Close} & set(cheat.kinds)
    number = 0 if host_writes or cheat.host else 1 + seed % (settings.seats - 1)
    kind = new_cheater(cheat)
    if cheat.elsewhere:
        kind.elsewhere = played_elsewhere(seed, settings)
    leavers: tuple[Leaver, ...] = ()
    if cheat.leaver:
        away = 1 + number % (settings.seats - 1)
        leavers = (Leaver(away, Phase.PLAY, 3 + seed % 5, None, power=False),)
    injector = Injector(seed, faults=False, leavers=leavers)
    world = World(seed, settings, Weather(seed, restless=False), injector)
    injector.attach(world)
    classes: dict[int, type[Core]] = {number: kind}
    if kind.partner is not None:
        classes[0] = kind.partner
    table = _Table(world, cheat, kind, number, frozenset(classes))
    world.open_table(settings.seats, lambda each: classes.get(each, Core))
    world.time.later(_VOTE_S, table.vote)
    if cheat.back:
        world.time.later(_LEAVE_S, table.leave_and_come_back)
    try:
        world.time.run(table.is_over, LIMIT_S)
    except Stuck as stuck:
        table.trouble.append(f"stuck: {stuck}")
    return None if kind.done is None else table.row(seed, real=real)


def _branch(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Have a seat that has lost its record's end shown another branch; None without a chance."""
    shown = other_branch(seed, cheat)
    if shown is None:
        return None
    done = _tag(shown.lie.payload), shown.lie.step
    return Row(
        *(cheat, seed, real, shown.cheater, done, None, "", -1, "none", None),
        named=((shown.victim, ""),),
        trouble=shown.trouble,
    )


def _kicked(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Have a kicked key ask for a seat in every step; None where it had none to lose."""
    told = ask_again(seed)
    if told is None:
        return None
    done = "join-ask", told.step
    facts = (cheat, seed, real, told.name, done, None, "", -1, "none", None)
    return Row(*facts, named=(), trouble=told.trouble)


def _parted(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Have a seat part a table, and the halves meet."""
    told = part_the_table(seed)
    done = "accept", told.step
    accepted = not told.trouble
    facts = (cheat, seed, real, told.name, done, done, CheckCode.CUT.value, -1, "statements")
    return Row(*facts, accepted, named=told.named, trouble=told.trouble)


@dataclass(slots=True)
class _Table:
    """One game with one cheater, while it is played and afterwards."""

    world: World
    cheat: Cheat
    kind: type[Cheater]
    number: int
    false: frozenset[int]
    seen: tuple[int, ...] = ()
    log: int = -1
    trouble: list[str] = field(default_factory=list)

    @property
    def cheater(self) -> Process:
        """Who cheats."""
        return self.world.processes[self.number]

    @property
    def honest(self) -> list[Process]:
        """Who does not, and is still there."""
        return [
            process
            for process in self.world.processes
            if process.number not in self.false and not self.world.trouble.has_left(process.number)
        ]

    def is_over(self) -> bool:
        """Whether every honest process has come to an end."""
        if self.cheat.how is How.AWAY and self.kind.done and self.cheater.is_alive:
            self.cheater.die()
        if self.log < 0 and any(process.core.fault is not None for process in self.honest):
            self.log = max(process.core.state.step for process in self.honest)
        return all(process.is_finished for process in self.honest)

    def vote(self) -> None:
        """People look up: where nothing has happened since, they name whom the table waits for."""
        now = tuple(process.core.state.step for process in self.honest)
        if now == self.seen:
            for process in self.honest:
                self._vote(process)
        self.seen = now
        self.world.time.later(_VOTE_S, self.vote)

    def _vote(self, process: Process) -> None:
        core = process.core
        state, slots = core.state, core.ledger.slots
        lacking = [seat for seat in due(state).authors if seat not in slots]
        keys = [state.author_key(state.step, seat) for seat in lacking]
        away = [key for key in keys if key is not None and key != process.key]
        process.act(lambda parts: parts.wishes.give_up(away))

    def leave_and_come_back(self) -> None:
        """One who plays gives their word that they leave for good, and thinks better of it."""
        (left, *_) = self.honest
        if left.core.state.phase is not Phase.PLAY:
            self.world.time.later(_LEAVE_S, self.leave_and_come_back)
            return
        left.act(leave_for_good)

        def come_back() -> None:
            left.die()
            left.come_back()

        self.world.time.later(_LEAVE_S, come_back)

    # ---- what came of it --------------------------------------------------------------------

    def row(self, seed: int, *, real: bool) -> Row:
        """Everything that is to be told of it, and what is not as it must be."""
        cheat, done = self.cheat, self.kind.done
        assert done is not None
        found, check = self._found(done)
        files = [file for process in self.honest for file in self._files(process)]
        sentences = [self._refused(file) for file in files]
        self._judge(files)
        self.trouble += self._late(done, found, check)
        self.trouble += [sentence for sentence in sentences if sentence]
        return Row(
            *(cheat, seed, real, self._name(self.cheater.key), done, found, check, self.log),
            evidence=self._kind_of_evidence(files, check),
            accepted=not any(sentences) if files else None,
            named=tuple((p.name, self._named(p)) for p in self.honest),
            files=len(self.kind.files),
            trouble=tuple(self.trouble),
        )

    def _kind_of_evidence(self, files: list[bytes], check: str) -> str:
        if check in (CheckCode.FORK.value, CheckCode.CUT.value):
            return "two entries" if check == CheckCode.FORK.value else "statements"
        if self.kind.files and self.cheat.how is How.IDLE:
            return "false"
        return _EVIDENCE[self.cheat.how] if files else "none"

    def _name(self, key: bytes) -> str:
        return self.world.by_key[PeerKey(key)].name

    def _named(self, process: Process) -> str:
        """Whom this peer named, or gave up; nobody: the empty string."""
        core = process.core
        if core.fault is not None:
            return self._name(core.fault.key)
        if self.cheat.is_silence:
            left = (n.names for n in process.told if isinstance(n, notices.SeatsLeft))
            gone = {p.name for p in self.world.processes if self.world.trouble.has_left(p.number)}
            return ", ".join(name for names in left for name in names if name not in gone)
        told = (n for n in process.told if isinstance(n, notices.FaultFound | notices.Trouble))
        mark = fingerprint(self.cheater.key)
        return self.cheater.name if any(mark in str(notice) for notice in told) else ""

    def _found(self, done: _Found) -> tuple[_Found | None, str]:
        """Where and by which check the first honest peer that noticed anything found it."""
        faults = (p.core.fault for p in self.honest if p.core.fault is not None)
        fault = next(faults, None)
        if fault is not None:
            check = fault.finding.check
            if check is CheckCode.CUT:
                return done, check.value
            is_fork = check is CheckCode.FORK
            kind = done[0] if is_fork else _tag(read_entry(fault.entries[0]).payload)
            return (kind, fault.step), check.value
        if self.cheat.is_silence:
            at = self._cut_at()
            return (None, "") if at is None else (("cut", at), "gone on without")
        witnesses = [p for p in self.honest if self._named(p)]
        if not witnesses:
            return None, ""
        if self.cheat.floods:
            return done, "flood"
        named = (n for n in witnesses[0].told if isinstance(n, notices.FaultFound))
        return done, next((n.check for n in named), CheckCode.CANONICAL.value)

    def _cut_at(self) -> int | None:
        """The step at which the table went on without the cheater; None if it did not."""
        ledger = self.honest[0].core.ledger
        for decision in ledger.decisions:
            keys = (
                key_at(ledger.state.company, decision.book.id, s) for s in seats_in(decision.goes)
            )
            if self.cheater.key in keys:
                return decision.step
        return None

    def _files(self, process: Process) -> list[bytes]:
        """What this peer can show to anybody: its evidence, or its record where that tells."""
        if self.cheat.is_silence or self.cheat.how is How.IDLE:
            process.records.disk.process_died()
            return [process.records.disk.octets]
        return list(process.records.evidence.values())

    def _refused(self, file: bytes) -> str:
        """Why the verifier, with the file alone, does not come to the same; empty if it does."""
        verdict = verify_record(file, expand(bytes(32), "catalogue", self.world.seed))
        of_cheater = fingerprint(self.cheater.key) in verdict.accused
        if self.cheat.is_silence or self.cheat.how is How.IDLE:
            return "" if verdict.ok and verdict.finished else verdict.sentence
        kind = VerdictKind.HEARSAY if self.cheat.how is How.UNSIGNED else VerdictKind.EVIDENCE
        return "" if verdict.kind is kind and of_cheater else verdict.sentence

    def _judge(self, files: list[bytes]) -> None:
        """Note what is not as it must be."""
        cheat, name = self.cheat, self.cheater.name
        for process in self.honest:
            named = self._named(process)
            must = cheat.binds or cheat.is_silence or cheat.floods
            may = must or (cheat.how is How.UNSIGNED and process.key == self.kind.victim)
            if named != (name if may else ""):
                self.trouble.append(f"{process.name} named {named or 'nobody'}")
            self.trouble += self._accused(process)
        self.trouble += believed(self.kind)
        within, now = cheat.within_s, self.world.time.now
        if within is not None and now > within:
            self.trouble.append(f"it held up the game for {now:.0f} s")
        if not cheat.binds and len({p.core.state.head for p in self.honest}) > 1:
            self.trouble.append("the logs differ")
        if cheat.binds and len(files) < len(self.honest):
            self.trouble.append("somebody has no evidence")

    def _late(self, done: _Found, found: _Found | None, check: str) -> Iterator[str]:
        """Whether it was found anywhere but where it first shows, or by another check."""
        cheat = self.cheat
        if cheat.how is How.IDLE:
            return
        if found is None:
            yield "nobody noticed"
            return
        if cheat.check is not None and check != cheat.check.value:
            yield f"found by {check}"
        if cheat.shown is None and found[1] != done[1]:
            yield f"found at step {found[1]} only"
        if cheat.shown is not None and (found[0] != _tag_of(cheat.shown) or found[1] < done[1]):
            yield f"found at {found[0]}"
        most = _STEPS_MORE.get(cheat.check, 0) if cheat.check is not None else 0
        if cheat.binds and self.log - found[1] > most:
            yield f"the log had gone on to step {self.log}"

    def _accused(self, process: Process) -> Iterator[str]:
        """Whom this peer accused besides the cheater."""
        for notice in process.told:
            unjust = isinstance(notice, notices.FaultFound | notices.Trouble)
            if unjust and fingerprint(self.cheater.key) not in str(notice):
                yield f"{process.name} was told {notice}"


def _tag(payload: wire.Payload) -> str:
    return _tag_of(type(payload))


def _tag_of(kind: type[wire.Payload]) -> str:
    return str(kind.__struct_config__.tag)


_STEPS_MORE: Final = {CheckCode.FORK: 2, CheckCode.CUT: 2, CheckCode.SHUFFLE: 1, CheckCode.AUDIT: 1}
"""So many steps the log may have gone on: two peers have to talk, or the step has to be whole."""


_EVIDENCE: Final = {
    How.INSTEAD: "the entry",
    How.LATE: "the entry",
    How.BESIDE: "two entries",
    How.UNASKED: "the entry",
    How.FORCED: "the entry",
    How.UNSIGNED: "testimony",
    How.IDLE: "none",
    How.SILENT: "the record",
    How.AWAY: "the record",
    How.BRANCH: "none",
    How.DAMAGED: "none",
    How.KICKED: "none",
    How.PARTED: "statements",
}
"""What anybody is shown."""
