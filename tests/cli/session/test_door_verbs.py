"""A host's commands about the door: block an address, let in a key."""

from types import SimpleNamespace

import pytest

from cli.scene import DoorSeen, LobbyScene
from cli.session.loop import sit
from cli.session.verbs import door as verbs
from cli.session.verbs.complete import complete
from netgame.io.door.codes import parse_code
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage
from netgame.protocol.text import long_fingerprint
from tests.cli.fakes import FakeFront, seats_of, sitting_with
from tests.cli.joining.test_sitting_down import lobby

SEATS = seats_of("Ana", "Ben")
KEY = PeerKey(b"k" * 32)
SHOWN = long_fingerprint(KEY)
NOT_HERE = "Newcomers cannot come in at your computer now, only where the table is announced."


class Pool:
    """A pool of links, in which Ben's link comes from 10.0.0.9."""

    def __init__(self, door):
        self.door = door

    def block(self, source):
        """Block the address at the door; return the keys of the links that come from it."""
        self.door.block(source, 0.0)
        return (b"Ben",) if source == "10.0.0.9" else ()


@pytest.fixture(autouse=True)
def one_address(monkeypatch):
    """Make 10.0.0.1 the address of this computer."""
    own = SimpleNamespace(number=verbs.number_of("10.0.0.1"))
    monkeypatch.setattr(verbs, "own_addresses", lambda: (own,))


async def typed(*lines, tries=(), code="7-otter-violin", is_hidden=False, **facts):
    """Type these lines as Ana, who announces a table, after wrong codes from `tries`.

    Return the node and the front.
    """
    usual = {"is_host": True, "announces": True, "seats": SEATS}
    node, front = lobby(**usual | facts), FakeFront(*lines)
    node.is_hidden, node.door.code = is_hidden, parse_code(code) if code else None
    node.door.anybody = not code
    node.pool = Pool(node.door)
    for source in tries:
        node.door.was_wrong(source, 0.0)
    await sit(node, front, sitting_with())
    return node, front


async def test_an_address_is_blocked_and_that_is_taken_back():
    """The answer to `block` says what it does, how to undo it, and which players stay."""
    node, front = await typed("block 10.0.0.7", "block 10.0.0.9")
    assert node.door.blocked == {"10.0.0.7", "10.0.0.9"}
    undo = "To take that back type: block none"
    assert f"Nobody can join from 10.0.0.7 any more. {undo}" in front.said
    stays = "Nobody else can join from 10.0.0.9 any more. Those already here stay: Ben."
    assert stays in front.said
    node, front = await typed("block fe80::1%eth0", "block", "block none", "block")
    assert node.door.blocked == set()
    assert f"No wrong join code has come. Blocked: fe80::1. {undo}" in front.said
    assert "No address is blocked any more." in front.said
    assert "No wrong join code has come." in front.said


async def test_from_where_wrong_codes_came_is_listed():
    """`block` lists the addresses that sent wrong codes, those with the most codes first.

    Blocked addresses are listed only as blocked.
    """
    tries = ["10.0.0.7", "10.0.0.8", "10.0.0.8", "loopback"]
    _, front = await typed("block", "block 10.0.0.8", "block", tries=tries)
    came = "10.0.0.8 (2), 10.0.0.7 (1) and loopback (1)"
    assert f"Wrong join codes came from {came}." in front.said
    assert any(
        said.startswith("Wrong join codes came from 10.0.0.7 (1) and loopback (1). Blocked: 10.0")
        for said in front.said
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        *((own, "is your own computer") for own in ("127.0.0.1", "::1", "10.0.0.1", "loopback")),
        ("ben", "ben is no address. Type block alone to see"),
        ("10.0.0.7:4747", "is no address"),
        ("10.0.0.7 10.0.0.8", "is no address"),
    ],
)
async def test_what_cannot_be_blocked_is_said(word, said):
    """`block` refuses this computer, from which bots connect, and words that are not addresses."""
    node, front = await typed(f"block {word}")
    assert node.door.blocked == set()
    assert any(said in each for each in front.said)


@pytest.mark.parametrize("facts", [{"is_host": False, "announces": False}, {"is_hidden": True}])
async def test_only_where_newcomers_come_in_there_is_a_door(facts):
    """`block` and `allow` do nothing for a guest or at a practice table, which have no door."""
    node, front = await typed("block 10.0.0.7", f"allow {SHOWN}", **facts)
    assert front.said.count(NOT_HERE) == 2
    assert not node.door.blocked | node.door.allowed


@pytest.mark.parametrize("written", [SHOWN, SHOWN.upper(), SHOWN.replace("-", " ")])
@pytest.mark.parametrize("stage", [TableStage.LOBBY, TableStage.PLAYING])
async def test_a_key_is_let_in_before_and_during_the_game(written, stage):
    """`allow` with a key lets its owner in without the join code.

    The answer shows the host's own key, which the newcomer types instead.
    """
    node, front = await typed(f"allow {written}", stage=stage)
    assert node.door.is_allowed(KEY)
    own = long_fingerprint(node.key)
    text = f"{SHOWN} can come in without the join code. In its place they type your key: {own}"
    assert text in front.said


async def test_a_kicked_key_that_is_let_in_may_sit_again():
    """Letting in a key at the door also undoes its kick."""
    node, front = lobby(is_host=True, announces=True, seats=SEATS), FakeFront(f"allow {SHOWN}")
    node.door.code, node.kicked = parse_code("7-otter-violin"), {KEY: "Zoe"}
    await sit(node, front, sitting_with())
    assert node.kicked == {}
    assert ("allow", KEY) in node.asked


async def test_half_a_key_lets_nobody_in():
    """Half a key lets nobody in, because a stranger could make a key with the same half."""
    half = "k3f7-2xqa"
    node, front = await typed(f"allow {half}", f"allow {half.replace('-', '')}", "allow isabella")
    assert node.door.allowed == set()
    assert sum("That is half a key" in said for said in front.said) == 2
    assert "You have kicked nobody." in front.said


async def test_at_an_open_table_nobody_needs_to_be_let_in():
    """`allow` with a key at an open table says that no code is needed."""
    _, front = await typed(f"allow {SHOWN}", code="")
    assert f"At this table nobody needs a join code: {SHOWN} can come in." in front.said


def test_tab_offers_what_can_be_blocked_where_there_is_a_door():
    """After `block`, Tab offers the addresses that sent wrong codes, and `none`.

    Without a door, Tab does not offer `block` itself either.
    """
    view = lobby(is_host=True, announces=True, seats=SEATS).view()
    there = LobbyScene(view, b"Ana", door=DoorSeen(("10.0.0.7", "10.0.0.8"), ("10.0.0.6",)))
    assert [each.text for each in complete("block ", there)] == ["10.0.0.7", "10.0.0.8", "none"]
    assert [each.text for each in complete("block 10.0.0.8", there)] == ["10.0.0.8"]
    assert complete("block none ", there) == ()
    assert "block" in [each.text for each in complete("bl", there)]
    away = LobbyScene(view, b"Ana")
    assert complete("block ", away) == ()
    assert "block" not in [each.text for each in complete("bl", away)]


async def test_help_tells_of_it_where_there_is_a_door():
    """Help lists `block` for the host of an announced table, and not for a guest."""
    for announces in (True, False):
        _, front = await typed("help", announces=announces, is_host=announces)
        (page,) = (said for said in front.said if "say TEXT" in said)
        assert ("block [ADDRESS]" in page) == announces
