"""Score sheet, lobby, help and status, on wide and narrow screens."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS
from cli.render.sheets import lobby_lines, score_lines, who_lines
from cli.render.status import leaving_text, status_text
from cli.scene import LobbyScene, forced_move, plays_alone, scene_of, tile_text, train_name
from cli.session.verbs.table import VERBS, help_lines
from engine.rules.choose import RULE_SETS
from engine.table.table import AllScored, Ending, Outcome
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.wire.messages import Settings
from tests.cli.scenes import check_screen, scene_after, scenes_of, with_owed, written

WIDE = Canvas(80, 24, UNICODE_GLYPHS)
NARROW = Canvas(40, 24, ASCII_GLYPHS)
SETTINGS = Settings("standard", ("blanks=25-50",), 12, 4, 3, 0)


def seat(name: str, *, bot: bool = False, connected: bool = True) -> SeatInfo:
    """Return the facts about a person or bot at the table."""
    return SeatInfo(name, name.encode().ljust(32, b"."), "abcd2345", bot, connected)


def view(**changes) -> TableView:
    """Return the view of a lobby with two seats taken, with these changes."""
    lobby = TableView(
        stage=TableStage.LOBBY,
        table_id=b"t",
        settings=SETTINGS,
        spec=None,
        table=None,
        seat=None,
        hand=None,
        seats=(seat("Ana"), seat("Bix", bot=True)),
        host_key=seat("Ana").key,
        is_host=True,
        seats_offered=4,
        due=(),
        head=b"",
        step=2,
        deal_note=None,
        can_move=False,
    )
    return replace(lobby, **changes)


def playing(scene, **changes) -> TableView:
    """Return the view of a table at which this scene is played, with these changes."""
    seats = tuple(seat(name) for name in scene.names)
    return view(
        stage=TableStage.PLAYING,
        spec=scene.table.spec,
        table=scene.table,
        seat=scene.seat,
        hand=scene.hand,
        seats=seats,
        can_move=scene.can_move,
        **changes,
    )


def scored(scene, *past, rounds=None, **facts):
    """Return the scene after rounds with the points in `past`, in a game of `rounds` rounds.

    `facts` replace other fields of the table.
    """
    spec = replace(scene.table.spec, rounds=rounds or scene.table.spec.rounds)
    return replace(scene, table=structs.replace(scene.table, spec=spec, past=past, **facts))


@pytest.mark.parametrize(("name", "canvas"), [("80", WIDE), ("40", NARROW)])
def test_the_score_sheet_looks_as_it_was_reviewed(name, canvas):
    """The sheet of two rounds at eight seats matches its golden screen."""
    past = ((0, 12, 34, 5, 61, 7, 8, 9), (14, 0, 3, 22, 15, 40, 2, 101))
    check_screen(f"scores-{name}", score_lines(scored(scene_after(12, 8, 5), *past), canvas))


def test_before_the_first_score_the_sheet_says_so():
    """Before the first score, a sentence takes the place of the points."""
    assert "No round is scored yet" in written(score_lines(scene_after(9, 3, 1), WIDE))


def test_the_sheet_names_the_double_that_was_in_the_hub():
    """If any double can be the engine, the sheet shows each round's engine."""
    scene = next(iter(scenes_of("wolf-lake", 1)))
    game = structs.replace(scene.table.game, hubs=(Tile(6, 6), Tile(9, 9)))
    text = written(score_lines(scored(scene, (1, 2, 3), (4, 5, 6), game=game), WIDE))
    assert " 1 6=6" in text
    assert " 2 9=9" in text


def test_the_last_line_says_who_won_after_how_many_rounds():
    """The last line names the winners or the leader, and says how many rounds were played.

    A single round is "1 round".
    """
    for past, won in (
        ([(0, 4, 4)], "Ana won after 1 round."),
        ([(1, 1, 1), (2, 2, 2)], "Ana, Ben and Cy won after 2 rounds."),
    ):
        after = scored(scene_after(9, 3, 1), *past, rounds=len(past))
        assert written(score_lines(after, WIDE)).splitlines()[-1].strip() == won
    after = scored(scene_after(9, 3, 1), (0, 4, 4), rounds=2)
    assert "Ana leads; 1 of 2 rounds played." in written(score_lines(after, WIDE))
    over = AllScored(Outcome(Ending.OUT, Seat(0)))  # all others have left
    ended = structs.replace(after.table, now=over)
    assert "Ana won after 1 round." in written(score_lines(replace(after, table=ended), WIDE))


@pytest.mark.parametrize(("name", "canvas"), [("80", WIDE), ("40", NARROW)])
def test_the_lobby_looks_as_it_was_reviewed(name, canvas):
    """The lobby of a host with a bot matches its golden screen."""
    waiting = view()
    lines = lobby_lines(LobbyScene(waiting, waiting.host_key, ("192.168.1.4:4747",)), canvas)
    check_screen(f"lobby-{name}", lines)


def test_loopback_is_offered_as_what_it_is():
    """A loopback address is marked "on this computer", so that nobody types it elsewhere."""
    alone = LobbyScene(view(), b"", ("127.0.0.1:4747",))
    text = " ".join(written(lobby_lines(alone, WIDE)).split())
    assert "On this computer others join with: boneyard join 127.0.0.1:4747" in text
    both = LobbyScene(view(), b"", ("[fd00::7]:4747", "10.8.0.5:4747"))
    text = " ".join(written(lobby_lines(both, WIDE)).split())
    assert "Others join with: boneyard join [fd00::7]:4747 or 10.8.0.5:4747" in text


def test_a_table_that_starts_by_itself_says_so():
    """A lobby says so if its game begins by itself once all are seated."""
    lines = lobby_lines(LobbyScene(view(), b"", (), starts_itself=True), WIDE)
    assert "begins when all are seated" in written(lines)


def test_a_lobby_whose_rules_are_not_known_yet_can_be_drawn():
    """Before the settings arrive the lobby says that it waits for them."""
    unknown = LobbyScene(view(settings=None, seats=()), b"")
    assert "Waiting to hear" in written(lobby_lines(unknown, WIDE))


def test_a_lobby_without_anybody_lists_nobody():
    """A lobby counts taken seats, not connections, and lists nobody if none is taken."""
    drawn = written(lobby_lines(LobbyScene(view(seats=()), b""), WIDE))
    assert "0 of 4 seats taken\n" in drawn
    assert written(who_lines(view(seats=()), WIDE, b"")) == " 0 of 4 seats taken\n"
    seats = (seat("Ana"), seat("Bo"))
    drawn = written(lobby_lines(LobbyScene(view(seats=seats), b""), WIDE))
    assert "2 of 4 seats taken, with the fingerprint of each key:\n" in drawn
    assert status_text(view(seats=seats)) == "2 of 4 seats taken"


def test_who_has_just_sat_down_is_being_connected_to():
    """A guest who has just sat down is not listed as absent; the status line says "connecting"."""
    sat = view(is_host=False, seats=(seat("Ana"), seat("Bo", connected=False)))
    sat = replace(sat, host_key=sat.seats[0].key)
    other = replace(sat.seats[1], key=b"another")
    joined = replace(sat, seats=(sat.seats[0], other))
    assert "not connected" not in written(who_lines(joined, WIDE, b""))
    assert "connecting to Bo" in status_text(joined)
    assert "connecting" not in status_text(replace(joined, own=OwnPlace.WATCHING))
    host_away = replace(joined, seats=(replace(sat.seats[0], connected=False), other))
    assert written(who_lines(host_away, WIDE, b"")).count("not connected") == 1


def test_who_is_heard_through_others_is_not_said_to_be_away():
    """A player reached through others is listed as such, and counts as connected."""
    bo, cy = (seat(name, connected=False) for name in ("Bo", "Cy"))
    seats = (seat("Ana"), replace(bo, through=True), cy)
    seen = view(stage=TableStage.PLAYING, seat=0, is_host=False, seats=seats)
    said = written(who_lines(seen, WIDE, b""))
    assert said.count("reached through others") == said.count("not connected") == 1
    assert "not connected: Cy" in status_text(seen)
    others = replace(seen, seats=seats[:2])
    assert "2 connected" in status_text(others)
    assert "not connected" not in status_text(others)


@pytest.mark.parametrize("host_here", [True, False])
@pytest.mark.parametrize("own_seat", [None, 2])
def test_who_only_watches_is_not_told_that_a_bot_is_away_whose_host_is_here(host_here, own_seat):
    """A watcher reads that a bot is away only if the host of that bot is away too.

    Bots never connect to watchers, only to players.
    """
    host, bot = seat("Ana", connected=host_here), seat("Bix", bot=True, connected=False)
    seats = (host, bot, seat("Cy"))
    hosted = {"is_host": False, "is_host_here": host_here}
    seen = view(stage=TableStage.PLAYING, seat=own_seat, seats=seats, **hosted)
    away = [each.name for each, missed in ((host, not host_here), (bot, True)) if missed]
    if own_seat is None and host_here:
        away = []
    assert written(who_lines(seen, WIDE, b"")).count("not connected") == len(away)
    assert (f"not connected: {', '.join(away)}" in status_text(seen)) == bool(away)
    assert ("not connected" in status_text(seen)) == bool(away)


def test_who_plays_in_a_browser_tab_is_marked_and_it_is_said_by_whom_that_is_known():
    """The list marks players in browser tabs, and says that only their programs claim this."""
    tabs = tuple(replace(seat(name), in_tab=True) for name in ("Zoe", "Eve"))
    for seats, said in (
        (
            (seat("Ana"), tabs[0]),
            "Zoe plays in a browser tab, by what that program says of itself.",
        ),
        ((seat("Ana"), *tabs), "Zoe and Eve play in browser tabs, by what these programs say of"),
        ((seat("Ana"),), ""),
    ):
        shown = written(who_lines(view(seats=seats), WIDE, b""))
        marked = [line for line in shown.splitlines() if line.rstrip().endswith(" tab")]
        assert len(marked) == len(seats) - 1
        assert said in shown
        assert ("browser" in shown) == bool(said)


def test_a_host_without_a_seat_is_counted_and_listed():
    """The players read whether a host without a seat is connected; the host itself does not."""
    scene, wall = scene_after(12, 4, 43), {"host_key": b"wall"}
    seen = playing(scene, is_host=False, **wall)
    assert "| 4 connected + host" in status_text(seen)
    assert "The host has no seat and only shows the table." in written(who_lines(seen, WIDE, b""))
    gone = replace(seen, is_host_here=False)
    assert status_text(gone).endswith("| 4 connected")
    assert "has no seat, is not connected." in written(who_lines(gone, WIDE, b""))
    itself = playing(scene, **wall)
    assert status_text(itself).endswith("| 4 connected")
    assert "The host" not in written(who_lines(itself, WIDE, b"wall"))


@pytest.mark.parametrize("own", OwnPlace)
def test_all_read_of_as_many_players(own):
    """Everybody reads the same number of connected players; watchers are not counted."""
    seen = playing(scene_after(12, 4, 43), own=own, watchers=("Flo",))
    assert "| 4 connected" in status_text(seen)


@pytest.mark.parametrize(("own_seat", "counted"), [(Seat(0), False), (None, True)])
def test_bots_and_oneself_are_no_company_and_a_guest_is(own_seat, counted):
    """A host who plays alone with bots is not told how many players are connected.

    A host without a seat is told, even if one guest is the only player besides the bots.
    """
    scene = replace(scene_after(12, 4, 43), seat=own_seat)
    bots = tuple(seat(name, bot=True) for name in scene.names[1:])
    seen = replace(playing(scene), seats=(seat(scene.names[0]), *bots), is_host=True)
    assert plays_alone(seen) != counted
    assert ("connected" in status_text(seen)) == counted


def test_help_leaves_out_what_these_rules_have_no_use_for():
    """Help lists taps and marker commands only under rules that have them."""
    plain = written(help_lines(None, WIDE, playing=True, rules=RULE_SETS["standard"]))
    rich = written(help_lines(None, WIDE, playing=True, rules=RULE_SETS["wolf-lake"]))
    for word in ("tap", "catch", "open", "declare", "pull"):
        assert f"\n {word} " not in plain
        assert f"\n {word} " in rich


def test_the_status_says_whose_turn_it_is_what_is_owed_and_who_is_away():
    """The status line says whose turn it is, and which double is owed on which train.

    While you read the card of a round, it tells you about the next round instead.
    """
    scene = with_owed()
    own = status_text(playing(scene))
    assert "YOUR TURN" in own
    assert "cover " in own
    owed, *_ = scene.table.owed
    assert f"cover {tile_text(owed.tile)} ({train_name(scene, owed.train)}) | " in own
    other = status_text(playing(replace(scene, seat=None, can_move=False)))
    assert "'s turn" in other
    number = scene.table.round_number + 1
    at_card = status_text(playing(scene), at_card=True)
    assert at_card.startswith(f"round {number} waits for you")
    assert "YOUR TURN" not in at_card, "nobody can play between two rounds"
    assert "cover " not in at_card
    others = playing(replace(scene, can_move=False))
    assert status_text(others, at_card=True).startswith(f"round {number} has begun")


def test_a_turn_that_is_taken_by_itself_is_not_called_yours():
    """A turn that the program takes, as for a forced draw, is not announced as YOUR TURN."""
    moments = (each for each in scenes_of("wolf-lake", 40, 1) if each.can_move)
    said = {forced_move(each) is None: status_text(playing(each)) for each in moments}
    assert said[True].startswith("YOUR TURN")
    assert not said[False].startswith("YOUR TURN")


def test_help_in_spanish_names_the_spanish_words_of_commands(request):
    """Spanish help lists the Spanish words of commands, which English help leaves out."""
    english = written(help_lines(None, WIDE, playing=True))
    assert "pista" not in english + written(help_lines("hint", WIDE, playing=True))
    request.getfixturevalue("spanish")
    listed = written(help_lines(None, WIDE, playing=True))
    assert all(word in listed for word in ("pista", "robar", "ayuda", "salir"))
    assert "empezar" not in listed.partition("En español")[2]
    for verb in VERBS:
        assert all(
            word in written(help_lines(verb.word, WIDE, playing=True)) for word in verb.spanish
        )


@pytest.mark.parametrize(
    ("others", "watchers", "hosts", "said"),
    [
        ((), (), True, "Press Ctrl-C once more to leave at once."),
        (("Bo",), ("Dora",), False, "Press Ctrl-C once more to leave at once."),
        (("Bo",), ("Dora",), True, "Ctrl-C once more closes this table for Bo and Dora too."),
        (
            ("Bo", "Cy", "Flo"),
            ("Dora",),
            True,
            "Ctrl-C once more closes this table for 4 others too.",
        ),
    ],
)
def test_the_first_ctrl_c_of_a_host_says_who_would_lose_the_table(others, watchers, hosts, said):
    """At Ctrl-C a host with company reads who would lose the table, or how many people would.

    A guest, or a host with only bots, is just asked to press Ctrl-C once more.
    """
    seats = (seat("Ana"), *map(seat, others), seat("Bix", bot=True))
    lobby = view(seats=seats, watchers=watchers, is_host=hosts)
    assert leaving_text(LobbyScene(lobby, seat("Ana").key), resumable=True) == said


def test_the_first_ctrl_c_at_a_wall_in_play_names_the_way_back():
    """At Ctrl-C a sentence names the command for coming back, with `--wall` for a wall.

    If the game cannot be resumed, no command is named.
    """
    scene = scene_after(12, 4, 43)
    wall = scene_of(playing(replace(scene, seat=None, hand=None)))
    for place, said in ((scene, "boneyard resume"), (wall, "boneyard resume --wall")):
        assert leaving_text(place, resumable=True).endswith(f"; come back with: {said}")
        assert leaving_text(place, resumable=False) == "Press Ctrl-C once more to leave at once."
