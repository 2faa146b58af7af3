"""Parsing a typed line: the result is an intent or a hint, never a failure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.input.chains import PlayChain
from cli.input.readers import UsageError, read_tiles
from cli.scene import LobbyScene
from cli.session.verbs.company import Rules, SayText, StayWith, Who
from cli.session.verbs.complete import usable_words
from cli.session.verbs.leaving import Quit
from cli.session.verbs.moves import CatchSeat, Look, PullTile, SetMarker
from cli.session.verbs.orders import Start
from cli.session.verbs.planning import MakePlan
from cli.session.verbs.play import Choose, HubTile, Play, TileReading
from cli.session.verbs.questions import ArrangeHand, Board, HintTrain, Review, ShowHand
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS, Help, find_verb
from cli.session.verbs.verb import Speak
from cli.session.verbs.why import Why
from engine.table.moves import DrawTile, Pass, Tap
from tests.cli.joining.test_sitting_down import lobby


def lay(a: int, b: int, train: str | None = None) -> Play:
    """Return the intent to play this tile."""
    return Play((TileReading((a, b), train),))


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("[9|4] on ben", lay(9, 4, "ben")),
        ("9 4", lay(9, 4)),
        ("1", Choose(1, None)),
        ("play 3", Choose(3, None)),
        ("94", Choose(94, lay(9, 4))),
        ("112 3", Play((TileReading((1, 12), "3"), TileReading((11, 2), "3")))),
        ("12 5", Play((TileReading((12, 5), None), TileReading((1, 2), "5")))),
        ("1210 ann", lay(12, 10, "ann")),
        ("d", Speak(DrawTile)),
        ("pass", Speak(Pass)),
        ("why", Why(None)),
        ("why play 9-4 ben", Why(lay(9, 4, "ben"))),
        ("w 2", Why(Choose(2, None))),
        ("b eve", Board("eve")),
        ("hand sort", ArrangeHand("sort")),
        ("hand v", ArrangeHand("value")),
        ("hand 9-4 > 4-8 | 3-3", ArrangeHand(groups=(((9, 4), (4, 8)), ((3, 3),)))),
        ("h 9-4>4-8", ArrangeHand(groups=(((9, 4), (4, 8)),))),
        ("plan none", MakePlan(drops=True)),
        ("plan 9-7 7-5 b", MakePlan(PlayChain(((9, 7), (7, 5)), "b"))),
        ("h", ShowHand()),
        ("hint train", HintTrain()),
        ("review 3", Review("3")),
        ("say  well   played", SayText("well played")),
        ("WHO", Who()),
        ("rules cover", Rules("cover")),
        ("start Ben", Start("Ben")),
        ("?", Help()),
        ("q", Quit(word="q")),
        ("   ", None),
        ("choo", Speak(Tap)),
        ("close", SetMarker(up=False)),
        ("turns", Look()),
        ("catches ben", CatchSeat("ben")),
        ("catch", CatchSeat(None)),
        ("declares 9=9", HubTile((9, 9))),
        ("hub 99", HubTile((9, 9))),
        ("engine 9 9", HubTile((9, 9))),
        ("hub", HubTile(None)),
        ("pull", PullTile(1)),
        ("pulls 7", PullTile(7)),
        ("bullet 9-7 7-5", PlayChain(((9, 7), (7, 5)), bullet=True)),
        ("9-9 6-4 on ben back", PlayChain(((9, 9), (6, 4)), "ben", back=True)),
        ("why play 9-7 7-5", Why(PlayChain(((9, 7), (7, 5))))),
        ("2 2 2-8", PlayChain(((2, 2), (2, 8)))),
        ("22 2-8 ben", PlayChain(((2, 2), (2, 8)), "ben")),
    ],
)
def test_what_people_type_is_read(line, intent):
    """Lines that people type are read as the intents that they express."""
    assert parse(line) == intent


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("fly 9-4", "fly"),
        ("plya 9-4", "play"),
        ("play", "tile"),
        ("play ben", "ben"),
        ("m 7-2", "to play a tile type 7-2, or 7-2 and the name of a train"),
        ("tile 9-8", "to play a tile type 9-8, or 9-8 and the name of a train"),
        ("9x", "9x"),
        ("19-4 ben", "19-4"),
        ("draw ben", "alone"),
        ("hand |", "sort, number"),
        ("hand 9-4 4-9", "once"),
        ("plan b", "plan 9-7 7-5"),
        ("hint ben", "hint train"),
        ("review ben", "number of a round"),
        ("review 0", "number of a round"),
        (f"review {'9' * 4301}", "number of a round"),
        ("odds ben", "type odds alone"),
        ("say", "what"),
        ("start ben cy", "one name"),
        ("wh 9-4", "why or who"),
        ("wit ben", "without or with"),
        ("boneyard verify 5", "in your shell: type quit here, and then that there."),
        ("tap ben", "type tap alone"),
        ("hub ben", "is not a tile"),
        ("hub 9-9 8-8", "one tile is enough"),
        ("discard", "which tile"),
        ("pull 0", "a number"),
        ("bullet ben", "type bullet alone"),
        ("why board", "is not a move"),
    ],
)
def test_what_is_not_understood_says_what_would_be(line, word):
    """The hint for a line that is not understood says what the player could type instead."""
    found = parse(line)
    assert isinstance(found, UsageError)
    assert word in found.hint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hi", "type: say hi"),
        ("hi Cy", "type: say hi Cy"),
        ("hello all", "type: say hello all"),
        ("good evening", "type: say good evening"),
        ("rulse", "did you mean rules?"),
        ("hint me", "has not begun"),
    ],
)
def test_who_greets_the_others_in_a_lobby_reads_how_to_talk(line, said):
    """In a lobby a greeting gets a hint about `say`.

    A misspelt command, or one that is of no use before the game, gets a hint of its own.
    """
    found = parse(line, usable_words(LobbyScene(lobby().view(), b"", ())))
    assert said in found.hint


@pytest.mark.parametrize("command", VERBS, ids=lambda command: command.word)
def test_every_command_reads_its_own_examples_and_short_forms(command):
    """A command's examples parse, and its word and short forms all lead to it."""
    for example in command.examples or (command.word,):
        assert not isinstance(parse(example), UsageError), example
    for word in (command.word, *command.short):
        assert find_verb(word) is command


def test_with_is_no_start_of_without():
    """`with ben` takes back a vote on Ben; only a longer start such as `witho` means `without`."""
    assert parse("with ben") == StayWith(("ben",))
    assert parse("witho ben") == parse("without ben")


@pytest.mark.campaign
@given(st.text(max_size=60))
def test_no_text_makes_the_parser_fail(line):
    """Any typed or pasted text gives an intent or a hint."""
    parse(line)


@given(st.text(alphabet="0123456789-|/=[] abmpx\u0661\u00b2", max_size=20))
def test_no_kind_of_digit_makes_the_parser_fail(line):
    """Unicode digits that `isdigit` accepts and `int` refuses do not make the parser fail."""
    parse(line)


@pytest.mark.parametrize(
    ("line", "tiles"),
    [
        ("12-3 3|4 [4-4] 9=9", ((12, 3), (3, 4), (4, 4), (9, 9))),
        ("12-3,3-4, 9,4; 5-5", ((12, 3), (3, 4), (9, 4), (5, 5))),
        ("94,53 1210", ((9, 4), (5, 3), (12, 10))),
        ("9 4 5 3", ((9, 4), (5, 3))),
        ("12–3=3-4, (９,４)", ((12, 3), (3, 3), (3, 4), (9, 4))),
        ("12 3 3 4", ((12, 3), (3, 4))),
        ("9-4 94 1-1", ((9, 4), (9, 4), (1, 1))),
        ("", ()),
    ],
)
def test_a_list_of_tiles(line, tiles):
    """Tiles in a list are written as in a move, with or without commas."""
    assert read_tiles(line.split()) == tiles


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("12 13", "12 13 can be one tile or two"),
        ("112", "112 can be 1-12 or 11-2"),
        ("9-4 5", "5 is not a tile"),
        ("9-4 19-2", "19-2 is not a tile"),
        ("\u0663\u0664", "\u0663\u0664 is not a tile"),
    ],
)
def test_what_is_no_list_of_tiles(line, said):
    """The hint about a wrong list of tiles begins with the words that are wrong or ambiguous."""
    read = read_tiles(line.split())
    assert isinstance(read, UsageError)
    assert read.hint.startswith(said)


@given(st.text())
def test_no_list_makes_the_reader_fail(line):
    """Any text gives a hint, or tiles whose halves are from 0 to 18."""
    read = read_tiles(line.split())
    assert isinstance(read, UsageError) or all(0 <= half <= 18 for pair in read for half in pair)
