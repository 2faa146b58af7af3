"""Reads a record with its proofs checked as one sum, and again one by one if that fails.

Adding equations up is cheaper than checking each proof [protocol.md §5.5]. The price: until the sum
is known, nothing that was read has been proved. A false share may open a tile that does not exist.
The ledger may then reach any state, or raise an exception that no honest log can raise. So the
result of a hurried reading is returned only if all sums are O, and otherwise thrown away.
"""

from collections.abc import Callable
from typing import TypeVar

from netgame.crypto.batch import Batch, Weights

T = TypeVar("T")


def in_a_hurry(
    read: Callable[[Weights], T], batch: Batch, is_good: Callable[[T], bool] = lambda _: True
) -> T:
    """Return the result of `read(batch)` or, if the sum fails, that of `read(batch.entropy)`.

    The second run, which checks each proof by itself, also follows an exception in the first. Its
    own exceptions are raised. If its result is good (`is_good`), all proofs hold, so an exception
    in the first run was a bug of this program, and is raised.
    """
    bug: Exception | None = None
    try:
        made = read(batch)
        if batch.holds():
            return made
    except Exception as error:  # nothing read here is proved yet, so anything may be raised
        bug = error
    made = read(batch.entropy)
    if bug is not None and is_good(made):
        raise bug
    return made
