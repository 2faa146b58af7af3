"""`allow` and `kick` in play: who may type them, about whom, and what everybody reads."""

from dataclasses import replace

import pytest

from cli.input.readers import UsageError
from cli.session.loop import sit
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.wording.notices import notice_text
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.chair import Asking
from netgame.protocol.peer.view import Guest
from netgame.protocol.seating import SeatAsked, StrangersLead, WhyNoSeat
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.scenes import scene_after
from tests.cli.session.test_votes import who

SCENE = scene_after(12, 4, 43)
OWN = SCENE.names[SCENE.seat].encode()


def asking(*names: str, keys: tuple[bytes, ...] = ()) -> tuple[Asking, ...]:
    """Return requests for a seat by these names, each with a key of its own."""
    own = keys or tuple(name.encode() for name in names)
    pairs = zip(names, own, strict=True)
    return tuple(Asking(PeerKey(key), name, WhyNoSeat.STRANGER) for name, key in pairs)


async def allowed(*lines: str, chair: bytes = OWN, kicked=None, **facts):
    """Type these lines in play; return the requests to the node, and the sentences."""
    node, front = FakeNode(SCENE, chair=chair, **facts), FakeFront(*lines)
    node.kicked = dict(kicked or {})
    await sit(node, front, sitting_with())
    return node.asked, front.said


async def test_a_yes_in_play_lets_the_key_in_and_is_said_to_all():
    """`allow` takes a name, in upper or lower case, or a fingerprint.

    Everybody at the table reads that this person may sit down.
    """
    (zoe,) = asked = asking("Zoe")
    for typed in ("zoe", "ZOE", zoe.fingerprint, zoe.fingerprint.upper()):
        done, _ = await allowed(f"allow {typed}", asking=asked)
        assert done == [("allow", b"Zoe"), ("chat", "Zoe may sit down at the next round.")]


async def test_of_several_with_one_name_the_fingerprint_says_which():
    """If several people ask by the same name, only a fingerprint lets one of them in.

    The answer to the name lists the fingerprints.
    """
    both = asking("Zoe", "Zoe", keys=(b"one", b"two"))
    done, said = await allowed("allow zoe", asking=both)
    assert done == []
    (told,) = (each for each in said if each.startswith("Several are called Zoe."))
    assert all(each.fingerprint in told for each in both)
    done, _ = await allowed(f"allow {both[1].fingerprint}", asking=both)
    assert done[0] == ("allow", b"two")


@pytest.mark.parametrize(
    ("names", "line", "said"),
    [
        ((), "allow zoe", "Nobody is waiting for your yes."),
        (("Zoe",), "allow yan", "Name one of: Zoe."),
        (("Zoe",), "allow", "Allow whom?"),
        (("Yan", "Zoe"), "admitir xan", "Name one of: Yan and Zoe."),
    ],
)
async def test_who_is_nobody_is_let_in_nowhere(names, line, said):
    """`allow` without a waiting player's name lets nobody in, and lists the waiting players."""
    done, told = await allowed(line, asking=asking(*names))
    assert done == []
    assert any(each.startswith(said) for each in told)


async def test_another_seat_reads_who_gives_the_seats():
    """`allow` at another seat changes nothing, and says whom to ask."""
    other = next(name for name in SCENE.names if name.encode() != OWN)
    done, said = await allowed("allow zoe", chair=other.encode(), asking=())
    assert done == []
    text = f"{other} gives the seats at this table: ask {other} to type it."
    assert text in said


async def test_the_host_lets_in_whom_it_has_kicked_in_play_too():
    """In play too, the host's `allow` lets a kicked player in again."""
    done, _ = await allowed("allow ben", is_host=True, kicked={PeerKey(b"Ben"): "Ben"})
    assert done[0] == ("allow", b"Ben")


def test_tab_offers_those_who_ask_and_the_verb_only_then():
    """Tab offers `allow` and the names only while somebody asks for a seat."""
    scene = replace(SCENE, asking=("Yan", "Zoe"))
    assert [each.text for each in complete("allow ", scene)] == ["Yan", "Zoe"]
    assert [each.text for each in complete("allo", scene)] == ["allow"]
    assert complete("allo", SCENE) == ()
    assert complete("allow Zoe ", scene) == ()
    assert not isinstance(parse("allow zoe"), UsageError)


def test_who_lists_those_who_wait_for_a_yes():
    """`who` lists requests with their fingerprints, because anybody can take a name."""
    (zoe,) = asking("Zoe")
    lines = who(FakeNode(SCENE), asking=(zoe,))
    told = f"Zoe asks for a seat: type allow Zoe to say yes. {zoe.fingerprint}"
    assert told in " ".join(" ".join(lines).split())


def test_the_notices_say_what_to_type_and_what_strangers_can_do():
    """One notice says how to allow a request, another how many votes the strangers have."""
    asked = notice_text(SCENE, SeatAsked("Zoe", "jptwzsjy", WhyNoSeat.STRANGER))
    assert asked == (
        "Zoe asks for a seat, and your program does not know this key: jptwzsjy. To give Zoe a "
        "seat, type allow Zoe."
    )
    lead = notice_text(SCENE, StrangersLead(("Yan", "Zoe"), 3))
    assert lead == (
        "Yan and Zoe are strangers here, and have 2 of the 3 votes on who goes on now: together "
        "they can go on without the others."
    )


# ---- and a no --------------------------------------------------------------------------------


async def test_a_kick_in_play_gives_a_watcher_no_seat_and_is_said_to_all():
    """`kick` takes a name or its start, is announced to all, and is undone by `allow`."""
    guests = (Guest(b"Zoe", "Zoe"), Guest(b"Yan", "Yan"))
    for typed in ("kick zoe", "echar Z", "remove Zoe"):
        done, said = await allowed(typed, guests=guests)
        assert done == [("chat", "Zoe has no seat here any more."), ("kick", b"Zoe")]
        assert "To let Zoe join again, type allow Zoe." in said
    done, _ = await allowed("kick zoe", "allow zoe", guests=guests)
    assert done[-2] == ("allow", b"Zoe")


@pytest.mark.parametrize(
    ("line", "guests", "said"),
    [
        ("kick", ("Zoe", "Yan"), "Kick whom? You can name Zoe or Yan."),
        ("kick xan", ("Zoe",), "Kick whom? You can name Zoe."),
        ("kick zoe", (), "Nobody is here without a seat."),
        ("kick", (), "Nobody is here without a seat."),
        (
            "kick {ben}",
            (),
            "{ben} sits in this game. Only a vote takes that seat: type without {ben}.",
        ),
    ],
)
async def test_who_sits_in_a_game_is_not_kicked(line, guests, said):
    """`kick` in a game names the watchers who can be kicked, or says how to vote a seat out."""
    ben = next(name for name in SCENE.names if name.encode() != OWN)
    here = tuple(Guest(name.encode(), name) for name in guests)
    done, told = await allowed(line.format(ben=ben), guests=here)
    assert done == []
    assert said.format(ben=ben) in told


async def test_another_seat_kicks_nobody():
    """Only the chair can kick; anybody else reads whom to ask for it."""
    other = next(name for name in SCENE.names if name.encode() != OWN)
    here = (Guest(b"Zoe", "Zoe"),)
    done, said = await allowed("kick zoe", chair=other.encode(), guests=here)
    assert done == []
    assert f"{other} gives the seats at this table: ask {other} to type it." in said


def test_tab_offers_whom_the_chair_can_kick():
    """Tab offers the names of guests after `kick`, to the chair only."""
    scene = replace(SCENE, guests=("Zoe",), gives_seats=True)
    assert [each.text for each in complete("kick ", scene)] == ["Zoe"]
    assert complete("kick ", replace(scene, gives_seats=False)) == ()
    assert complete("kick ", replace(scene, guests=())) == ()


async def test_a_yes_to_who_came_late_gives_a_vote():
    """`allow` from any player, not just from the chair, gives a latecomer a vote.

    Tab offers the name.
    """
    late, *others = (name for name in SCENE.names if name.encode() != OWN)
    seats = tuple(replace(each, no_vote=each.name == late) for each in seats_of(*SCENE.names))
    done, said = await allowed(f"allow {late}", chair=others[0].encode(), seats=seats)
    assert done == [("allow", late.encode())]
    text = "gives {} a vote when a round ends: it takes more than half of those who vote."
    assert any(text.format(late) in each for each in said)
    scene = replace(SCENE, without_vote=(late,))
    assert [each.text for each in complete("allow ", scene)] == [late]
