"""Each cheat of the catalogue done once in a quiet room by a real peer, and the outcome."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Final, NamedTuple

from lab.simulation.cheated_table import CheatedTable, cheated_table
from lab.simulation.cheats.catalogue import CATALOGUE
from lab.simulation.cheats.cheat import At, Cheat, How, tag
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged
from lab.simulation.computers.toys import toys
from lab.simulation.verdict import believed, cut_at
from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import CheckCode, FaultKind
from netgame.protocol.notices import FaultFound, SeatsLeft, Trouble
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint
from netgame.wire.messages import CHAIR

SEEDS_MOST: Final = 60
"""Games within which a cheat must get its chance."""

LIMIT_S: Final = 1_800.0
"""Simulated seconds within which any of these games ends."""


class Row(NamedTuple):
    """The outcome of one cheat."""

    cheat: Cheat
    seed: int
    real: bool
    """True if the game used the real group."""
    culprit: str
    done: At
    """The entry of the cheat."""
    found: At | None
    """The entry that showed the cheat, or None if nothing came of it."""
    check: str
    """The check that found it."""
    log: int
    """The step due at the furthest honest peer when the cheat was found."""
    evidence: str
    accepted: bool | None
    """True if the verifier, given the evidence alone, names the same seat; None without evidence.
    """
    verdicts: tuple[tuple[str, str], ...]
    """For each honest peer, by name, the name of the seat it named or gave up."""
    files: int = 0
    """How many files the cheater has shown to outsiders; they convict nobody."""
    trouble: tuple[str, ...] = ()


def rows(*, real: bool = False) -> Iterator[Row]:
    """Yield the row of every cheat, each done in the first game that gives it a chance."""
    return (first_row(cheat, real=real) for cheat in CATALOGUE)


def first_row(cheat: Cheat, *, real: bool) -> Row:
    """Play until a game gives this cheat a chance, and return the outcome.

    In some games the cheat is caught as a different one (the tile does not even join), or comes
    after its step has closed. The first game without trouble counts. If every game has trouble,
    the first one with a chance counts. Raises `AssertionError` if no game gives a chance.
    """
    amiss: Row | None = None
    play = _play if cheat.play is None else _own_game
    for seed in range(cheat.first_seed, cheat.first_seed + SEEDS_MOST):
        try:
            with nullcontext() if real else toys():
                row = play(cheat, seed, real=real)
        except AssertionError:
            if not cheat.backed:
                raise
            continue  # the accomplice believed its friend, and cannot read its own hand
        if row is not None and not row.trouble:
            return row
        amiss = amiss or row
    if amiss is not None:
        return amiss
    raise AssertionError(f"no game gives a chance: {cheat.name}")


def _play(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Play one game with one cheater; return its row, or None if the cheat had no chance."""
    table = cheated_table(cheat, seed)
    table.play(LIMIT_S)
    return None if table.deed.done is None else row_of(table, seed, real=real)


def _own_game(cheat: Cheat, seed: int, *, real: bool) -> Row | None:
    """Play the cheat's own kind of game; return its row, or None if the cheat had no chance."""
    assert cheat.play is not None
    told = cheat.play(seed, cheat)
    if told is None:
        return None
    return Row(
        cheat=cheat,
        seed=seed,
        real=real,
        culprit=told.culprit,
        done=told.done,
        found=told.done if cheat.binds else None,
        check=CheckCode.CUT.value if cheat.binds else "",
        log=-1,
        evidence=cheat.how.evidence,
        accepted=not told.trouble if cheat.binds else None,
        verdicts=told.named,
        trouble=told.trouble,
    )


def row_of(table: CheatedTable, seed: int, *, real: bool) -> Row:
    """Return the row of a game that was played, with everything wrong with it."""
    cheat = table.cheat
    done = table.deed.done
    honest = table.honest
    assert done is not None
    found, check = _found(table, done)
    files = [file for process in honest for file in _files(cheat, process)]
    sentences = [_refused(table, file) for file in files]
    named = tuple((process.name, _named(table, process)) for process in honest)
    trouble = (
        *table.trouble,
        *_misjudged(table, dict(named)),
        *_held_up(table, files),
        *_ended_for_nothing(table),
        *_late(table, done, found, check),
        *filter(None, sentences),
    )
    return Row(
        cheat=cheat,
        seed=seed,
        real=real,
        culprit=table.cheater.name,
        done=done,
        found=found,
        check=check,
        log=table.log,
        evidence=_evidence(table, files, check),
        accepted=not any(sentences) if files else None,
        verdicts=named,
        files=len(table.deed.files),
        trouble=trouble,
    )


def _evidence(table: CheatedTable, files: list[bytes], check: str) -> str:
    """Return the kind of file that the honest peers can show, or "none" if they have none.

    It is "false" for a cheat that consists of showing false files to outsiders.
    """
    how = table.cheat.how
    shown = {CheckCode.FORK.value: How.BESIDE, CheckCode.CUT.value: How.PARTED}
    if check in shown:
        return shown[check].evidence
    if table.deed.files and how is How.IDLE:
        return "false"
    return how.evidence if files else "none"


def _named(table: CheatedTable, process: Process) -> str:
    """Return the name of the seat that this peer accused or gave up, or an empty string.

    If it gave up several seats, their names are joined by commas.
    """
    world, faults = table.world, process.core.faults
    if faults:
        return world.by_key[PeerKey(faults[0].key)].name
    if table.cheat.is_silence:
        left = (n.names for n in process.told if isinstance(n, SeatsLeft))
        stay = {each.name for each in world.staying}
        return ", ".join(name for names in left for name in names if name in stay)
    mark = fingerprint(table.cheater.key)
    return table.cheater.name if any(mark in told for told in _accusations(process)) else ""


def _accusations(process: Process) -> list[str]:
    """Return, as text, the faults and troubles that this peer's person was told of."""
    of_faults = FaultFound | Trouble
    return [str(notice) for notice in process.told if isinstance(notice, of_faults)]


def _found(table: CheatedTable, done: At) -> tuple[At | None, str]:
    """Return the entry at which an honest peer found the cheat, and the name of the check.

    If nobody found it, these are None and an empty string.
    """
    honest = table.honest
    fault = next((p.core.faults[0] for p in honest if p.core.faults), None)
    if fault is not None:
        check = fault.finding.check
        if check is CheckCode.CUT:
            return done, check.value
        is_fork = check is CheckCode.FORK
        kind = done.kind if is_fork else tag(read_entry(fault.entries[0]).payload)
        return At(kind, fault.step), check.value
    if table.cheat.is_silence:
        at = cut_at(honest[0].ledger, table.cheater.key)
        return (None, "") if at is None else (At("cut", at), "gone on without")
    witness = next((process for process in honest if _named(table, process)), None)
    if witness is None:
        return None, ""
    if table.cheat.floods:
        return done, "flood"
    named = (n.check for n in witness.told if isinstance(n, FaultFound))
    return done, next(named, CheckCode.CANONICAL.value)


def _files(cheat: Cheat, process: Process) -> list[bytes]:
    """Return the files to show: the evidence that this peer has saved.

    If the cheat convicts nobody, it is the peer's record instead.
    """
    if cheat.convicts_nobody:
        return [process.records.left_behind()]
    return list(process.records.evidence.values())


def _refused(table: CheatedTable, file: bytes) -> str:
    """Return the verifier's sentence if it misjudges this file, or else an empty string.

    It should find evidence against a guilty seat, or, if the cheat convicts nobody, a good record.
    """
    verdict = judged(file)
    if table.cheat.convicts_nobody:
        is_same = verdict.ok and verdict.finished
    else:
        is_named = any(each in verdict.culprit for each in table.guilty)
        is_same = verdict.finding is FileFinding.EVIDENCE and is_named
    return "" if is_same else verdict.sentence


def _misjudged(table: CheatedTable, named: dict[str, str]) -> Iterator[str]:
    """Yield a line for each peer that did not name the seat it should, or accused an innocent one.

    Convincing evidence that is false gets a line, too.
    """
    cheat, cheater = table.cheat, table.cheater
    for process in table.honest:
        must = cheat.binds or cheat.is_silence or cheat.floods
        may = must or (cheat.how is How.UNSIGNED and process.key == table.deed.victim)
        whom = named[process.name]
        if whom != (cheater.name if may else ""):
            yield f"{process.name} named {whom or 'nobody'}"
        for told in _accusations(process):
            if not any(each in told for each in table.guilty):
                yield f"{process.name} was told {told}"
    yield from believed(table.deed)


def _held_up(table: CheatedTable, files: list[bytes]) -> Iterator[str]:
    """Yield a line for each harm done to the game.

    The cheat may have delayed it, split its logs, or left somebody without evidence.
    """
    cheat, now, honest = table.cheat, table.world.time.now, table.honest
    if cheat.within_s is not None and now > cheat.within_s:
        yield f"it held up the game for {now:.0f} s"
    if not cheat.binds and len({process.state.head for process in honest}) > 1:
        yield "the logs differ"
    if cheat.binds and len(files) < len(honest):
        yield "somebody has no evidence"


def _ended_for_nothing(table: CheatedTable) -> Iterator[str]:
    """Yield a line for each honest peer that stopped although no fault could split the logs."""
    faults = [fault for process in table.honest for fault in process.core.faults]
    signed = [read_entry(each) for fault in faults for each in fault.entries]
    parts_nobody = {fault.kind for fault in faults} <= {
        FaultKind.BAD_ENTRY,
        FaultKind.FALSE_STATEMENT,
    }
    if not parts_nobody or table.cheat.backed or any(each.seat == CHAIR for each in signed):
        return
    for process in table.honest:
        if process.state.phase is not Phase.OVER:
            yield f"{process.name} could not play on"


def _late(table: CheatedTable, done: At, found: At | None, check: str) -> Iterator[str]:
    """Yield a line if the cheat was not found, or found late, elsewhere or by the wrong check."""
    cheat = table.cheat
    if cheat.how is How.IDLE:
        return
    if found is None:
        yield "nobody noticed"
        return
    if cheat.check is not None and check != cheat.check.value:
        yield f"found by {check}"
    if cheat.shown is None and found.step != done.step:
        yield f"found at step {found.step} only"
    if cheat.shown is not None and (found.kind != tag(cheat.shown) or found.step < done.step):
        yield f"found at {found.kind}"
    if cheat.binds and table.log - found.step > _STEPS_MORE.get(cheat.check, 0):
        yield f"the log had gone on to step {table.log}"


_STEPS_MORE: Final[dict[CheckCode | None, int]] = {
    CheckCode.FORK: 2,
    CheckCode.CUT: 2,
    CheckCode.SHUFFLE: 1,
    CheckCode.AUDIT: 1,
}
"""Steps by which the log may go on before the find: peers must talk, or a step must close."""
