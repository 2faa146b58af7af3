"""The objects of `--json` and its orders, spelled out so that a rename in the code is noticed."""

import json
import re
import shlex

import msgspec
import pytest

from cli.scene import LobbyScene
from cli.screens.json_lines import FORMAT, NOTICE_WORDS, as_json, facts_of
from cli.screens.json_orders import ORDERS, BadOrderError, OpenTurn, Order, read_order, typed_line
from cli.session.frontend import EveningShown, NoticeShown, ScoresShown
from cli.session.verbs.play import Play
from cli.session.verbs.reading import parse
from engine.table import events, moves
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.saying import saying
from tests.cli.fakes import view_of
from tests.cli.render.test_game_end import END, EVENING
from tests.cli.render.test_round_card import card
from tests.cli.running import boneyard, printed, run_python
from tests.cli.scenes import scene_after
from tests.cli.wording.test_wording import EVENTS, NOTICES, QUIET
from tests.tree import ROOT

EVENT_FIELDS = {
    "BulletTrain": {"seat"},
    "Caught": {"seat", "by", "count"},
    "DoubleCovered": {"train", "tile"},
    "DoubleDead": {"train", "tile"},
    "DoubleOwed": {"train", "tile", "seat"},
    "EndOfLine": {"train", "pip"},
    "GameEnded": {"winners"},
    "HubLaid": {"seat", "tile"},
    "LastPlays": {"first"},
    "MarkerDown": {"train"},
    "MarkerUp": {"train"},
    "NothingHeld": {"seat", "claimed"},
    "Passed": {"seat"},
    "RoundEnded": {"outcome", "seat"},
    "RoundScored": {"scores", "totals"},
    "Tapped": {"seat"},
    "TileDrawn": {"seat", "position"},
    "TileLaid": {"seat", "tile", "train", "joined"},
    "TileReturned": {"seat", "by"},
    "TileDenied": {"seat", "tile"},
    "TileShown": {"seat", "position", "tile"},
    "TileTurned": {"seat", "position", "tile"},
    "TurnBegan": {"seat"},
    "TurnDone": {"seat"},
}

PAGE = (ROOT / "docs/programs.md").read_text()
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", PAGE, re.MULTILINE))
IN_THEM = {"table", "tap", "catch", "by", "without", "why", "number"}
"""Words on the page that are values of fields."""

GAME = shlex.split("play --seed 7 --name Ann --set 9 --rounds 1 --bots easy,easy")
TURN = OpenTurn(22, ("1", "2", "draw"))


def told_as(notice: notices.Notice, sentence: str = "") -> tuple[str, dict[str, object]]:
    """Return the type and the facts of a notice, after a round trip through JSON."""
    word, facts = facts_of(NoticeShown(notice, sentence))
    return word, json.loads(json.dumps(facts, default=as_json))


def fields_of(word: str) -> set[str]:
    """Return the names of fields in the page's row for a type."""
    row = next(fields for words, fields in ROWS.items() if f"`{word}`" in words)
    return set(re.findall(r"`(\w+)`", row))


def test_every_notice_has_its_word_and_fields():
    """Each notice has a type on the page, and the fields that the page lists for it."""
    assert set(NOTICE_WORDS) == set(notices.Notice.__args__)
    for notice in (*NOTICES, *QUIET):
        word, facts = told_as(notice)
        told = fields_of(word)
        assert set(facts) - {"text"} <= told, word
        assert told <= {*facts, *IN_THEM}, word


def test_every_event_has_its_word_and_fields():
    """Each event in the `events` of a notice has its type and its listed fields."""
    assert {kind.__name__ for kind in events.Event.__args__} == set(EVENT_FIELDS)
    for event in (*EVENTS, events.TurnBegan(Seat(0))):
        _, facts = told_as(notices.Played(Seat(1), (event,)))
        (found,) = facts["events"]
        assert set(found) == {"type", *EVENT_FIELDS[found["type"]]}, found


def test_what_has_a_code_is_told_in_words_too():
    """Notices with a code also have a sentence.

    These are a refused seat, an answer about a later seat, a closed table and trouble.
    """
    kind, refused = told_as(notices.SeatRefused(NoSeat(WhyNoSeat.TAKEN, 4)), "All are taken.")
    assert (kind, refused["code"], refused["sentence"]) == ("refused", "taken", "All are taken.")
    for no_seat in (None, NoSeat(WhyNoSeat.WATCH)):
        _, later = told_as(notices.SeatLater(no_seat), "You watch.")
        assert (later["granted"], later["sentence"]) == (no_seat is None, "You watch.")
    _, closed = told_as(notices.TableClosed(notices.WhyClosed.BY_HOST))
    assert (closed["why"], closed["reason"]) == ("by-host", "The host has closed it.")
    trouble = notices.Trouble(notices.TroubleKind.DISK_FULL, ("no space",))
    _, facts = told_as(trouble, "Your seat waits: no space.")
    assert (facts["kind"], facts["sentence"]) == ("disk-full", "Your seat waits: no space.")
    trouble = msgspec.structs.replace(trouble, facts=(saying("no {what}", what="space"),))
    assert told_as(trouble)[1]["facts"] == ["no space"]


def test_moves_and_events_have_the_words_of_the_page():
    """The page names every type of move and event, and all their fields."""
    told = set(re.findall(r"`([\w-]+)`", PAGE))
    kinds = moves.Move.__args__
    asked = {each.name for kind in kinds for each in msgspec.structs.fields(kind)}
    assert {*EVENT_FIELDS, *asked, *(kind.__name__ for kind in kinds)} <= told
    assert f"now {FORMAT}." in PAGE


def keys(value: object) -> set[str]:
    """Return the names of all fields in a JSON value, at any depth."""
    if isinstance(value, dict):
        return {*value}.union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize(
    ("occasion", "kind"),
    [
        (ScoresShown(scene_after(12, 4, 43)), "scores"),
        (END, "result"),
        (EveningShown(EVENING), "evening"),
        (LobbyScene(view_of(scene_after(12, 4, 43)), b"Ana", code="7-otter-violin"), "lobby"),
        (card(), "round-card"),
    ],
    ids=["scores", "result", "evening", "lobby", "card"],
)
def test_each_occasion_is_an_object_with_the_fields_of_the_page(occasion, kind):
    """An occasion's facts are valid JSON, and the page lists exactly their fields."""
    found, facts = facts_of(occasion)
    assert found == kind
    plain = json.loads(json.dumps(facts, default=as_json))
    assert keys(plain) - {"text"} == fields_of(kind) - {"text", "again", "score"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"line": "9-4 ben"}', "9-4 ben"),
        ('{"line": "say a\\nleave"}', "say a leave"),
        ('{"turn": 22, "move": 0}', "1"),
        ('{"turn": 22, "move": 2}', "draw"),
    ],
)
def test_an_order_is_what_a_person_would_type(text, line):
    """An order with a line is typed as that line; a move is chosen by its index in the turn."""
    assert typed_line(read_order(text), TURN) == line


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "A line of JSON is"),
        ("{}", "A line of JSON is"),
        ('{"line": 5}', "A line of JSON is"),
        ('{"play": 5}', "A line of JSON is"),
        ('{"move": 1}', "A line of JSON is"),
        ('{"line": "1", "turn": 22}', "A line of JSON is"),
        ('{"ask": "hand"}', "You can ask for the table"),
        ('{"turn": 21, "move": 1}', "Turn 21 is not open: the open one is 22."),
        ('{"turn": 22, "move": 3}', "Turn 22 has moves from 0 to 2."),
        ('{"turn": 22, "move": -1}', "Turn 22 has moves from 0 to 2."),
    ],
)
def test_an_order_that_asks_for_nothing_there_is_gets_a_sentence(text, complaint):
    """An order that cannot be read, or that fits no open turn, gets a sentence."""
    with pytest.raises(BadOrderError, match=complaint):
        typed_line(read_order(text), TURN)


def test_a_turn_that_was_never_open_cannot_be_answered():
    """An order for a turn is refused while no turn is open."""
    with pytest.raises(BadOrderError, match="none is"):
        typed_line(Order(turn=22, move=0), None)


@pytest.mark.campaign
def test_a_round_is_played_from_a_file(tmp_path):
    """The same file gives the same scores in `--plain` and in `--json`."""
    text = (ROOT / "examples/moves.txt").read_text()
    plain = boneyard(*GAME, "--plain", data=tmp_path / "plain", text=text)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout.count("You played") == len(text.splitlines())
    (listed,) = printed("games", data=tmp_path / "plain").splitlines()
    assert "with Ada and Bix: " in listed
    spoken = boneyard(*GAME, "--json", data=tmp_path / "json", text=text)
    assert (spoken.returncode, spoken.stderr) == (0, "")
    heard = [json.loads(line) for line in spoken.stdout.splitlines()]
    (scores,) = (each for each in heard if each["type"] == "scores")
    assert [str(points) in plain.stdout for points in scores["totals"]] == [True] * 3
    assert not [each for each in heard if each["type"] == "error"]


def test_a_program_asks_and_is_told_what_it_got_wrong(tmp_path):
    """A bad order is answered with an error, and an order that asks for the table with the table.

    The page lists every field of a turn.
    """
    orders = '{"turn": 1, "move": 0}\n{"ask": "table"}\n'
    spoken = boneyard(*GAME, "--json", data=tmp_path, text=orders)
    heard = [json.loads(line) for line in spoken.stdout.splitlines()]
    kinds = [each["type"] for each in heard]
    assert kinds.count("error") == kinds.count("table") == 1
    turn = next(each for each in heard if each["type"] == "turn")
    page = {*re.findall(r"`([\w-]+)`", PAGE)}
    assert {"moves", "plays", "hand", "duties", "table"} <= keys(turn) <= page
    assert len(turn["plays"]) <= len(turn["moves"])


@pytest.mark.campaign
def test_the_example_bot_plays_a_whole_game(tmp_path):
    """The example bot, which has at most 42 lines, plays a whole game over pipes."""
    script = ROOT / "examples/heaviest.py"
    assert len(script.read_text().splitlines()) <= 42
    words = ("--seed", "7", "--set", "6", "--rounds", "2", "--bots", "2", "--data", str(tmp_path))
    done = run_python(str(script), *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Ann") == 2


def test_the_example_of_a_line_names_no_train():
    """The example line in `ORDERS` names no train, which another table might not have."""
    play = parse(read_order(ORDERS.split(", ")[0]).line)
    assert isinstance(play, Play)
    assert [reading.train for reading in play.readings] == [None]
