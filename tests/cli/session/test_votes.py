"""Naming players after `without`, and after `with`, which takes a vote back."""

from dataclasses import replace

import pytest

from cli.render.sheets import who_lines
from cli.session.stay import WayOut
from cli.session.verbs.company import GoOnWithout, StayWith
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.session.votes import go_on_without, must_wait, stay_with, vote_advice
from cli.wording.notices import notice_text
from engine.table.trains import Seat
from netgame.protocol import notices
from tests.cli.fakes import FakeFront, FakeNode, seats_of
from tests.cli.scenes import scene_after, written
from tests.cli.session.test_seat_parts import gone_seat

COMPANY = ("Ana", "Ben", "Cy", "Dan", "Dora", "Eva")


def table_of_six(*away: str, names=COMPANY):
    """Return Ana's node at a table of six, from which these players are away."""
    seats = [replace(each, connected=each.name not in away) for each in seats_of(*names)]
    node = FakeNode(scene_after(12, 4, 43), seats=tuple(seats), needed=4)
    node.is_missed = lambda key: key.decode() in away
    return node


def who(node, own=b"Ana", **facts) -> list[str]:
    """Return the lines of `who` at this node."""
    lines = who_lines(replace(node.view(), **facts), FakeFront().canvas(), own)
    return [each.strip() for each in written(lines).splitlines()]


async def voted(node, line: str) -> tuple[list[str], list[str]]:
    """Type this line; return the players voted on, and what is said."""
    front, intent = FakeFront(), parse(line)
    assert isinstance(intent, GoOnWithout)
    await go_on_without(node, front, intent.names)
    return [key.decode() for _, keys in node.asked for key in keys], front.said


@pytest.mark.parametrize(
    "line",
    [
        "without eva,dan",
        "without eva, and dan",
        "sin Eva y dan",
        "without e & dan",
        "without eva dan eva",
        "without eva; dan",
    ],
)
async def test_several_names_in_one_line_are_one_vote(line):
    """A comma, a blank or `and` separates the names, and each name counts once."""
    named, said = await voted(table_of_six("Dan", "Eva"), line)
    assert named == ["Eva", "Dan"]
    assert said == []


async def test_a_second_line_adds_to_the_vote():
    """A second `without` adds its players to those already voted on."""
    node = table_of_six("Dan", "Eva")
    ana, ben, cy, dan, *others = node.facts["seats"]
    node.facts["seats"] = (ana, ben, cy, replace(dan, missed_by=("Ana",)), *others)
    named, _ = await voted(node, "without eva")
    assert named == ["Dan", "Eva"]


async def test_somebody_may_be_called_like_the_word_between_names():
    """A player's name such as `Y` or `a,b` is read as that name, and not as a separator."""
    node = table_of_six("Y", "a,b", names=("Ana", "Y", "Ben", "Dan", "a,b", "Eva"))
    named, _ = await voted(node, "without a,b y y")
    assert named == ["a,b", "Y"]


BOTH = "You can vote on Dan and Dora: type without Dan Dora"


@pytest.mark.parametrize(
    ("away", "line", "said"),
    [
        ("Dan", "without", "You can vote on Dan: type without Dan"),
        ("", "without", "Nobody is away. You can vote only on players who are away"),
        ("Dan Dora", "sin", BOTH),
        ("Dan Dora", "without dan, zoe", f"Nobody else here is called zoe. {BOTH}"),
        ("Dan Dora", "without d", f"d could be Dan or Dora. {BOTH}"),
        ("Dan Dora", "without ana", f"Nobody else here is called ana. {BOTH}"),
        ("Dan Dora", "without dan ben", "Ben is here. You can vote only"),
    ],
)
async def test_whoever_cannot_be_voted_on_is_told_who_can(away, line, said):
    """A line that names nobody, or anybody who is not away, is refused.

    The answer suggests the players who are away, if there are any.
    """
    named, (told,) = await voted(table_of_six(*away.split()), line)
    assert named == []
    assert told.startswith(said)


@pytest.mark.parametrize("fact", ["left", "parted"])
async def test_whoever_has_gone_needs_no_vote(fact):
    """A vote on a player who has left is refused, even if their seat stays in the round."""
    node = table_of_six("Dan")
    node.facts["seats"] = (*node.facts["seats"][2:], *seats_of("Ben", **{fact: True}))
    _, said = await voted(node, "without ben dan")
    told = "Ben has gone already: nobody needs to vote on that."
    assert said == [f"{told} You can vote on Dan: type without Dan"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("without ", {"without Ben", "without Dora"}),
        ("without Ben ", {"without Ben Dora"}),
        ("without ben, ", {"without ben, Dora"}),
        ("without ben,d", {"without ben,Dora"}),
        ("without ben and ", {"without ben and Dora"}),
        ("without ben, dora ", set()),
        ("without c", set()),
        ("sin ", {"sin Ben", "sin Dora"}),
    ],
)
def test_tab_offers_those_who_are_away_one_after_the_other(line, offered):
    """After `without`, a comma or `and`, Tab offers the absent players who are not named yet."""
    scene = replace(scene_after(12, 4, 43), missed=(Seat(1), Seat(3)))
    found = complete(line, scene)
    assert {line[: len(line) - each.length] + each.text for each in found} == offered


def test_who_says_whose_computer_announces_the_table():
    """While the host does not answer, `who` says whose computer announces the table instead."""
    assert "host" in who(table_of_six(), host_key=b"Ben", announcer=b"Ben")[1]
    for own, whose in ((b"Cy", "Ana's"), (b"Ana", "Your")):
        listed = who(table_of_six("Ben"), own, host_key=b"Ben", announcer=b"Ana")
        assert listed[1].split() == ["2", "Ben", "abcd", "not", "connected"]
        why = "because the host's does not answer"
        assert listed[-1] == f"{whose} computer now announces the table, {why}."


def test_a_host_who_has_left_is_not_said_not_to_answer():
    """If the host has left, `who` and the notice say that, and not that there is no answer."""
    node, facts = table_of_six("Ben"), {"host_key": b"Ben", "announcer": b"Ana"}
    for own, whose in ((b"Cy", "Ana's"), (b"Ana", "Your")):
        listed = who(node, own, has_host_left=True, **facts)
        why = "because the host has left"
        assert listed[-1] == f"{whose} computer now announces the table, {why}."
    for left, why in ((True, "Ben has left"), (False, "Ben's computer does not answer")):
        for code in ("", "7-otter-violin"):
            said = notice_text(None, notices.Announcing("Ben", code, left=left))
            assert said.startswith(f"{why}: your computer now announces the table; ")


def test_who_says_which_watchers_get_a_seat():
    """`who` names the watchers who get a seat at the next round."""
    listed = who(table_of_six(), watchers=("zoe", "yan"), coming=("zoe",))
    assert listed[-2:] == ["Watching: zoe, yan", "zoe gets a seat at the next round."]


def test_who_lists_whoever_came_back_to_watch():
    """`who` says whether a player who lost their seat watches, is not here or left for good."""
    node = table_of_six("Dan", "Eva")
    left = ("Ben", "Dan", "Eva")
    seats = tuple(replace(info, left=info.name in left) for info in node.view().seats)
    gone = tuple(gone_seat(name, named_by=("Ana", "Cy", "Dora")) for name in left[:2])
    listed = who(node, seats=seats, watchers=("zoe", "Ben"), departures=gone)
    assert listed[1].split() == ["2", "Ben", "abcd", "watches"]
    assert listed[3].endswith("no longer here")
    assert listed[5].endswith("left for good")
    assert listed[-1] == "Watching: zoe, Ben"
    assert "Ana, Cy and Dora went on without Ben." in " ".join(listed)


# ---- taken back -----------------------------------------------------------------------------


async def taken_back(node, line: str) -> tuple[list[str], list[str]]:
    """Type this line; return the players still voted on, and what is said."""
    front, intent = FakeFront(), parse(line)
    assert isinstance(intent, StayWith)
    await stay_with(node, front, intent.names)
    left = [key.decode() for what, keys in node.asked if what == "without" for key in keys]
    return left, front.said


def voted_on(*names: str, promised: bool = False, late: bool = False):
    """Return Ana's node at a table of six, after her votes on these players; Dan and Eva are away.

    A vote that is taken back ends. If `promised`, it stays as a promise; if `late`, it stays a
    vote.
    """
    node = table_of_six("Dan", "Eva")
    view = node.view()
    seats = tuple(
        replace(info, missed_by=("Ana",)) if info.name in names else info for info in view.seats
    )
    after = tuple(replace(info, promised=promised and info.name in names) for info in view.seats)
    node.view = lambda: replace(view, seats=seats if late or not node.asked else after)
    return node


@pytest.mark.parametrize("line", ["with eva", "con eva"])
async def test_with_takes_a_vote_back_and_leaves_it_to_the_table_to_tell(line):
    """`with` takes back the votes on the players it names, or all votes; `wit` is ambiguous."""
    left, said = await taken_back(voted_on("Dan", "Eva"), line)
    assert (left, said) == (["Dan"], [])
    left, said = await taken_back(voted_on("Dan", "Eva"), "with")
    assert (left, said) == ([], [])
    assert parse("wit eva").hint == "wit could be without or with"


async def test_where_no_vote_can_be_taken_back_it_is_said_why():
    """If no vote can be taken back, the answer says why, or whom the player has voted on."""
    left, said = await taken_back(voted_on("Eva"), "with ben")
    assert (left, said) == ([], ["You have voted on Eva: type with and a name to take that back."])
    _, said = await taken_back(voted_on(), "with eva")
    assert said == ["You have no vote open. To vote somebody out, type without and their name."]
    _, said = await taken_back(voted_on("Eva", promised=True), "with eva")
    assert said == [
        "Your program has signed that vote and cannot undo it: if it is enough, Eva goes."
    ]
    _, said = await taken_back(voted_on("Eva", late=True), "with eva")
    assert said == ["Eva has been away for as long as the table waits, which counts as your vote."]


# ---- who came late -----------------------------------------------------------------------------


def with_late(*late: str, away: tuple[str, ...] = (), names=COMPANY[:4]):
    """Return Ana's node at a table where the players in `late` may not vote yet."""
    voters = sum(name not in late for name in names)
    node = table_of_six(*away, names=names)
    seats = [
        replace(each, no_vote=each.name in late, decides=each.name not in late)
        for each in seats_of(*names)
    ]
    seats = [replace(each, connected=each.name not in away) for each in seats]
    node.facts = {**node.facts, "seats": tuple(seats), "needed": voters // 2 + 1}
    return node


def test_who_says_who_has_no_vote_yet():
    """`who` says after a latecomer's name that they have no vote yet."""
    lines = who(with_late("Dan"))
    assert [each.startswith("4 Dan") for each in lines if "no vote yet" in each] == [True]


async def test_who_came_late_reads_why_they_cannot_vote():
    """A latecomer who tries to vote reads that they have no vote yet, and no vote is cast."""
    done, (said,) = await voted(with_late("Ana", away=("Ben",)), "without ben")
    assert done == []
    assert said.startswith("You came late and have no vote yet")


def test_who_waits_reads_who_cannot_vote():
    """If one of three players has no vote, the other two are not called a table of two."""
    node = with_late("Cy", away=("Ben",), names=COMPANY[:3])
    text = must_wait(node.view())
    assert text.endswith("2 of the 2 players must agree. Cy cannot vote yet.")
    assert "table of two" not in text


def test_who_came_late_is_invited_to_no_vote():
    """The advice to a latecomer says that the others can vote and the latecomer cannot yet."""
    view = with_late("Ana", away=("Ben",)).view()
    said = "The others can vote to go on without Ben. You have no vote yet."
    assert vote_advice(view, ["Ben"]) == said


async def test_who_leaves_others_without_a_vote_reads_that_they_cannot_go_on():
    """A player who leaves only one other behind reads that the other would win.

    If the other has no vote, the sentence says that the others cannot go on.
    """
    gone = seats_of("Cy", "Dora", left=True)
    for own, other in ((False, True), (True, False)):
        seats = (*seats_of("Ana", no_vote=own), *seats_of("Ben", no_vote=other), *gone)
        for for_good in (True, False):
            front = FakeFront()
            await WayOut(FakeNode(scene_after(12, 4, 43), seats=seats), front).quit(
                for_good=for_good, typed="leave" if for_good else "quit"
            )
            assert ("The others have no vote, so they cannot go on" in front.said[-1]) == other
            assert (" win" in front.said[-1]) == own
