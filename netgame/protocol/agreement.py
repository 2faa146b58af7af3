"""Groups missed players by the players who would go on without them."""

from collections.abc import Iterable

from netgame.frozen import FrozenStruct


class Agreed(FrozenStruct):
    """The players `by`, and nobody else so far, would go on without each player in `without`."""

    without: tuple[str, ...]
    by: tuple[str, ...]


def agreed_on(missed: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Agreed, ...]:
    """Group players who are missed by the same others, the most missed first.

    Each item of `missed` is a player and the names of those who miss that player. The same names in
    a different order make a different group. Within a group, and among groups missed by equally
    many, the order of `missed` is kept.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, by in missed:
        groups.setdefault(by, []).append(name)
    largest = sorted(groups.items(), key=lambda group: -len(group[0]))
    return tuple(Agreed(tuple(names), by) for by, names in largest)
