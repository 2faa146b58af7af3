"""Checks of proofs, shared by all seats of one process.

Every seat of a table reads and checks the proofs of every other seat. In a test, all seats are
in one process. So this module reads octets and checks each claim once, and keeps the answer for
every seat that asks the same question about the same octets.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import ParamSpec, TypeVar

import pytest

from netgame.crypto import group, masking
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Point
from netgame.crypto.shuffle import ShuffleLink
from netgame.protocol.state import deal, lobby, play, turn
from netgame.wire import codec

Params = ParamSpec("Params")
Result = TypeVar("Result")


def once_a_group(make: Callable[Params, Result]) -> Callable[Params, Result]:
    """Return `make` with its results cached, separately for the toy group and the real one."""
    kept = cache(lambda _library, *args, **kwargs: make(*args, **kwargs))
    return lambda *args, **kwargs: kept(group.curve, *args, **kwargs)


@contextmanager
def checks_shared() -> Iterator[None]:
    """Within the block, read octets and rules and check shares, hands and shuffles once each."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(codec, "_is_canonical", cache(codec._is_canonical))
        patched.setattr(lobby, "_rules_of", cache(lobby._rules_of))
        patched.setattr(group, "decode", once_a_group(group.decode))
        patched.setattr(masking, "verify_reveal", shared_by_seats(masking.verify_reveal))
        patched.setattr(turn, "verify_hand", shared_by_seats(turn.verify_hand))
        shuffles = one_by_one(shared_by_seats(deal.verify_shuffles))
        patched.setattr(deal, "verify_shuffles", shuffles)
        patched.setattr(play, "verify_shuffles", shuffles)
        yield


def shared_by_seats(check: Callable[..., object]) -> Callable[..., object]:
    """Return a check that remembers its answer to each claim in each group.

    A claim that goes into a batch is always passed on to `check`.
    """
    answers: dict[Hashable, object] = {}

    def answer(*claim: object) -> object:
        if isinstance(claim[-1], Batch):  # a batch collects the equations, and answers later
            return check(*claim)
        facts = (fact for fact in claim if not callable(fact))  # entropy is callable
        key = (group.curve, *(tuple(fact) if isinstance(fact, list) else fact for fact in facts))
        if key not in answers:
            answers[key] = check(*claim)
        return answers[key]

    return answer


def one_by_one(check: Callable[..., object]) -> Callable[..., object]:
    """Return a check that checks each of many links alone, so that seats share the answers.

    It returns the indices of the bad links. Links for a batch are passed on to `check` together.
    """

    def bad(key: Point, links: Sequence[ShuffleLink], by: Weights) -> object:
        if isinstance(by, Batch):
            return check(key, links, by)
        return tuple(at for at, link in enumerate(links) if check(key, (link,), by))

    return bad
