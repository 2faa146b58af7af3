"""A host's changes while the table waits, and how guests follow."""

import pytest
from msgspec import structs

from cli.house_rules.change import Changes, anything
from cli.scene import one_named
from cli.session.answers import ONLY_HOST
from cli.session.loop import sit
from cli.session.stay import Anew, NextTableOffer
from cli.settings.declared import NAME
from engine.bots.levels import BotLevel
from netgame.io.door.codes import parse_code
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from netgame.protocol.state.revision import offered
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront, seats_of, sitting_with
from tests.cli.joining.test_sitting_down import lobby
from tests.cli.players import hosted

WALNUT = Changes().changed(Settings("walnut", (), 9, 4, 0, 0), ("blanks=25-50",))
assert isinstance(WALNUT, Settings)


SEATS = (*seats_of("Ana", "Ben"), *seats_of("Bix", bot=True))


def told(settings: Settings, words, why_not=anything) -> Settings | str:
    """Return the settings after a change, or the refusal.

    The number of seats counts as not chosen by anybody.
    """
    return Changes().changed(settings, words, why_not)


async def ordered(*lines: str, code=None, is_hidden=False, **facts):
    """Type these lines in the lobby of Ana's own table, with Ben and a bot.

    Return the node, the front and the result of `sit`.
    """
    usual = {"is_host": True, "seats": SEATS, "settings": WALNUT, "own": OwnPlace.SEAT}
    node, front = lobby(**usual | facts), FakeFront(*lines)
    node.bots, node.door.code, node.is_hidden = [], code, is_hidden
    return node, front, await sit(node, front, sitting_with(change=told, name=NAME))


async def test_a_seat_is_taken_back_and_everybody_hears_it():
    """A kick is announced to all; a wrong or missing name is answered with the possible names."""
    node, front, _ = await ordered("kick be", "kick zoe", "kick")
    assert node.asked == [("chat", "Ben has no seat here any more."), ("kick", b"Ben")]
    whom = "Kick whom? You can name Ben, or send a bot away: Bix."
    assert [said for said in front.said if "whom" in said] == [whom, whom]


@pytest.mark.parametrize(
    ("line", "bots", "said"),
    [
        ("kick a bot", ("Bix", "Ada"), "Which bot? Bix or Ada: type kick Bix."),
        ("kick bot", (), "No bot sits here."),
        ("kick", ("Bix", "Ada"), "Kick whom? Only bots sit here with you: Bix or Ada."),
        ("kick", (), "Nobody else sits here."),
    ],
)
async def test_whom_a_host_can_kick_is_told_apart_from_bots(line, bots, said):
    """If no other person is there, `kick` without a name removes nobody.

    The host reads which bots `kick` can name, or that there are none.
    """
    seats = (*seats_of("Ana"), *(seats_of(*bots, bot=True) if bots else ()))
    node, front, _ = await ordered(line, seats=seats)
    assert said in front.said
    assert node.asked == []


async def test_somebody_called_bot_is_kicked_by_that_name():
    """`kick bot` kicks a person whose name begins with "bot", although a bot sits there."""
    seats = (*seats_of("Ana", "Botho"), *seats_of("Bix", bot=True))
    node, _, _ = await ordered("kick bot", seats=seats)
    assert node.asked[-1] == ("kick", b"Botho")


async def test_a_host_reads_what_it_changes_and_how_many_seats_there_are_then():
    """A change is announced with the number of seats left; a deal of more tiles leaves fewer."""
    usual = Settings("standard", (), 12, 8, 0, 0)
    node, _, _ = await ordered("change deal 12", settings=usual)
    assert ("chat", "The rules change: deal 12. The table has 7 seats now.") in node.asked


def test_none_is_the_way_back_to_the_usual_number():
    """`none` sets rounds, seats and tiles back to their usual numbers."""
    changes = Changes()
    usual = offered(Settings("standard", (), 12, 8, 0, 0))
    others = changes.changed(usual, ("rounds", "3", "seats", "3", "tiles", "5"))
    assert (others.rounds, others.seats, others.hand) == (3, 3, 5)
    assert changes.changed(others, ["rounds", "none", "seats", "none", "tiles", "none"]) == usual


async def test_nobody_loses_a_seat_where_seats_are_taken_away():
    """A change to too few seats for the people seated is refused: the host must kick first."""
    five = seats_of(*"Abcde")
    node, front, _ = await ordered("change seats 3", "change standard set 6", seats=five)
    assert node.asked == []
    for count in (3, 4):
        assert f"{count} seats are too few for 5 people: kick somebody first." in front.said


async def test_a_host_is_not_taken_for_another_whose_name_begins_so():
    """The host's full name means the host, and not a guest whose name begins with it."""
    seats = (*seats_of("Zoë", key=b"Ana"), *seats_of("Zoë-2", key=b"Z"))
    node, front, _ = await ordered("kick zoë", "kick ZOE", "kick zo", seats=seats)
    assert front.said.count("You cannot kick yourself; quit closes the table.") == 2
    assert node.asked == [("chat", "Zoë-2 has no seat here any more."), ("kick", b"Z")]


async def test_a_kick_draws_another_join_code():
    """A kick changes the join code, since a player who knows it could return with a new key."""
    before = parse_code("7-otter-violin")
    node, front, _ = await ordered("kick be", code=before)
    assert node.door.code not in (None, before)
    assert f"The join code of this table is now {node.door.code}." in front.said


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_who_has_the_join_code_where_others_could_come_in(is_hidden):
    """`who` shows the join code, except at a practice table, which is closed."""
    _, front, _ = await ordered("who", code=parse_code("7-otter-violin"), is_hidden=is_hidden)
    told = any("The join code is 7-otter-violin." in said for said in front.said)
    assert told is not is_hidden


async def test_who_was_kicked_is_let_in_again_by_name():
    """In a lobby `allow` with a name works for kicked players only."""
    node, front, _ = await ordered("allow ben", "kick be", "allow zoe", "allow BEN", "allow ben")
    assert node.asked[-1] == ("allow", b"Ben")
    assert node.kicked == {}
    assert front.said.count("You have kicked nobody.") == 2
    assert "Ben may join again." in front.said
    assert "Name one of: Ben." in front.said


def test_a_name_in_full_is_that_one_though_another_begins_so():
    """`ben` means Ben, although ben-2 is there as well."""
    seats = seats_of("ben-2", "Ben")
    assert one_named(seats, "ben") == seats[1]
    assert one_named(seats, "ben-") == seats[0]
    assert one_named(seats, "be") is None


@pytest.mark.parametrize(
    ("line", "end", "said"),
    [
        ("bots easy,hard", Anew(bots=(BotLevel.EASY, BotLevel.HARD)), "now: easy, hard."),
        ("bots 0", Anew(bots=()), "now: none."),
        ("kick bix", Anew(bots=()), "Bix leaves"),
        ("kick the bot", Anew(bots=()), "Bix leaves"),
        ("change set 12", Anew(settings=told(WALNUT, ("set", "12"))), "rules change: set 12."),
        ("change STANDARD", Anew(settings=told(WALNUT, ("standard",))), "change: standard."),
        (
            "change AUDIT=k tiles 08",
            Anew(settings=told(WALNUT, ("audit", "keys", "tiles", "8"))),
            "change: audit keys, deal 8.",
        ),
    ],
)
async def test_other_bots_and_rules_open_the_table_anew(line, end, said):
    """A change of bots or rules is announced, and the table is then opened again."""
    node, _, found = await ordered(line)
    assert found == NextTableOffer(end)
    ((what, text),) = node.asked
    assert what == "chat"
    assert said in text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "bots 3",
            "4 seats are too few for 2 people and 3 bots: have fewer bots, or kick somebody.",
        ),
        (
            "change seats 2",
            "2 seats are too few for 2 people and a bot: have fewer bots, or kick somebody.",
        ),
        ("bots genius", "only a whole number from 0 to 13, or levels such as easy,normal of: easy"),
        ("change set 9", "The table is like that already."),
        ("change switches", "The switches: deal,"),
        ("change switches", "Other options: set, seats, rounds, tiles, draws, audit, leaver,"),
    ],
)
async def test_what_cannot_be_is_said_and_changes_nothing(line, said):
    """An impossible change, or a question about what can be changed, changes nothing."""
    node, front, _ = await ordered(line)
    assert node.asked == []
    assert any(said in each for each in front.said)


@pytest.mark.parametrize("own", [OwnPlace.SEAT, OwnPlace.WATCHING])
async def test_everybody_can_take_another_name_in_the_lobby(own):
    """Guests and watchers can change their names in the lobby, but not during a game.

    An impossible or missing name is not taken.
    """
    lines = ("name draw", "name", "name Bea B")
    node, front, _ = await ordered(*lines, is_host=False, own=own)
    assert any("name cannot be 'draw', only 1 to 20 letters" in each for each in front.said)
    assert node.asked == [("rename", "Bea B")]
    watches = own is OwnPlace.WATCHING
    assert ("You are now called Bea B." in front.said) == watches, "who sits reads it in the lobby"
    _, front, _ = await ordered("name Bea", stage=TableStage.PLAYING)
    assert "You can change your name only before the game begins." in front.said


async def test_only_the_host_orders():
    """A guest's order is refused because only the host may give it, even if it also lacks words."""
    orders = ("kick ben", "bots 2", "change set 9", "kick", "allow", "bots", "change")
    _, front, _ = await ordered(*orders, is_host=False)
    assert front.said.count(ONLY_HOST) == len(orders)
    assert not any("such as" in said.lower() for said in front.said)


async def test_a_host_reads_that_it_is_too_late_once_the_game_has_begun():
    """A host's orders are refused as too late once the game has begun.

    In a lobby `again` is refused as too early, and `sit` and `watch` because the player has a seat.
    """
    _, front, _ = await ordered("start", "bots 2", stage=TableStage.PLAYING)
    assert front.said.count("You can do that only before the game begins.") == 1
    _, front, _ = await ordered("review", "again", "sit", "watch")
    assert front.said.count("The game has not begun yet.") == 2
    assert front.said.count("You have a seat here; type leave to close your table.") == 2
    _, front, _ = await ordered("watch", is_host=False)
    assert "You have a seat here; type leave to give it up." in front.said


@pytest.mark.parametrize("host", [True, False])
async def test_help_in_the_lobby_lists_what_one_can_do_there(host):
    """Help leaves out what a guest cannot do, and what has no use in a lobby."""
    _, front, _ = await ordered("help", is_host=host)
    (page,) = (said for said in front.said if "say TEXT" in said)
    assert "leave " in page
    assert " sit " not in page
    for order in ("start ", "kick ", "allow ", "bots ", "change "):
        assert (order in page) == host


def test_a_change_is_put_on_top_of_what_was_chosen():
    """A new rule set keeps the set and rounds but no switches; a new switch keeps the rule set."""
    assert told(WALNUT, ("bullet=yes",)).switches == (*WALNUT.switches, "bullet=yes")
    assert told(WALNUT, ("blanks=0",)).switches == ()
    standard = told(WALNUT, ("standard",))
    assert standard == structs.replace(WALNUT, preset="standard", switches=(), seats=standard.seats)
    assert told(told(WALNUT, ("seats", "3")), ("rounds", "2")).seats == 3
    pinned = Changes(pinned=True).changed(WALNUT, ("rounds", "3"))
    assert (pinned.seats, pinned.rounds, pinned.preset) == (WALNUT.seats, 3, "walnut")


def test_seats_that_were_named_stay_also_where_they_are_the_usual_number():
    """`change seats 4` at a table of four fixes that number; a refused change does not."""
    changes = Changes()
    six = offered(Settings("standard", (), 6, 4, 0, 0))
    assert changes.changed(six, ("set", "12")).seats == 8
    assert changes.changed(six, ("seats", "4"), lambda _: "No.") == "No."
    assert changes.changed(six, ("set", "12")).seats == 8
    assert changes.changed(six, ("seats", "4")) == six
    twelve = changes.changed(six, ("set", "12"))
    assert (twelve.pip_max, twelve.seats) == (12, 4)


def test_rules_that_are_not_dealt_with_the_set_say_so_of_the_set():
    """If rules cannot be played with the set of the table, the refusal names the set.

    It does not name the seats, because nobody asked for a number of seats.
    """
    fourteen = Settings("standard", (), 18, 14, 0, 0)
    assert told(fourteen, ("walnut",)).startswith("The deal table knows no double-18: choose")


@pytest.mark.campaign
def test_a_guest_comes_along_to_the_table_opened_anew(party):
    """A guest comes along to the reopened table without a code; a kicked guest does not."""
    host, join, code = hosted(party)
    ben = party("Ben", *join, "--code", code)
    host.wait_for("Ben sits down")
    host.type("change set 9")
    ben.wait_for("The rules change: set 9")
    ben.wait_for("Ann is reopening the table")
    ben.wait_for("double-9")
    host.wait_for("2 of 8 seats taken")
    host.type("bots 1")
    ben.wait_for("Ann is reopening the table")
    # if Ben is back before the table is shown, it shows him, and no line says that he came
    host.wait_for("3 of 8 seats taken")
    host.type("kick ben")
    ben.wait_for("You were kicked, so there is no seat for you here.")
    assert ben.exit_code() == 4
    host.type("change set 6")
    host.wait_for("double-6")
    assert party("Ben", *join).exit_code() == 4
    host.type("allow ben")
    party("Ben", *join).wait_for("Waiting for the host")


def test_a_guest_with_an_old_code_comes_along_by_its_key(party):
    """A guest follows the host by key after a kick has changed the join code."""
    host, join, code = hosted(party)
    ben, cy = (party(name, *join, "--code", code) for name in ("Ben", "Cy"))
    host.wait_for("3 of")
    host.type("kick cy")
    host.wait_for("The join code of this table is now")
    assert cy.exit_code() == 4
    host.type("change rounds 3")
    ben.wait_for("Ann is reopening the table")
    host.wait_for("The rules change")
    host.wait_for("2 of 4 seats taken")
    assert not any("code is wrong" in line for line in (*host.lines, *ben.lines))
