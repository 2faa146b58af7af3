"""A record read with its proofs added up, and read again with care where that comes to no good.

To add equations up is cheaper than to check each proof [protocol.md §5.5]. The price: until the
sum is known, nothing that was folded has been proved. A false share may open a tile that is
none, so a fold may come to anything, and to an exception that no honest log can raise. So what a
hurried reading comes to is handed to nobody before all sums are O; else it is thrown away.
"""

from collections.abc import Callable
from typing import TypeVar

from netgame.crypto.batch import Batch, Weights

T = TypeVar("T")


def in_a_hurry(
    read: Callable[[Weights], T], batch: Batch, is_good: Callable[[T], bool] = lambda _: True
) -> T:
    """Return what `read` comes to: given `batch` to check proofs by, and if need be each by itself.

    If the sum holds, so does each proof, and the second reading would take the same way. What it
    raises the second time comes out, and so does what it raised the first time, if the second comes
    to something good: all proofs hold then, so nothing that was folded is to blame.
    """
    bug: Exception | None = None
    try:
        made = read(batch)
        if batch.holds():
            return made
    except Exception as error:  # what is folded here has yet to be proved: it may come to anything
        bug = error
    made = read(batch.entropy)
    if bug is not None and is_good(made):
        raise bug
    return made
