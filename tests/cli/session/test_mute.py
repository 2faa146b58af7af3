"""Muting: a player hides all that one key says, on their own screen and for the whole evening."""

from dataclasses import replace
from functools import partial

import pytest

from cli.scene import LobbyScene
from cli.session.loop import sit
from cli.session.muted import _SPEAKERS_MAX, HOST, Muted
from cli.session.verbs.complete import complete
from netgame.protocol import notices
from netgame.protocol.peer.view import Guest
from netgame.protocol.text import fingerprint
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.joining.test_sitting_down import lobby
from tests.cli.players import hosted
from tests.cli.scenes import scene_after

SCENE = scene_after(12, 4, 43)
OWN = SCENE.names[SCENE.seat]
BEN = next(name for name in SCENE.names if name != OWN)
HIDDEN = f"What {BEN} says is hidden from you now. To see it again type unmute {BEN}."
NOBODY = "You have muted nobody. To hide what somebody says type mute and their name."


def line(name: str, text: str, key: bytes = b"") -> notices.ChatHeard:
    """Return the notice that `name` said this; the key is the name unless another is given."""
    return notices.ChatHeard(name, text, key or name.encode())


async def muted(*lines, node=None, sitting=None, **facts):
    """Type each line or deliver each notice, with a pause after it.

    Return the node and the sentences that were said.
    """
    node = node or FakeNode(SCENE, **facts)
    given = [each if isinstance(each, str) else partial(node.tell, each) for each in lines]
    front = FakeFront(*(part for each in given for part in (each, 0.1)))
    await sit(node, front, sitting or sitting_with())
    return node, front.said


async def test_what_somebody_muted_says_is_hidden_until_that_is_taken_back(autojump_clock):
    """Muting hides everything that a key says, under any name, until it is unmuted.

    Nobody else is told of it.
    """
    node, said = await muted(
        line(BEN, "one"),
        f"mute {BEN.upper()}",
        line(BEN, "two"),
        line("Somebody (watching)", "three", BEN.encode()),
        line(BEN, "of another key", b"another"),
        "mute",
        f"unmute {BEN}",
        line(BEN, "four"),
        "mute",
    )
    heard = [each for each in said if each.startswith((f"{BEN}: ", "Somebody"))]
    assert heard == [f"{BEN}: one", f"{BEN}: of another key", f"{BEN}: four"]
    assert said.count(HIDDEN) == 1
    assert f"Muted: {BEN}. To see what they say type unmute and a name." in said
    assert f"Shown again: what is said by {BEN}." in said
    assert said.count(NOBODY) == 1
    assert node.asked == []


async def test_it_holds_at_the_next_table(autojump_clock):
    """A muted key stays muted at the next table."""
    sitting = sitting_with()
    await muted(f"silenciar {BEN}", sitting=sitting)
    _, said = await muted(line(BEN, "hello"), "mute", sitting=sitting)
    assert f"{BEN}: hello" not in said
    assert any(each.startswith(f"Muted: {BEN}.") for each in said)


async def test_guests_and_who_is_only_heard_of_are_muted_by_name_or_key(autojump_clock):
    """`mute` with a name mutes all watchers of that name, and with a fingerprint only one of them.

    Bots are not offered as people to mute.
    """
    bots = tuple(replace(each, bot=each.name == BEN) for each in seats_of(*SCENE.names))
    guests = (Guest(b"one", "Zoe"), Guest(b"two", "Zoe"))
    talk = [line("Zoe (watching)", "hello", key) for key in (b"one", b"two", b"three")]
    for typed in ("zoe", fingerprint(b"two")):
        _, said = await muted(talk[2], f"mute {typed}", *talk, guests=guests, seats=bots)
        heard = len([each for each in said if each.startswith("Zoe (watching): ")])
        assert heard == (1 if typed == "zoe" else 3)
    _, said = await muted(f"mute {BEN}", seats=bots)
    assert any(each.startswith("Name one of: ") and BEN not in each for each in said)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("mute xan",), "Name one of: "),
        ((f"mute {OWN}",), "Name one of: "),
        (("unmute",), NOBODY),
        (("unmute xan",), NOBODY),
        ((f"mute {BEN}", "unmute xan"), f"Muted: {BEN}."),
        ((f"mute {BEN}", f"mute {BEN}"), f"{BEN} is muted already."),
        ((f"mute {BEN}", "unmute"), f"Shown again: what is said by {BEN}."),
    ],
)
async def test_it_is_said_whom_one_can_mute_and_who_is(autojump_clock, lines, said):
    """The answers to `mute` and `unmute` say who can be named, who is muted or what has changed."""
    _, told = await muted(*lines)
    assert any(each.startswith(said) for each in told)


async def test_nobody_is_there_to_be_muted(autojump_clock):
    """A player who is alone in a lobby reads that there is nobody to mute.

    A host without a seat is muted by the name `host`.
    """
    _, said = await muted("mute ben", node=lobby(seats=seats_of("Ana")))
    assert "Nobody else is here who could talk." in said
    node = lobby(seats=seats_of("Ana"), host_key=b"wall")
    _, said = await muted("mute host", line(notices.CHAIR_NAME, "hello", b"wall"), node=node)
    assert "Host: hello" not in said
    assert Muted().others(node.view(), node.key) == {b"wall": HOST}


def test_who_has_talked_is_kept_in_mind_for_a_while():
    """Only the last `_SPEAKERS_MAX` speakers are remembered as people to mute.

    There must be a limit, because anybody can make new keys.
    """
    found = Muted()
    for number in range(2 * _SPEAKERS_MAX):
        assert not found.hides(line(f"Z{number}", "hello"))
    names = set(found.others(FakeNode(SCENE).view(), b"").values())
    assert {f"Z{number}" for number in range(_SPEAKERS_MAX, 2 * _SPEAKERS_MAX)} <= names
    assert "Z0" not in names


def test_tab_offers_whom_one_can_mute_and_who_is_muted():
    """After `mute`, Tab offers speakers who are not muted, and after `unmute` those who are.

    After one name it offers nothing more.
    """
    for place in (SCENE, LobbyScene(lobby().view(), b"Ana")):
        here = replace(place, talkers=("Ben", "Cy"), muted=("Ben",))
        assert [each.text for each in complete("mute ", here)] == ["Cy"]
        assert [each.text for each in complete("unmute ", here)] == ["Ben"]
        assert complete("mute Cy ", here) == complete("unmute Ben ", here) == ()


def test_somebody_muted_is_not_heard_by_whoever_muted_them(party):
    """With two real programs, the host reads nothing that a guest says while the guest is muted."""
    host, join, code = hosted(party)
    ben = party("Ben", *join, "--code", code)
    host.wait_for("Ben sits down")
    host.type("mute ben")
    host.wait_for("What Ben says is hidden from you now.")
    ben.type("say albatross")
    ben.wait_for("Ben: albatross")
    host.type("unmute ben")
    host.wait_for("Shown again: what is said by Ben.")
    ben.type("say cormorant")
    host.wait_for("Ben: cormorant")
    assert not any("albatross" in line for line in host.lines)


@pytest.mark.parametrize(("length", "is_said"), [(300, True), (301, False)])
async def test_what_is_too_long_to_be_said_is_refused_whole(length, is_said, autojump_clock):
    """A sentence of more than 300 characters is refused as a whole, not cut."""
    node, said = await muted(f"say {'a' * length}")
    assert node.asked == ([("chat", "a" * length)] if is_said else [])
    refused = [each for each in said if each.startswith("That is too long for one line: it")]
    assert len(refused) == (not is_said)
