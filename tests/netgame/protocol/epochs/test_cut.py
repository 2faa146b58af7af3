"""The seats of a table decide one value: a full search, and a search without each rule."""

import random
import sys
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from netgame.protocol.epochs import cut, voter
from netgame.wire.statements import Ballot, bit
from tests.netgame.protocol.epochs import search
from tests.netgame.protocol.epochs.in_order import SearchInOrder
from tests.netgame.protocol.epochs.search import Search
from tests.netgame.protocol.epochs.small import Broken, Table
from tests.netgame.protocol.epochs.walks import walk

A, B, C, D, E = map(bit, range(5))
ALL = A | B | C
TWO = (Ballot(1, 0), Ballot(1, 1))

SMALL = {
    "two owners": Table(3, TWO),
    "who leaves": Table(3, TWO, wishes=(0, C), leavers=C),
    "all may leave": Table(3, TWO, leavers=ALL),
    "a log": Table(3, TWO, (A, ALL)),
    "a liar that owns a ballot": Table(3, TWO, liar=1),
}
"""Each search is complete in a second or two."""

LARGE = {
    "three ballots": Table(3, (*TWO, Ballot(2, 2)), wishes=(0, C)),
    "wishes over a log": Table(3, TWO, (A, ALL), (0, C), final=frozenset({2})),
    "leavers over a log": Table(3, TWO, (A, ALL), leavers=B | C),
    "five seats": Table(5, TWO, leavers=C | D | E),
    "a liar among five": Table(5, TWO, liar=4),
    "blame by the certificates alone": Table(3, TWO, wishes=(0, C), liar=2, lies=5, exact=True),
}

FIVE = {
    "nobody is named": (Table(5, (*TWO, Ballot(2, 0))), 46_918),
    "one may leave": (Table(5, (*TWO, Ballot(2, 0)), leavers=E), 498_223),
    "an owner lies": (Table(5, (*TWO, Ballot(2, 0)), liar=0, lies=3), 51_356),
}
"""Tables of five seats and three ballots in order, and how many states they have."""


IN_ORDER = ("two owners", "who leaves", "a liar that owns a ballot")
"""Tables where every value that some order can decide is also decided ballot after ballot."""


@pytest.mark.parametrize("name", SMALL)
def test_no_two_values_are_decided(name):
    """No two values are decided, whatever messages are lost and whoever crashes or leaves.

    At the tables of `IN_ORDER`, a search ballot after ballot finds the same values.
    """
    found, in_order = Search(SMALL[name]), SearchInOrder(SMALL[name])
    assert found.all() > 400
    if name in IN_ORDER:
        in_order.all()
        assert in_order.values == found.values


@pytest.mark.campaign
@pytest.mark.parametrize("name", LARGE)
def test_no_two_values_are_decided_at_larger_tables(name):
    """No two values are decided at larger tables, each with over ten thousand states."""
    assert Search(LARGE[name]).all() > 10_000


@pytest.mark.campaign
@pytest.mark.parametrize("name", FIVE)
def test_no_two_values_are_decided_by_five_in_three_ballots(name):
    """Five seats never decide two values in three ballots.

    The search takes one ballot after another, which finds every decision that any order can reach.
    """
    table, states = FIVE[name]
    assert SearchInOrder(table).all() == states


def test_a_quorum_that_meets_decides_whatever_was_signed_before():
    """A quorum that meets can always decide with one more ballot.

    The tables, of four and five seats, have partings, wishes and a log.
    """
    ballots = (*TWO, Ballot(2, 2))
    for seats, wishes, steps in ((4, (0, D), (A, A | B | C | D, C)), (5, (0, E, D | E), (A, B))):
        found = Search(Table(seats, ballots, steps, wishes, C | D, exact=True))
        chance = random.Random(1)
        assert len({walk(found, chance) for _ in range(40)}) > 30


REMOVED = {
    "a parting counts only below what it had promised, where accepts are counted": (
        "parted = seats_of(counted)",
        "parted = seats_of(partings)",
        Table(3, TWO, wishes=(0, A), leavers=B | C),
    ),
    "a parting says what its seat had accepted": (
        "accepted = {each.accepted for each in both} - {NOTHING}",
        "accepted = {each.accepted for each in promises} - {NOTHING}",
        Table(3, TWO, wishes=(0, C), leavers=ALL),
    ),
    "a promise says what its seat had accepted": (
        "accepted = {each.accepted for each in both} - {NOTHING}",
        "accepted = {each.accepted for each in partings} - {NOTHING}",
        Table(3, TWO, wishes=(0, C)),
    ),
    "nobody accepts below what it has promised": (
        "bound.promised == proposal.ballot",
        "bound.promised >= proposal.ballot",
        Table(3, TWO, wishes=(0, C)),
    ),
    "more than half": (
        "return 2 * seats.bit_count() > (company & ~parted).bit_count()",
        "return 2 * seats.bit_count() >= (company & ~parted).bit_count()",
        Table(4, TWO, wishes=(0, D)),
    ),
    "a seat accepts one proposal of a ballot": (
        "is_promised and bound.accepted_in != proposal.ballot",
        "is_promised",
        Table(3, TWO, wishes=(0, C), liar=1),
    ),
    "who has left signs nothing more": (
        "not bound.left and ",
        "",
        Table(3, TWO, wishes=(0, C), leavers=C),
    ),
    "who has promised writes no later entry": (
        "return not self.left and (self.last is None or step <= self.last)",
        "return True",
        Table(3, TWO, (A, ALL), (0, C)),
    ),
    "where a coin has fallen nobody goes": (
        "if self.log.is_final(furthest.step):",
        "if False:",
        Table(3, TWO, (A,), (0, C), final=frozenset({2})),
    ),
    "nobody accepts that its own log is cut": (
        "proposal.step < end.step and cut.is_fresh(proposal)",
        "False",
        Table(3, TWO, (A,), (0, C)),
    ),
    "all of a quorum name who goes": (
        "reduce(and_, (each.without for each in promises))",
        "reduce(lambda one, other: one | other, (each.without for each in promises))",
        Table(3, TWO, wishes=(0, C)),
    ),
    "a proposal is what its count allows": (
        "return Validity.COUNTS if value == _value(proposal) else Validity.FALSE",
        "return Validity.COUNTS",
        Table(3, TWO, wishes=(0, C), liar=1),
    ),
}
"""A rule, the code that keeps it, the code without it, and a table that shows the difference."""


@pytest.mark.parametrize("rule", REMOVED)
def test_without_a_rule_the_search_finds_what_breaks(rule, monkeypatch):
    """If one rule is removed, the search finds a broken invariant, so each rule is needed."""
    right, wrong, table = REMOVED[rule]
    assert sum(right in Path(each.__file__).read_text("utf-8") for each in (cut, voter)) == 1
    for name, module in (("rules", cut), ("votes", voter)):
        source = Path(module.__file__).read_text("utf-8").replace(right, wrong)
        changed = module_from_spec(spec_from_loader(module.__name__, None))
        monkeypatch.setitem(sys.modules, module.__name__, changed)
        exec(compile(source, module.__file__, "exec"), changed.__dict__)
        monkeypatch.setattr(search, name, changed)
    monkeypatch.setattr(search, "COUNTS", search.rules.Validity.COUNTS)
    with pytest.raises(Broken):
        Search(table).all(2_000_000)
