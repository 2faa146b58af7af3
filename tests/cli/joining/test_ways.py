"""A table announced at several addresses is tried at each, so that a copy keeps nobody away."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from cli.joining import ways
from netgame.errors import Disconnected, HungUp, Malformed, Refused, TimedOut
from netgame.io.discovery.advert import TableAd
from netgame.io.door.admission import WRONG_CODE
from netgame.io.tables.options import JoinOptions
from tests.cli.house_rules.test_hosting import reader
from tests.cli.joining.ads import ANN

COPY = replace(ANN, port=6666)
TWIN = replace(ANN, fingerprint="twintwin", port=7777)
OPEN_TWIN = replace(TWIN, code_number=0)
SEAT = JoinOptions(name="Ben")


def of(ad, *others):
    """Return an advertisement with others for the same table, as one result of a search."""
    return replace(ad, others=others)


@pytest.mark.parametrize(
    ("where", "ports"),
    [
        ("10.0.0.1:4747", []),
        (ANN, [4747]),
        (of(ANN, COPY), [4747, 6666, 4747]),
        (of(ANN, COPY, TWIN), [4747, 6666, 7777, 4747]),
        (of(ANN, OPEN_TWIN), [4747]),  # nothing would show that it is another table
        (of(replace(ANN, code_number=0), TWIN), [4747]),
        (of(replace(ANN, code_number=0), replace(COPY, code_number=0)), [4747, 6666, 4747]),
    ],
)
def test_where_a_table_is_tried(where, ports):
    """A table with another key is tried only if both tables ask for a code.

    If there are others to try, the chosen address is tried again at the end.
    """
    found = ways.ways_to(where)
    assert [each.port for each in found if isinstance(each, TableAd)] == ports
    assert len(found) == max(1, len(ports))


class Network:
    """Tables to join by port: a port in `doors` raises its error, and others let the guest in."""

    def __init__(self, monkeypatch, doors):
        self.doors, self.came = doors, []

        @asynccontextmanager
        async def join_table(seat, where):
            self.came.append((where.port, seat.insists))
            if (trouble := self.doors.get(where.port)) is not None:
                raise trouble
            yield SimpleNamespace(port=where.port)

        monkeypatch.setattr(ways, "join_table", join_table)


TROUBLES = [
    HungUp("that table hung up"),
    Disconnected("nobody is there"),
    TimedOut("it did not answer"),
    Refused("key", "another player answers where that table was advertised"),
    Refused("no-code-there", "that table was advertised with a join code, but asks none"),
]


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_behind_a_twin_the_true_table_is_found(monkeypatch, trouble):
    """If a twin fails, the person reads which address is tried next, and reaches the true table."""
    network = Network(monkeypatch, {6666: trouble})
    front = reader()
    async with ways.joined(front, SEAT, of(COPY, ANN)) as (node, where):
        assert (node.port, where.port) == (4747, 4747)
    assert network.came == [(6666, False), (4747, False)]
    (said,) = front.said
    assert said.endswith("The same table is announced at 10.0.0.1:4747: trying there.")


async def test_a_busy_door_is_waited_for_once_the_others_have_failed(monkeypatch):
    """The chosen door is tried again last and with patience; its error is the one raised."""
    network = Network(monkeypatch, {4747: HungUp("busy"), 7777: Disconnected("gone")})
    with pytest.raises(HungUp, match="busy"):
        async with ways.joined(reader(), SEAT, of(ANN, TWIN)):
            pass
    assert network.came == [(4747, False), (7777, False), (4747, True)]
    network = Network(monkeypatch, {})
    async with ways.joined(reader(), SEAT, ANN):
        assert network.came == [(4747, True)]


@pytest.mark.parametrize(
    "trouble", [Refused("changed-key", "WARNING"), Refused("full", "no room"), Malformed("no code")]
)
async def test_what_another_place_does_not_mend_is_raised(monkeypatch, trouble):
    """A changed key or a refusal is raised at once, and no other address is tried."""
    network = Network(monkeypatch, {4747: trouble})
    with pytest.raises(type(trouble)):
        async with ways.joined(reader(), SEAT, of(ANN, TWIN)):
            pass
    assert len(network.came) == 1


async def test_a_wrong_code_is_asked_for_again_and_a_script_goes_on(monkeypatch):
    """A wrong code ends a person's attempt to join; a script tries the next address."""
    wrong = Refused(WRONG_CODE.code, "the join code is wrong")
    network = Network(monkeypatch, {7777: wrong})
    with pytest.raises(Refused, match="wrong"):
        async with ways.joined(reader(), SEAT, of(TWIN, ANN)):
            pass
    script = reader()
    script.asks_back = False
    async with ways.joined(script, SEAT, of(TWIN, ANN)) as (node, _):
        assert node.port == 4747
    assert network.came == [(7777, False), (7777, False), (4747, False)]


async def test_what_goes_wrong_at_the_table_is_not_tried_elsewhere(monkeypatch):
    """Once a guest is inside, a broken link does not lead to the other address."""
    network = Network(monkeypatch, {})
    with pytest.raises(Disconnected):
        async with ways.joined(reader(), SEAT, of(ANN, COPY)):
            raise Disconnected("the link broke")
    assert network.came == [(4747, False)]
