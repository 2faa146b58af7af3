"""Checks many proofs at once: adds up equations "this sum of points is O", each times a factor.

Factors are secret and below 2^128, and the group has prime order: if an equation is false, the
total is O with a probability of only 2^-128 (Bellare, Garay, Rabin, "Fast Batch Verification for
Modular Exponentiation and Digital Signatures", 1998). With a batch, a `verify_` adds its equations
and says only that the rest of the proof is sound; its proof counts once the batch `holds`. A batch
does not tell which equation is false: to find out, check the proofs again one by one.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from netgame.crypto import curve, group
from netgame.crypto.group import Element, Entropy

Begin: TypeAlias = Callable[[list[bytes], list[int]], Callable[[], bool]]
"""Begins `is_zero_sum` on another core; returns a function that waits for the answer."""
POINTS_AT_ONCE: Final = 16_384  # larger sums are hardly cheaper, and would leave other cores idle


def is_zero_sum(wides: list[bytes], factors: list[int]) -> bool:
    """Return True if the points, each times its factor, add up to O; True for no points.

    The points have 65 octets each, and the factors are 1 to Q-1.
    """
    return curve.multiply_sum(wides, factors) is None


class Batch:
    """Equations that are checked together: `add` them, then ask whether the batch `holds`."""

    def __init__(self, entropy: Entropy, begin: Begin | None = None) -> None:
        self.entropy = entropy
        """Must be secret and fresh: if factors could be predicted, false equations could cancel."""
        self.total = defaultdict[Element, int](int)
        """The factor of each point in the equations whose check has not begun."""
        self._begin = begin
        """Computes sums on another core; without it, this thread does."""
        self._answers: list[Callable[[], bool]] = []
        """Functions that wait for the sums that have begun."""

    def add(self, *equations: tuple[Sequence[int], Sequence[Element]]) -> bool:
        """Add equations, each saying that the sum of scalar times element is O. Returns True.

        Raises `ValueError` if an equation does not have as many scalars as elements.
        """
        factors = group.batch_factors(self.entropy, len(equations))
        for factor, (scalars, elements) in zip(factors, equations, strict=True):
            for scalar, element in zip(scalars, elements, strict=True):
                self.total[element] += factor * scalar
        return True

    def begin(self, at_least: int = POINTS_AT_ONCE) -> None:
        """If at least `at_least` points have been added, begin to check them, and empty `total`.

        With fewer points nothing happens. Otherwise `holds` returns the answer later and, unless
        `at_least` is 0, the point cache of `group` is cleared.
        """
        if len(self.total) >= at_least:
            terms = group.terms(self.total.values(), self.total)
            begun = self._begin(*terms) if self._begin else partial(bool, is_zero_sum(*terms))
            self._answers.append(begun)
            self.total.clear()
            if at_least:
                group.forget_points()  # now, when few are needed, not amid the next batch

    def holds(self) -> bool:
        """Return True if every equation added so far is true, or if there is none.

        This checks the equations added since the last `begin`, and waits for all sums.
        """
        self.begin(0)
        return all(answer() for answer in self._answers)


Weights: TypeAlias = Entropy | Batch  # secret octets for a sum of a proof's own, or a common sum
