"""A slice of what `oracle` compares, where OR-tools is there."""

import random

import pytest

pytest.importorskip("ortools")

from tests.engine.longest_train import oracle


def test_the_oracle_finds_no_longer_train():
    """Hands of every set; the module run by itself compares thousands."""
    for number in range(40):
        oracle.compare(random.Random(number))
