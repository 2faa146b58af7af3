"""The tiles of one train as text: the chain up to the newest tile, or every branch. Pure."""

import re
from collections.abc import Sequence

from cli.scene import joint_text
from engine.table.trains import HUB, Train


def chain_pieces(train: Train, hub: int) -> tuple[str, ...]:
    """Return the hub, then a text for each tile up to the newest: `12`, `-3`, `=2`.

    Branches without the newest tile are left out; an empty train gives only the hub.
    """
    laid = (train.lays[at] for at in chain_of(train))
    return (str(hub), *(joint_text(each.tile, each.joined) for each in laid))


def chain_of(train: Train) -> Sequence[int]:
    """Return the indexes of the lays from the hub to the newest tile; empty without tiles.

    Lays on other branches are left out.
    """
    found, at = list[int](), len(train.lays) - 1
    while at != HUB:
        found.append(at)
        at = train.lays[at].on
    return found[::-1]


def tree_pieces(train: Train, hub: int) -> tuple[str, ...]:
    """Return a text for each branch of a train, followed by two blanks; empty without tiles.

    A branch begins with the pip that its first tile joins. It ends at a double, at its last tile,
    or where several tiles follow. The branches that begin at its end come next, in the order laid.
    """
    below = dict[int, list[int]]()
    for at, laid in enumerate(train.lays):
        below.setdefault(laid.on, []).append(at)
    found: list[str] = []
    branches = [(hub, at) for at in reversed(below.get(HUB, []))]
    while branches:
        pip, at = branches.pop()
        text, ends = str(pip), [at]
        while len(ends) == 1:
            laid = train.lays[ends[0]]
            text, at = text + joint_text(laid.tile, laid.joined), ends[0]
            ends = below.get(at, [])
            if laid.tile.is_double:
                break
        found.append(f"{text}  ")
        branches += [(train.lays[at].end, next_) for next_ in reversed(ends)]
    return tuple(found)


def branch_rows(train: Train, hub: int, cells: int) -> tuple[str, ...]:
    """Return the branches of a train in rows of at most `cells` cells; no rows without tiles.

    A branch that is wider than a row is broken between two tiles.
    """
    pieces = list[str]()
    for text in tree_pieces(train, hub):
        pieces += [text] if len(text) <= cells else re.findall(r"[-=]?\d+ *", text)
    return tuple(row.rstrip() for row in wrap_pieces(pieces, cells) if row)


def is_branched(train: Train) -> bool:
    """Return True if a train has tiles outside the branch of the newest one."""
    return len(chain_of(train)) < len(train.lays)


def chain_text(pieces: Sequence[str], cells: int, cut: str) -> str:
    """Return the newest pieces as a text of at most `cells` cells, with `cut` in place of the rest.

    If all pieces fit, there is no `cut`. If not even the newest piece fits, the text is only `cut`,
    shortened to `cells` if need be.
    """
    whole = "".join(pieces)
    if len(whole) <= cells:
        return whole
    kept = ""
    for piece in reversed(pieces):
        if len(piece) + len(kept) + len(cut) > cells:
            break
        kept = piece + kept
    return (cut + kept)[: max(0, cells)]


def wrap_pieces(pieces: Sequence[str], cells: int) -> tuple[str, ...]:
    """Return the pieces in rows of at most `cells` cells; a longer piece sticks out.

    Without pieces, there is one empty row.
    """
    rows = [""]
    for piece in pieces:
        if rows[-1] and len(rows[-1]) + len(piece) > cells:
            rows.append("")
        rows[-1] += piece
    return tuple(rows)
