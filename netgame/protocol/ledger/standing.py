"""A record without what cuts of its log have made void: only what counts in the end."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from netgame.protocol.ledger.record import Walked
from netgame.protocol.notices import MovesUndone


def standing(steps: Iterable[Walked]) -> Iterator[Walked]:
    """Leave out the entries that are void in the end, and that they were taken back.

    All steps are read before the first is given.
    """
    found: list[Walked] = []
    for step in steps:
        is_cut = step.decided is not None and bool(step.decided.goes)
        found.append(_cut_back(found, step) if is_cut else step)
    yield from found


def _cut_back(found: list[Walked], cut: Walked) -> Walked:
    """Take what is behind a cut from the steps found; return the cut as if that had never been."""
    before = cut.before
    while found and found[-1].number >= cut.number and not _opens(found[-1]):
        before = found.pop().before
    told = tuple(each for each in cut.notices if not isinstance(each, MovesUndone))
    return replace(cut, before=before, notices=told)


def _opens(step: Walked) -> bool:
    """Whether an epoch begins with this decision, so that what is behind it has another id."""
    return step.decided is not None and step.before.log_id != step.after.log_id
