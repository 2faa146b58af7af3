"""Equations checked together: the batch holds only if each equation does."""

import pytest

from netgame.crypto import batch, group
from netgame.crypto.batch import Batch, is_zero_sum
from netgame.crypto.group import G, Q, mul_base
from netgame.crypto.transcript import expand


def fresh(begin=None):
    """Return a new batch with fixed factors; `begin`, if given, sums its parts."""
    return Batch(expand(bytes(32), "batch"), begin)


def equation(k):
    """Return the true equation that kG is k times G."""
    return (k, -1), (G, mul_base(k))


def test_true_equations_hold_and_nothing_does():
    """True equations hold together, even with one that contains O; an empty batch holds, too."""
    given = fresh()
    assert given.add(equation(3), equation(Q - 4), ((5,), (None,)))
    assert given.holds()
    assert fresh().holds()


def test_whoever_foresees_the_factors_has_false_equations_cancel():
    """False equations can cancel if a batch's factors are foreseen, but not if they are secret.

    That is why factors are drawn from secret octets.
    """
    known = expand(bytes(32), "known")
    first, second = group.batch_factors(expand(bytes(32), "known"), 2)
    error = -first * 7 * pow(second, -1, Q) % Q
    lies = ((1,), (mul_base(7),)), ((1,), (mul_base(error),))
    foreseen, secret = Batch(known), fresh()
    foreseen.add(*lies)
    secret.add(*lies)
    assert foreseen.holds()
    assert not secret.holds()


@pytest.mark.parametrize("at", [0, 1, 2])
def test_what_was_added_up_before_counts(monkeypatch, at):
    """A batch whose equations are summed in parts fails if any part has a false equation.

    The sum of a part is begun as soon as the part is full; the results are read at the end.
    """
    monkeypatch.setattr(batch, "POINTS_AT_ONCE", 3)
    begun = []

    def begin(wides, factors):
        begun.append(len(wides))
        return lambda: is_zero_sum(wides, factors)

    given = fresh(begin)
    for number in range(3):
        false = 1 if number == at else 0
        given.add(
            equation(number + 2), ((1, -1), (mul_base(90 + number), mul_base(90 + number + false)))
        )
        given.begin(at_least=3)
    assert given.holds() is False
    assert begun == [*(4 if number == at else 2 for number in range(3)), 0]
