"""Leaves out of a record the entries that later cuts of its log have made void."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from netgame.protocol.ledger.record import Walked
from netgame.protocol.notices import MovesUndone


def standing(steps: Iterable[Walked]) -> Iterator[Walked]:
    """Yield the steps of a record, except the entries that a later cut has made void.

    Each cut is yielded, too, without its notices of undone moves; its `before` is the state in
    which the first void step was due. All steps are read before the first is yielded.
    """
    found: list[Walked] = []
    for step in steps:
        is_cut = step.decided is not None and bool(step.decided.goes)
        found.append(_cut_back(found, step) if is_cut else step)
    yield from found


def _cut_back(found: list[Walked], cut: Walked) -> Walked:
    """Remove from `found` the steps that a cut makes void, and return the cut.

    Its `before` becomes the state before those steps, and its notices of undone moves are dropped.
    """
    before = cut.before
    while found and found[-1].number >= cut.number and not _opens(found[-1]):
        before = found.pop().before
    told = tuple(each for each in cut.notices if not isinstance(each, MovesUndone))
    return replace(cut, before=before, notices=told)


def _opens(step: Walked) -> bool:
    """Return True if this step is a decision that began an epoch with a new id.

    No later cut undoes a step before it.
    """
    return step.decided is not None and step.before.log_id != step.after.log_id
