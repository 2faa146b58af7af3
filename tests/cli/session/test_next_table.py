"""After a game: another game with the same people is offered, awaited and joined."""

from dataclasses import replace
from functools import partial
from itertools import product

import pytest
import trio
import trio.testing

from cli.exits import ExitCode
from cli.session.endings import next_table
from cli.session.endings.outlook import AfterGame
from cli.session.loop import sit
from cli.session.stay import GoTo, NextTableOffer, Rematch
from engine.table import events
from engine.table.trains import Seat
from netgame.errors import Disconnected
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.network.addresses import parse_address
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeNode, played, seats_of, sitting_with
from tests.cli.players import hosted
from tests.cli.render.test_sheets import SETTINGS
from tests.cli.scenes import scene_after
from tests.cli.session.test_round_pause import CARD, Reader

OVER = notices.GameOver((events.GameEnded((Seat(1),)),), CARD.end)
ASKS = "Another game with the same company? Type again, score, rules or quit."
DOOR = "10.0.0.2:4747"
CYS = "10.0.0.3:4747"


class GameIsOver(FakeNode):
    """A table whose game is over; its host is Ben, or Ana herself."""

    def __init__(self, *, host: bool = False, **facts) -> None:
        self.over = {"stage": TableStage.OVER, "settings": SETTINGS}
        hosts = {"is_host": host, "host_key": b"Ana" if host else b"Ben"}
        super().__init__(scene_after(9, 4, 30), **self.over | hosts | facts)
        self.finished.set()
        self.tell(OVER)

    def addresses_of(self, _key):
        """Return Ben's address, whatever the key."""
        return (parse_address(DOOR),)


async def ended(*lines, looks=("",), node=None, front=None, asks_back=True, host=False, **sitting):
    """Type these lines after a game; return the node, the front and the result of the session.

    Each look for the host's next table takes a value of `looks`, the last one repeatedly: an
    address, an empty text if there is no table yet, or None if the host does not answer.
    """
    node, front, seen = node or GameIsOver(host=host), front or Reader(*lines), [*looks]
    front.asks_back = asks_back

    async def look(addresses, host, _before) -> str:
        assert addresses == (parse_address(DOOR),)
        if host == b"Cy":
            return CYS
        found = seen.pop(0) if len(seen) > 1 else seen[0]
        if found is None:
            raise Disconnected("nobody is there")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(next_table, "another_table_at", look)
        return node, front, await sit(node, front, sitting_with(**sitting))


GONE = "Ben is gone, and you have the lowest seat"


@pytest.mark.parametrize(
    ("lines", "how", "end", "said"),
    [
        (("again",), {"host": True}, Rematch(4), ASKS),
        (("again", 600.0), {"looks": ["", None, "", DOOR]}, GoTo(DOOR, b"Ben"), "You are in."),
        (("who are you", "again"), {"looks": [DOOR]}, GoTo(DOOR, b"Ben"), "Ben has opened an"),
        (("who", "again"), {"looks": [None]}, ExitCode.OK, "Ben left. If Ben opens another"),
        (("quit", "quit"), {}, ExitCode.OK, "Thank you for the game. Until next time!"),
        ((60.0, "quit"), {"looks": [None]}, ExitCode.OK, GONE),
        # Ben was only away for long, and they had said yes
        (("again", 60.0, "who", 60.0), {"looks": [None] * 40 + [DOOR]}, GoTo(DOOR, b"Ben"), GONE),
    ],
)
async def test_what_is_said_after_a_game_and_where_it_leads(autojump_clock, lines, how, end, said):
    """After `again`, a host opens another table, and a guest follows the host to it.

    The question is asked once. A guest whose host has left reads that, and can still follow later.
    """
    node, front, found = await ended(*lines, **how)
    assert found == (end if isinstance(end, ExitCode) else NextTableOffer(end))
    assert sum(each.startswith(said) for each in front.said) == 1
    assert front.said.count(ASKS) == 1
    opened, waits = ("again", True), ("again",)
    assert node.asked == {ASKS: [opened], "You are in.": [waits]}.get(said, node.asked)


ALL = ("Ana", "Ben", "Cy", "Dora")
YOURS = (
    "Ben is gone, and you have the lowest seat of those still here: type again to open the next "
    "table."
)
CY_OPENS = (
    "Ben is gone, so Cy, who has the lowest seat of those still here, can open the next table. To "
    "come along, type again."
)
WAITS_FOR_CY = "You are in. Ben is gone: waiting for Cy to type again, too; quit leaves."


def without_ben(*away, bots=(), key=b"Ana", **facts):
    """Return the node of `key` after a game that Ben and the players in `away` have left."""
    seats = (
        replace(each, connected=each.name not in ("Ben", *away), bot=each.name in bots)
        for each in seats_of(*ALL)
    )
    node = GameIsOver(seats=tuple(seats), is_host_here=False, **facts)
    node.key = key
    return node


async def test_the_lowest_seat_of_those_still_here_opens_the_table_of_a_host_who_is_gone(
    autojump_clock,
):
    """If the host stays away, the lowest of the seats still here can open the next table."""
    node = without_ben()
    _, front, end = await ended("again", 60.0, "again", looks=[None], node=node)
    assert end == NextTableOffer(Rematch(4))
    assert node.asked == [("again",), ("again", True)]
    assert front.said.count(YOURS) == 1
    assert sum(each.endswith("if not, you can open it.") for each in front.said) == 1


@pytest.mark.parametrize("wants", [True, False])
async def test_all_others_wait_for_it_and_go_along(autojump_clock, wants):
    """If Cy opens the next table, a player who has already typed `again` follows at once.

    A player who has not reads that the table is open, and follows after typing `again`.
    """
    node = without_ben("Ana", key=b"Dora")

    def opens() -> None:
        node.facts |= {"openers": (b"Cy",)}

    lines = ["again"] * wants + [60.0, opens, 5.0] + ["again"] * (not wants)
    _, front, end = await ended(*lines, looks=[None], node=node)
    assert end == NextTableOffer(GoTo(CYS, b"Cy"))
    assert front.said.count(WAITS_FOR_CY if wants else CY_OPENS) == 1
    offer = "Cy has opened another game: type again to play, or quit."
    assert front.said.count(offer) == (not wants)


async def test_nobody_follows_another_player_before_the_host_is_gone(autojump_clock):
    """While the host still answers, a guest does not follow another player to a new table."""
    node = without_ben("Ana", key=b"Dora", openers=(b"Cy",))
    _, _, end = await ended("again", 60.0, looks=[""], node=node)
    assert end is ExitCode.OK


async def test_it_is_told_when_somebody_else_has_the_lowest_seat(autojump_clock):
    """When the host is gone, a sentence names the player with the lowest seat, ignoring bots.

    A player who is left alone with bots reads that there is no other game.
    """
    node = without_ben(key=b"Dora")

    def goes(*away):
        def happens() -> None:
            node.facts |= {"seats": without_ben(*away, bots=("Cy",)).facts["seats"]}
            node.tell(notices.LinkChanged(away[-1], up=False, end=notices.LinkEnd.QUIT))

        return happens

    _, front, _ = await ended(60.0, goes("Ana"), 2.0, looks=[None], node=node)
    assert [each for each in front.said if each.startswith("Ben is gone")] == [
        CY_OPENS.replace("Cy", "Ana"),
        "Ben is gone, so there is no other game here. Type quit, then boneyard host to open your "
        "own.",
    ]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (
            b"Ana",
            "Ben is gone. You have the lowest seat of those still here, but nobody can come to a "
            "table in a browser tab: Cy can open the next one. To come along, type again.",
        ),
        (
            b"Cy",
            "Ben is gone. Of the players here whom others can join, you have the lowest seat: type "
            "again to open the next table.",
        ),
        (
            b"Dora",
            "Ben is gone. Of the players here whom others can join, Cy has the lowest seat and can "
            "open the next table. To come along, type again.",
        ),
    ],
)
async def test_a_tab_with_the_lowest_seat_opens_no_table_for_a_host_who_is_gone(
    autojump_clock, key, said
):
    """A player in a browser tab cannot open the next table, because nobody could join it.

    Everybody reads who can open it instead.
    """
    node = without_ben(key=key)
    seats = node.facts["seats"]
    tab = replace(seats[0], in_tab=True, listens=False)
    node.facts |= {"seats": (tab, *seats[1:])}
    _, front, end = await ended(60.0, "again", looks=[None], node=node)
    assert front.said.count(said) == 1
    assert end == (NextTableOffer(Rematch(4)) if key == b"Cy" else ExitCode.OK)


async def test_tabs_alone_have_no_other_game_without_their_host(autojump_clock):
    """If only players in browser tabs are left, they read that no other game is possible here."""
    node = without_ben()
    tabs = (replace(each, in_tab=True, listens=False) for each in node.facts["seats"])
    node.facts |= {"seats": tuple(tabs)}
    before = ABILITIES.set(Abilities(is_tab=True, listens=False))
    try:
        _, front, _ = await ended("again", 60.0, looks=[None], node=node)
    finally:
        ABILITIES.reset(before)
    left, gone = (
        next(each for each in front.said if each.startswith(words))
        for words in ("Ben left. If", "Ben is gone, so")
    )
    assert left.endswith("if not, type quit: nobody can come to a table in a browser tab.")
    assert gone == (
        "Ben is gone, so there is no other game here: nobody can come to a table in a browser tab. "
        "Type quit."
    )


async def test_a_host_that_names_no_address_to_dial_is_looked_for_where_it_was_found():
    """A host without a known address is looked for at the address where it was found."""
    node = GameIsOver()
    node.addresses_of = lambda _: ()
    _, _, end = await ended("who", "again", looks=[DOOR], node=node, host_at=(DOOR,))
    assert end == NextTableOffer(GoTo(DOOR, b"Ben"))


async def test_nobody_has_left_who_follows_a_host_without_a_seat(autojump_clock):
    """Once a host without a seat has gone, players who go too are not reported as having left."""
    goes = notices.LinkChanged("Dora", up=False, end=notices.LinkEnd.QUIT)
    for is_host_here in (True, False):  # the wall goes first, and all others after it
        node = GameIsOver(own=OwnPlace.WATCHING, host_key=b"wall", is_host_here=is_host_here)
        lines = (5.0, lambda node=node: node.tell(goes), 60.0)
        _, front, _ = await ended(*lines, looks=[*[None] * 7, DOOR], node=node, watches=True)
        assert ("Dora has left." in front.said) is is_host_here


async def test_a_host_is_told_when_only_its_own_word_is_missing(autojump_clock):
    """Once all others have agreed to another game, the host reads that `again` opens the table.

    Guests of a host without a seat read that somebody must type it at the host's computer.
    """
    is_in = [b"Ben", b"Cy", b"Dora"]
    asks = "Everybody else is in: type again here to open the table."
    for heard in (is_in, is_in[1:], []):
        node = GameIsOver(host=True, again=frozenset(heard))
        node.tell(*(notices.AgainHeard(key.decode(), opens=False, key=key) for key in heard))
        node.tell(notices.ChatHeard("Ben", "Another game? I am in."))
        _, front, _ = await ended("who", "say hello", node=node)
        assert front.said.count(asks) == (heard == is_in)
        said = {each for each in front.said if each.endswith(" is in for another game.")}
        assert len(said) == len(heard)
    _, front, _ = await ended("again", node=GameIsOver(host_key=b"wall"))
    waits = "You are in. Somebody must type again at the host's computer, too; quit leaves."
    assert waits in front.said


async def test_nobody_who_is_in_lacks_a_seat_at_the_next_table():
    """The next table has one more seat for each watcher who has agreed to another game."""
    for again, seats in (({b"Eve", b"Ben"}, 5), ({b"Ben"}, 4)):
        node = GameIsOver(host=True, watchers=("Eve", "Fay"), again=frozenset(again))
        _, _, end = await ended("who", "again", node=node)
        assert end == NextTableOffer(Rematch(seats))


async def test_who_came_only_to_watch_is_not_counted_in():
    """If somebody who came only to watch types `again`, the others are not told."""
    node = GameIsOver(own=OwnPlace.WATCHING)
    await ended("again", node=node, watches=True)
    assert node.asked == []


async def test_programs_and_onlookers_are_not_asked():
    """With `--auto`, another game is offered only if other people sit at the table."""
    bots = [replace(each, bot=each.name != "Ana") for each in GameIsOver().view().seats]
    _, front, end = await ended(auto=True, node=GameIsOver(host=True, seats=tuple(bots)))
    assert (end, ASKS in front.said) == (ExitCode.OK, False)
    _, front, end = await ended("again", auto=True, host=True)
    assert (end, ASKS in front.said) == (NextTableOffer(Rematch(4)), True)


async def test_enter_shows_the_end_again_with_what_can_be_done_last():
    """After a game, Enter shows the last card again, followed by what can be typed."""
    _, front, _ = await ended("", "", "score", host=True)
    assert front.said.count(ASKS) == front.said.count("RoundCard") == 3
    shown = [at for at, said in enumerate(front.said) if said == "RoundCard"]
    assert ASKS in front.said[shown[-1] :]


async def test_words_about_a_hand_say_that_the_game_is_over():
    """Commands that need a game say that it is over; scores and board can still be read."""
    _, front, _ = await ended("hint", "odds", "plan", "why", "hand", "1", "score", "", "board")
    assert sum(said.startswith("This game is over.") for said in front.said) == 6
    assert front.said.count("ScoresShown") == 1
    *_, before, board, card, _, _ = front.said
    assert before == ASKS
    assert board.startswith("Round 1/10 Engine 9=9 Boneyard ")
    assert card == "RoundCard"
    node, front, _ = await ended("without", "without ben", "sit", "watch", "start")
    assert sum(said.startswith("This game is over.") for said in front.said) == 5
    assert node.asked == []


async def test_who_has_watched_goes_over_to_watch():
    """After `again`, a watcher follows to the next table to watch, or to play if seated by then."""
    # somebody who has sat down meanwhile sits at the next table
    for own, sits in ((OwnPlace.SEAT, True), (OwnPlace.WATCHING, False)):
        node = GameIsOver(own=own)
        _, _, end = await ended("who are you", "again", looks=[DOOR], watches=True, node=node)
        assert end == NextTableOffer(GoTo(DOOR, b"Ben", sits=sits))


def left_behind(**facts):
    """Return the node of somebody who missed the end of a game, after the host has moved on."""
    away = seats_of("Ana", "Ben", "Cy", "Dora", connected=False)
    node = GameIsOver(stage=TableStage.PLAYING, **{"seats": away} | facts)
    node.notices.receive_nowait()
    node.finished = trio.Event()
    node.tell(notices.HostMoved())
    return node


@pytest.mark.parametrize("watches", [True, False])
async def test_who_missed_the_end_of_the_game_comes_along_all_the_same(autojump_clock, watches):
    """Somebody who missed the end of the game can still follow the host to the next table.

    A watcher follows without a question; a player, who may be asleep, must type `again`.
    """
    node = left_behind(own=OwnPlace.WATCHING if watches else OwnPlace.SEAT)
    lines = (600.0,) if watches else (60.0, "again")
    _, front, end = await ended(*lines, looks=["", DOOR], node=node, watches=watches)
    assert end == NextTableOffer(GoTo(DOOR, b"Ben", sits=not watches))
    assert front.said.count("Ben is at another table now.") == 1
    offer = "Ben has opened another game: type again to play, or quit."
    assert front.said.count(offer) == (not watches)


async def test_a_host_that_opens_another_table_takes_no_watcher_from_a_game_in_play(autojump_clock):
    """A watcher stays while anybody plays on here, even if the host opens another table."""
    here = seats_of("Ana", "Ben", "Cy", "Dora")
    node = left_behind(own=OwnPlace.WATCHING, seats=here)
    _, front, end = await ended(600.0, "again", looks=[DOOR], node=node, watches=True)
    assert end is ExitCode.OK
    assert any(each.startswith("This game is not over. Type again") for each in front.said)


async def test_who_is_left_behind_by_the_host_is_in_a_state_of_their_own(
    autojump_clock, monkeypatch
):
    """When a watcher's host moves on, the state becomes `WITHOUT_HOST` and then `WAITING`."""
    learnt, true = [], next_table.after

    def noted(before, *news):
        found = true(before, *news)
        learnt.append((before, found))
        return found

    monkeypatch.setattr(next_table, "after", noted)
    await ended(600.0, looks=[""], node=left_behind(own=OwnPlace.WATCHING), watches=True)
    assert learnt[:2] == [
        (AfterGame.PLAYING, AfterGame.WITHOUT_HOST),
        (AfterGame.WITHOUT_HOST, AfterGame.WAITING),
    ]


@pytest.mark.parametrize("host", [True, False])
async def test_a_script_says_before_the_end_that_it_plays_again(autojump_clock, host):
    """A script may type `again` before the game is over.

    Then a host's script opens the next table; a guest's follows, or ends if there is none.
    """
    for door, end in ((DOOR, NextTableOffer(GoTo(DOOR, b"Ben"))), (None, ExitCode.OK)):
        node = GameIsOver(host=host, stage=TableStage.PLAYING)
        node.notices.receive_nowait()
        node.finished = trio.Event()

        def ends(node=node) -> None:
            node.facts |= node.over
            node.tell(OVER)

        script = {"asks_back": False, "stays": True, "looks": [door], "node": node}
        _, front, found = await ended("again", ends, None, **script)
        assert found == (NextTableOffer(Rematch(4)) if host else end)
        assert "You play again when this game is over." in front.said


async def test_who_plays_on_is_told_that_the_game_is_over():
    """A move typed after the game is answered with what can be typed."""
    _, front, _ = await ended("1", "9-4", host=True)
    assert front.said.count(f"This game is over. {ASKS}") == 2


async def test_who_wants_other_rules_reads_how_the_next_game_gets_them():
    """The answer to `again chickenfoot` says how the next game can have those rules."""
    for itself, said in ((False, "its host can type: change chickenfoot"), (True, "type quit")):
        _, front, end = await ended("again chickenfoot", starts_itself=itself)
        assert (end, sum(said in each for each in front.said)) == (ExitCode.OK, 1)


async def test_a_game_that_goes_on_is_not_played_again():
    """`again` is refused while the game goes on."""
    _, front = await played(scene_after(9, 4, 30), "again")
    assert any(each.startswith("This game is not over. Type again") for each in front.said)


async def test_guests_of_a_host_that_opens_its_table_anew_wait_for_a_slow_one(autojump_clock):
    """If a lobby is closed or its host fails, guests read how long they wait for a new table.

    They follow the host if a new table opens in time; if not, they read how to come back later.
    """
    why = notices.WhyClosed
    back = "If the host opens a table again, come back with: boneyard join"
    waits = (
        "Ben closed the table. If Ben reopens it within 20 seconds you are back at it; if not, "
        "this program ends."
    )
    for closed, (seen, end) in product(
        (why.BY_HOST, why.HOST_GONE),
        ((DOOR, NextTableOffer(GoTo(DOOR, b"Ben"))), (None, ExitCode.FAILED)),
    ):
        node, front, heard = GameIsOver(stage=TableStage.LOBBY), Reader(), list[str]()
        front.lines[:0] = [2.5, partial(_note, heard, front.said), 600.0]
        node.notices.receive_nowait()
        node.tell(notices.TableClosed(closed))
        _, _, found = await ended(looks=[*[None] * 30, seen], node=node, front=front)
        assert found == end
        assert front.said.count(waits) == heard.count(waits) == 1
        assert (back in front.said) == (seen is None)


def _note(heard: list[str], said: list[str]) -> None:
    heard.extend(said)


@pytest.mark.campaign
def test_a_practice_game_is_played_again_without_the_shell(start, tmp_path):
    """A practice game can be played again; the second game has its own record."""
    game = start("play", "--set", "6", "--rounds", "1", "--bots", "1", "--pace", "0")
    game.play_until("Type again, score")
    game.send("again\r")
    game.wait_for("it has a record of its own")
    game.wait_until(lambda: game.count("Round 1 of 1 is dealt") == 2)
    assert len(list(tmp_path.glob("*/tables/*"))) == 2


def all_have(terminals, text):
    """Wait until every terminal shows the text; read from all, so that no program is held up."""

    def found() -> bool:
        for each in terminals:
            each.read()
        return all(" ".join(each.text().split()).count(text) for each in terminals)

    terminals[0].wait_until(found)


@pytest.mark.campaign
def test_guests_play_again_without_their_host(start, party, tmp_path):
    """When the host has left, one guest is told to open the next table, and the other follows."""
    host, join, code = hosted(party, "--tiles", "3", "--rounds", "1", "--auto")
    join = (*join, "--code", code, "--auto")
    guests = [
        start(*join, "--name", name, "--data", str(tmp_path / name), name="")
        for name in ("Ben", "Cy")
    ]
    host.wait_for("3 of")
    host.type("start")
    all_have(guests, "Type again, score")
    host.type("quit")
    all_have(guests, "Ann is gone")
    opener = next(guest for guest in guests if guest.has("Ann is gone, and you have"))
    other = next(guest for guest in guests if guest is not opener)
    other.send("again\r")
    all_have([other], "You are in. Ann is gone")
    opener.send("again\r")
    all_have(guests, "2 of 9 seats taken")
    assert not other.has("asks newcomers for its join code")
