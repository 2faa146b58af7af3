"""Who sits in which step: one tuple of epochs answers it, whoever comes, goes and comes again."""

import pytest

from netgame.protocol.epochs.company import Company

TABLE, FIRST, CUT, SECOND = b"table", b"first coin", b"cut", b"second coin"
ANN, BEN, CY, DEE = (bytes([number]) * 32 for number in range(4))


def a_long_evening():
    """Three sign a roster in another order, one leaves, one comes late, the first comes back."""
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
    """Of a step to come it is the present one."""
    epoch = a_long_evening().at(step)
    letters = "".join("ABCD"[key[0]] for key in epoch.keys)
    assert epoch.id == name
    assert "".join(letters[seat] for seat in epoch.present) == present
    assert "".join(letters[seat] for seat in sorted(epoch.guests)) == guests


def test_an_id_names_one_epoch_and_its_guests():
    """Who throws a coin signs under the id of before; the lobby's has its first step with seats."""
    company = a_long_evening()
    assert [company.began(each) for each in (TABLE, FIRST, CUT, SECOND)] == [5, 8, 20, 43]
    cut, second = company.of_id(CUT), company.of_id(SECOND)
    assert cut.keys == (ANN, BEN, CY, DEE)
    assert (cut.voters, second.voters) == (0b101, 0b1111)
    assert company.of_id(b"another") is None
    assert [cut.has(key) for key in (ANN, DEE, bytes(31))] == [True, True, False]
