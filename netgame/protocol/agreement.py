"""Who would go on without whom, together where it is the same players."""

from collections.abc import Iterable

from netgame.frozen import FrozenStruct


class Agreed(FrozenStruct):
    """The players `by`, and so far nobody else, would go on without each of those in `without`."""

    without: tuple[str, ...]
    by: tuple[str, ...]


def agreed_on(missed: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Agreed, ...]:
    """Group players who are missed by the same others; those missed by most come first.

    Each of `missed` is a player and those who miss that one; the same in another order are another
    group. In a group, and among groups missed by equally many, the order of `missed` stands.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, by in missed:
        groups.setdefault(by, []).append(name)
    largest = sorted(groups.items(), key=lambda group: -len(group[0]))
    return tuple(Agreed(tuple(names), by) for by, names in largest)
