"""The seats at each step, and the epochs, while players come, leave and return."""

import pytest

from netgame.protocol.epochs.company import Company
from netgame.wire.statements import bit

TABLE, FIRST, CUT, SECOND, THIRD = b"table", b"first coin", b"cut", b"second coin", b"third"
ANN, BEN, CY, DEE, EVE = (bytes([number]) * 32 for number in range(5))


def a_long_evening():
    """Return the company of an evening on which seats are drawn, one goes, and guests come.

    Three sign a roster and are reordered. Then Ben leaves; later Dee comes and Ben returns.
    """
    company = Company.of_table(TABLE).then(5, keys=(CY, ANN, BEN))
    company = company.then(8, id=FIRST, session=FIRST, keys=(ANN, BEN, CY))
    company = company.then(20, id=CUT, gone=frozenset({1}))
    company = company.then(40, keys=(ANN, BEN, CY, DEE), gone=frozenset(), guests=frozenset({1, 3}))
    return company.then(43, id=SECOND, session=SECOND, guests=frozenset())


@pytest.mark.parametrize(
    ("step", "name", "present", "guests"),
    [
        (0, TABLE, "", ""),
        (4, TABLE, "", ""),
        (5, TABLE, "CAB", ""),
        (8, FIRST, "ABC", ""),
        (19, FIRST, "ABC", ""),
        (20, CUT, "AC", ""),
        (40, CUT, "ABCD", "BD"),
        (43, SECOND, "ABCD", ""),
        (99, SECOND, "ABCD", ""),
    ],
)
def test_each_step_has_its_company(step, name, present, guests):
    """Each step has its own seats and guests; a future step has those of the present."""
    epoch = a_long_evening().at(step)
    letters = "".join("ABCD"[key[0]] for key in epoch.keys)
    assert epoch.id == name
    assert "".join(letters[seat] for seat in epoch.present) == present
    assert "".join(letters[seat] for seat in sorted(epoch.guests)) == guests


def test_an_id_names_one_epoch_and_its_guests():
    """An epoch's first step, keys and voters can be found by the id of the epoch.

    The epoch under the id of the lobby begins at the first step that seats write. `of_id` returns
    None for an unknown id.
    """
    company = a_long_evening()
    assert [company.began(each) for each in (TABLE, FIRST, CUT, SECOND)] == [5, 8, 20, 43]
    cut, second = company.of_id(CUT), company.of_id(SECOND)
    assert cut.keys == (ANN, BEN, CY, DEE)
    assert (cut.voters, second.voters) == (0b101, 0b1111)
    assert company.of_id(b"another") is None
    assert [cut.has(key) for key in (ANN, DEE, bytes(31))] == [True, True, False]


def test_a_seat_that_went_while_guests_were_here_has_no_vote_without_them():
    """A seat that went while guests were here has no vote after they are removed."""
    before = Company.of_table(TABLE).then(5, id=FIRST, session=FIRST, keys=(ANN, BEN, CY))
    with_guests = before.with_guests(9, (DEE,))
    left = with_guests.without(bit(1), 11, bytes(64)).without_guests(11, before.now)
    assert left.now.keys == (ANN, BEN, CY)
    assert left.now.gone == {1}
    assert left.now.voters == 0b101
    assert not left.now.has(BEN)


def test_guests_that_come_bring_back_nobody_else_who_has_gone():
    """When guests come, only those who asked sit again; others who have gone stay away."""
    company = Company.of_table(TABLE).then(5, id=FIRST, session=FIRST, keys=(ANN, BEN, CY))
    company = company.without(bit(1) | bit(2), 8, bytes(64)).with_guests(9, (CY,))
    assert company.now.gone == {1}
    assert company.now.guests == {2}
    assert company.now.voters == 0b1


def test_each_cut_keeps_out_those_of_the_cuts_before_and_has_an_id_of_its_own():
    """Each cut keeps out the seats of earlier cuts, and has an id of its own.

    The id depends on the seats that go, the step and the head.
    """
    company = Company.of_table(TABLE).then(5, id=FIRST, session=FIRST, keys=(ANN, BEN, CY, DEE))
    twice = company.without(bit(1), 8, bytes(64)).without(bit(2), 9, bytes(64))
    assert twice.now.gone == {1, 2}
    ways = [(bit(1), 8, bytes(64)), (bit(2), 8, bytes(64)), (bit(1), 9, bytes(64))]
    ways.append((bit(1), 8, bytes([1]) * 64))
    assert len({company.without(*way).now.id for way in ways}) == len(ways)


def test_the_first_coin_seats_nobody_who_has_left_and_a_later_one_gives_votes():
    """The first coin leaves out the seats that have gone.

    A later one gives a vote to the guests that are named, and to no other guest.
    """
    roster = Company.of_table(TABLE).then(5, keys=(ANN, BEN, CY)).without(bit(0), 6, bytes(64))
    seated = roster.with_session(8, FIRST)
    assert set(seated.now.keys) == {BEN, CY}
    assert seated.now.gone == set()
    later = seated.with_guests(20, (DEE, EVE)).with_session(23, SECOND)
    assert later.now.guests == {2, 3}
    assert later.now.voters == 0b11
    named = later.with_session(40, THIRD, frozenset({3}))
    assert named.now.guests == {2}
    assert named.now.voters == 0b1011


def test_newcomers_are_guests_that_have_thrown_no_coin_yet():
    """Newcomers are the guests that came after the last coin, even if removed and seated again."""
    company = Company.of_table(TABLE).then(5, id=FIRST, session=FIRST, keys=(ANN, BEN))
    old = company.with_guests(9, (CY,)).with_session(12, SECOND)
    assert old.now.guests == {2}
    assert not old.newcomers(SECOND)
    before = old.now
    seated = old.with_guests(20, (DEE, EVE))
    assert seated.now.guests == {2, 3, 4}
    assert seated.newcomers(SECOND) == {3, 4}
    goes = seated.without(bit(3), 21, bytes(64))
    assert goes.now.guests == {2, 4}, "who has gone is no guest"
    again = goes.without_guests(22, before).with_guests(22, (EVE,))
    assert again.now.guests == {2, 3}
    assert again.newcomers(again.now.id) == {3}
    assert again.newcomers(FIRST) == {2}
    assert not again.newcomers(b"another")
    assert not again.with_session(25, THIRD).newcomers(THIRD)


def test_a_key_sits_since_it_came_back():
    """A key that came back counts as seated since its return, under a new epoch number."""
    company = Company.of_table(TABLE).then(5, id=FIRST, session=FIRST, keys=(ANN, BEN, CY))
    assert company.seated_at(BEN) == (5, 1)
    gone = company.without(bit(1), 8, bytes(64))
    assert gone.seated_at(BEN) is None
    back = gone.with_guests(20, (BEN,))
    assert back.seated_at(BEN) == (20, 3)
    assert back.seated_at(ANN) == (5, 1)
    assert back.number_of(back.now.id) == 3
