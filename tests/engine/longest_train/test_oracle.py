"""The longest train agrees with the oracle on a few hands, if OR-tools is installed."""

import random

import pytest

pytest.importorskip("ortools")

from tests.engine.longest_train import oracle


def test_the_oracle_finds_no_longer_train():
    """Search and oracle agree on forty random hands; running `oracle` compares thousands."""
    for number in range(40):
        oracle.compare(random.Random(number))
