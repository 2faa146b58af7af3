"""Five games that waited for votes for ever under protocol version 2 must reach their ends.

Links are cut and joined at exactly the moments that caused the wait.
"""

from collections.abc import Iterator

import pytest

from lab.simulation.computers.agreement import value_of
from lab.simulation.computers.toys import toys
from netgame.wire.statements import Accept, Promise
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import LATENCY_S, SimTable, Sitter, full_table, kill, link_all, revive
from tests.netgame.small_games import expect_whole, is_its_turn, offer

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve")
VOTE = ("patience=vote", "leaver=rebuild")


@pytest.fixture(autouse=True, scope="module")
def _with_toys() -> Iterator[None]:
    with toys():
        yield


def in_play(seats: int) -> SimTable:
    """Return a table in play that gives up a missing seat only if its players vote for it."""
    table = full_table(NAMES[:seats], offer(VOTE, rounds=1, seats=seats), seed=bytes([3]) * 32)
    until_in_play(table)
    return table


def with_an_entry_that_nobody_else_has(seats: int) -> tuple[SimTable, Sitter, list[Sitter]]:
    """Return a table, the one seat that has closed a step alone, and the others.

    The seat is cut off from all the others when its turn comes, and plays all the same.
    """
    table = in_play(seats)
    table.run(lambda: any(is_its_turn(each) for each in table.sitters[1:]))
    who = next(each for each in table.sitters[1:] if is_its_turn(each))
    others = [each for each in table.sitters if each is not who]
    apart(table, [who], others)
    step = who.state.step
    table.run(lambda: who.state.step > step)
    assert all(each.state.step == step for each in others)
    return table, who, others


def apart(table: SimTable, here: list[Sitter], there: list[Sitter]) -> None:
    """Cut all links between the seats `here` and the seats `there`."""
    for one in here:
        for other in there:
            table.cut.add(frozenset((one.key, other.key)))
            table.disconnect(one, other)


def together(table: SimTable, here: list[Sitter], there: list[Sitter]) -> None:
    """Restore all links between the seats `here` and the seats `there`."""
    for one in here:
        for other in there:
            table.cut.discard(frozenset((one.key, other.key)))
            table.connect(one, other)


def name(table: SimTable, people: list[Sitter], gone: list[Sitter]) -> None:
    """Have these people vote to go on without the seats in `gone`."""
    keys = [each.key for each in gone]
    for each in people:
        table.act(each, lambda parts: parts.wishes.give_up(keys))


def until_said(table: SimTable, sitter: Sitter, kind: type[Promise | Accept]) -> None:
    """Run until this seat has just signed a statement of this kind in the open poll."""
    ledger = sitter.ledger
    first = ledger.poll

    def has() -> bool:
        said = (each.statement for each in sitter.parts.journal.statements.values())
        return any(isinstance(each, kind) and first.is_of(each) for each in said)

    table.run(has, 120.0)


def names_of(sitters: list[Sitter]) -> set[str]:
    """Return the names of these sitters."""
    return {each.name for each in sitters}


def gone_at_the_end(table: SimTable) -> set[str]:
    """Play to the end; return the names of the players who have lost their seats.

    Everybody, with or without a seat, must have decided each poll alike and found no fault.
    """
    table.run_game()
    expect_whole(table)
    decided: dict[tuple[bytes, int], object] = {}
    for sitter in table.sitters:
        for each in sitter.ledger.decisions:
            at = each.book.id, each.book.number
            assert decided.setdefault(at, value_of(each)) == value_of(each)
        assert not sitter.faults()
    state = table.host.state
    here = {state.seats[seat].key for seat in state.present}
    return names_of([each for each in table.sitters if each.key not in here])


@pytest.mark.parametrize("moment", [Promise, Accept])
def test_a_seat_sees_one_side_of_a_cut_table_and_then_the_other(
    moment: type[Promise | Accept],
) -> None:
    """A seat's vote on one side binds it on the other; at most one side loses its seats."""
    table = in_play(5)
    between = table.sitters[2]
    left = table.sitters[:2]
    right = table.sitters[3:]
    apart(table, [*left, between], right)
    name(table, [*left, between], right)
    until_said(table, between, moment)
    apart(table, [between], left)
    together(table, [between], right)
    name(table, [*right, between], left)
    table.pass_time(60.0)
    together(table, [*left, between], [*right, between])
    assert gone_at_the_end(table) in (set(), names_of(left), names_of(right))


def test_who_was_named_brings_its_entry_and_goes_for_good_while_another_comes_back() -> None:
    """Only the named seat is given up, although another one dies meanwhile and comes back."""
    table, who, (ann, ben, cy) = with_an_entry_that_nobody_else_has(4)
    name(table, [ann, ben, cy], [who])
    until_said(table, cy, Accept)
    kill(table, cy)
    together(table, [who], [ann, ben])
    table.pass_time(4 * LATENCY_S)
    kill(table, who)
    revive(table, cy)
    link_all(table)
    table.pass_time(1.0)
    name(table, [ann, ben, cy], [who])
    assert gone_at_the_end(table) == names_of([who])


def test_a_seat_has_named_another_before_two_more_go() -> None:
    """Ann's promise to go on without Eve does not keep her from going on with Eve.

    After that promise Cy and Dee vanish, and Ann, Ben and Eve go on without those two.
    """
    table = in_play(5)
    ann, ben, cy, dee, eve = table.sitters
    apart(table, [eve], [ann, ben, cy, dee])
    name(table, [ann, ben, cy], [eve])
    until_said(table, ann, Promise)
    together(table, [eve], [ann, ben, cy, dee])
    kill(table, cy)
    kill(table, dee)
    table.pass_time(10.0)
    name(table, [ann, ben, eve], [cy, dee])
    assert gone_at_the_end(table) == {"Cy", "Dee"}


@pytest.mark.parametrize("moment", [Promise, Accept])
def test_a_seat_has_followed_another_that_goes_for_good(moment: type[Promise | Accept]) -> None:
    """A seat that has promised where its log ends then takes an entry from the named seat.

    Still, the named seat is given up, and no other.
    """
    table, who, (ann, ben, cy) = with_an_entry_that_nobody_else_has(4)
    name(table, [ann, ben, cy], [who])
    until_said(table, cy, moment)
    apart(table, [cy], [ann, ben])
    together(table, [cy], [who])
    table.run(lambda: cy.state.head == who.state.head, 60.0)
    kill(table, who)
    together(table, [cy], [ann, ben])
    table.pass_time(1.0)
    name(table, [ann, ben, cy], [who])
    assert gone_at_the_end(table) == names_of([who])


def test_the_others_decide_by_what_a_seat_has_said_that_has_followed_another() -> None:
    """Three seats vote a fourth out; one of them meets the fourth before it hears the result.

    When all are linked again, everybody has the same decisions, and only the fourth is gone.
    """
    table, who, (ann, ben, cy) = with_an_entry_that_nobody_else_has(4)
    name(table, [ann, ben, cy], [who])
    until_said(table, cy, Accept)
    apart(table, [cy], [ben])
    decided = len(ann.ledger.decisions)
    table.run(lambda: len(ann.ledger.decisions) > decided, 60.0)
    apart(table, [cy], [ann])
    assert len(cy.ledger.decisions) == decided
    together(table, [cy], [who])
    table.pass_time(5.0)
    together(table, [cy, who], [ann, ben])
    assert gone_at_the_end(table) == names_of([who])
