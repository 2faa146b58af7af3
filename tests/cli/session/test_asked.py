"""Questions and wishes that people type at a table, and their answers.

The file `asked/evenings.txt` has lines that people typed, and `asked/invented.txt` has lines that
they might type.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from cli.input.readers import UsageError
from cli.joining.habits import answer_settings
from cli.language import ENGLISH, speak
from cli.scene import lays
from cli.session.loop import sit
from cli.session.verbs.asked import (
    HowToSet,
    LobbyAgain,
    NextGame,
    OpenTrains,
    PlayForMe,
    SignsOfBoard,
    TilesHeld,
    WaysOut,
    WaysToWin,
    WhatHappened,
    WhenUnable,
    WhereIs,
    WhoBegan,
)
from cli.session.verbs.glossary import WhatIs, WhatSet
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS
from cli.session.verbs.verb import Where
from cli.session.verbs.why import Why
from cli.wording.asked import happened_sentence, held_sentences
from cli.wording.glossary import term_named
from cli.wording.since import Since
from engine.table.trains import Seat
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.scenes import scene_written
from tests.cli.session.test_lines_of_tiles import played_at
from tests.cli.session.test_seat_parts import gone_seat
from tests.cli.session.test_understood import TURN, WAITING, typed

LINES = Path(__file__).parent / "asked"
NAMES = ("Marie", "Ada", "Bix", "Cleo", "Ana", "Emil", "Dora", "Ben")
IN_LOBBY = frozenset(verb.word for verb in VERBS if verb.where is not Where.GAME)
MEANT = {
    "now": parse("plays"),
    "hint": parse("hint"),
    "why": parse("why"),
    "score": parse("score"),
    "since": WhatHappened(),
    "count": TilesHeld(),
    "goal": WaysToWin(),
    "teach": WaysToWin(),
    "trains": OpenTrains(),
    "fair": parse("fair"),
    "odds": parse("odds"),
    "hand": parse("hand"),
    "signs": SignsOfBoard(),
    "cover": parse("rules cover"),
    "covers": parse("cover"),
    "card": parse("card"),
    "newly": parse("again"),
    "counting": parse("rules blanks"),
    "rules": parse("rules"),
    "change": parse("help change"),
    "who": parse("who"),
    "review": parse("review"),
    "back": parse("back"),
    "again": NextGame(),
    "leave": WaysOut(),
    "talk": parse("help say"),
    "name": parse("help name"),
    "help": parse("help"),
    "start": LobbyAgain(),
    "unable": WhenUnable(),
    "first": WhoBegan(),
    "first-rule": parse("rules first"),
    "wild-rule": parse("rules wild-blanks"),
    "auto": PlayForMe(),
}
"""The command that each kind of question is read as."""
SHARE = 0.94
"""The least share of invented questions that must be understood."""
CHAT_MISREAD_MAX = 5


def lines_of(name):
    """Yield the place, the kind and the text of each line of a file."""
    for row in (LINES / name).read_text("utf-8").splitlines():
        if not row.startswith("#"):
            about, line = row.split(" | ", 1)
            place, kind = about.split(" ", 1)
            yield place, kind, line


def read(place, line):
    """Return the command that a line is read as, or a `UsageError`.

    The place is `l` for the lobby; any other place is in a game.
    """
    return parse(line, IN_LOBBY, NAMES) if place == "l" else parse(line, names=NAMES)


def is_meant(place, kind, line):
    """Return True if a line is read as its kind says; talk must be a `UsageError`."""
    found = read(place, line)
    if kind == "chat":
        return isinstance(found, UsageError)
    if kind.startswith("what:"):
        return found == WhatIs(term_named(kind.removeprefix("what:")))
    for beginning, asked in (("set:", WhatSet), ("where:", WhereIs), ("how:", HowToSet)):
        if kind.startswith(beginning):
            named = kind.removeprefix(beginning)
            return found == asked(int(named) if asked is WhatSet else named)
    if kind == "move":
        return isinstance(found, Why) and found.move is not None
    if place == "l" and kind == "goal":
        return found == MEANT["rules"]
    return found == MEANT[kind]


AT_TABLE = [each for each in lines_of("evenings.txt") if each[0] != "m"]


@pytest.mark.parametrize(("place", "kind", "line"), AT_TABLE)
def test_a_line_of_an_evening_is_answered(place, kind, line):
    """Each line was typed by somebody, and is read as that person meant it."""
    assert is_meant(place, kind, line), read(place, line)


def test_most_lines_that_nobody_has_typed_are_understood_too():
    """Most invented questions are understood, and few lines of talk are taken for questions."""
    lines = [each for each in lines_of("invented.txt") if each[0] != "m"]
    asked = [is_meant(*each) for each in lines if each[1] != "chat"]
    misread = [each for each in lines if each[1] == "chat" and not is_meant(*each)]
    assert sum(asked) / len(asked) >= SHARE
    assert len(misread) <= CHAT_MISREAD_MAX, misread


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("how many tiles do i have", "You hold 11 tiles, 132 points if the round ended now. "),
        ("how many tiles does cleo have", "Tiles held by the others: Cleo "),
        ("is the boneyard empty", "Tiles in the boneyard: "),
        ("which trains are open", "Open to all: the Mexican train and Cleo's train."),
        ("is my train open", "Private: your train and Ann's train."),
        ("how do i win", "The fewest points win."),
        ("what did ann do", "Nobody has played since the deal."),
        ("how do i get out of here", "Type quit to leave: "),
        ("what do the signs mean", "Board: > whose turn it is, "),
        ("can we play again", "This game is not over. Type again when it is."),
        ("can i play 3-1", "3-1 does not fit: "),
        ("can i play 9-4 on cleo's train", "Legal: 4-9 Cleo."),
        ("hwat now", "It is your turn. You can play: 9-0 Root, "),
        ("what do the dots mean", "A dot before the end of a train"),
        ("who went first", "You had the first turn of round 1."),
        ("what if I can't play", "If you can play nothing you draw one tile and play it if it"),
        ("what happened to cleo", "Cleo is here."),
        ("auto", "The program plays your seat if you start it with --auto."),
        ("what is set 9?", "Set 9 is double-9: the 55 tiles from 0-0 to 9-9."),
        ("what is set 7?", "There is no set 7; the sets are 6, 9, 12, 15, 18."),
    ],
)
async def test_the_answer_is_about_the_table_as_it_is(line, said):
    """A question is answered with the facts of this table, and plays nothing."""
    made, told = await typed(TURN, line)
    assert made == ""
    assert any(said in each for each in told), told


@pytest.mark.parametrize(
    ("facts", "gone", "said"),
    [
        ({}, {}, "Cleo is here."),
        (
            {"connected": False},
            {},
            "Cleo is away, not connected: the table waits whenever their turn comes.",
        ),
        ({"parted": True, "connected": False}, {}, "Cleo has left for good."),
        ({"left": True}, {"farewell": True}, "Cleo left for good in round 2. Cleo watches now."),
        (
            {"left": True, "connected": False},
            {"named_by": ("Ann", "Root")},
            "Ann and Root went on without Cleo in round 2.",
        ),
    ],
)
async def test_what_has_become_of_a_player_is_said(facts, gone, said):
    """`where is` says whether a player is here, away, gone or voted out, and in which round."""
    scene = scene_written(TURN, "Root")
    seats = tuple(
        replace(info, **facts) if info.name == "Cleo" else info for info in seats_of(*scene.names)
    )
    left = (gone_seat("Cleo", **gone),) if gone else ()
    node, front = FakeNode(scene, seats=seats, departures=left), FakeFront("where is cleo")
    await sit(node, front, sitting_with())
    assert said in front.said


async def test_how_a_setting_is_turned_on_is_said_of_those_that_there_are():
    """A question about a setting is answered with what it does and how to change it.

    An unknown setting is reported.
    """
    lines = ("how do i turn on grace", "turn on the lights")
    front = FakeFront(*lines)
    await sit(FakeNode(scene_written(TURN, "Root")), front, sitting_with(config=answer_settings))
    said = " ".join(front.said)
    assert "How many seconds a move is held" in said
    assert front.said.count("To change it type: config grace VALUE") == 1
    assert "There is no setting 'lights'" in said


async def test_a_question_why_is_about_the_last_move_refused():
    """A question in words, such as "why can't i", explains the last refused move as `why` does."""
    lines = ("3-1", "why can't i put it there")
    told = (await played_at(scene_written(TURN, "Root"), *lines))[1].said
    assert any("A tile you hold joins an open end with the same number" in each for each in told)


async def test_nobody_leaves_by_a_question():
    """A wish to stop gets an answer, and the next line is still played."""
    made, told = await typed(TURN, "i want to stop now", "9-0 mine")
    assert made == "9-0 Root"
    assert any(each.startswith("Type quit to leave: ") for each in told)


def test_what_was_played_is_told_as_beside_the_board():
    """The answer about what happened lists others' moves in order, or says that there are none."""
    scene = scene_written(TURN, "Root")
    (lay, *_) = lays(scene)
    other = Seat(1)
    since = Since((structs.replace(lay, seat=other),), had_turn=True)
    assert happened_sentence(scene, since) == "Since your turn: Cleo 9-0 on your train."
    assert happened_sentence(scene, Since()) == "Nobody has played since the deal."
    text = "Nobody has played since your last turn."
    assert happened_sentence(scene, Since(had_turn=True)) == text


def test_tiles_that_are_not_dealt_yet_are_not_counted():
    """For a watcher, or while the hand is being dealt, only the tiles of the others are counted."""
    scene = scene_written(TURN, "Root")
    unknown = replace(scene, hand=structs.replace(scene.hand, tiles=()))
    said = held_sentences(unknown)
    assert said == held_sentences(replace(scene, hand=None))
    assert said.startswith("Tiles held by the others: Cleo 2 and Ann 1.")


async def test_who_cannot_come_back_is_told_so():
    """If a game cannot be resumed, as a lesson cannot, the answer to `menu` says so."""
    node, front = FakeNode(scene_written(TURN, "Root")), FakeFront("menu")
    await sit(node, front, sitting_with(resumable=False))
    said = "Type quit to leave. You cannot come back to this game, but can begin another."
    assert said in front.said


async def test_out_of_turn_it_is_said_whose_turn_it_is():
    """Out of turn, `I can't go` is answered with whose turn it is."""
    _, told = await typed(WAITING, "i can't go")
    assert any(each == "It is Cleo's turn." for each in told), told


async def test_what_is_no_question_says_how_to_ask_and_how_to_talk():
    """A sentence meant for the other players is not taken for a command.

    The hint says how to ask the program, and how to say the sentence to the table.
    """
    _, told = await typed(TURN, "how old is your daughter now")
    text = (
        '"how" is not a command here: ask what now, hint, why, who is winning, or type help. To '
        "talk to the table type: say how old is your daughter now."
    )
    assert text in told
    in_lobby = parse("my sister will join us later", IN_LOBBY)
    assert isinstance(in_lobby, UsageError)
    assert "ask rules, who is here, or type help" in in_lobby.hint


@pytest.mark.parametrize("line", ["gg", "good game", "thanks"])
def test_a_short_word_to_the_others_can_be_said_too(line):
    """For a short courtesy the hint is to `say` it, not the nearest command."""
    found = parse(line)
    assert isinstance(found, UsageError)
    assert f"To talk to the table type: say {line}" in found.hint


@pytest.mark.parametrize(
    ("line", "said"),
    [("odds ben", "type odds alone"), ("review 0", "number of a round"), ("name", "which name?")],
)
def test_a_command_that_lacks_something_or_has_too_much_says_so(line, said):
    """A command with a missing, wrong or superfluous word is a usage error that says so."""
    found = parse(line)
    assert isinstance(found, UsageError)
    assert said in found.hint


async def test_the_answers_are_in_the_language_that_is_spoken():
    """Answers are in the program's language, whatever the language of the question."""
    speak("es")
    try:
        _, told = await typed(
            TURN, "which trains are open", "cómo salgo", "how old is your dog now"
        )
    finally:
        speak(ENGLISH)
    assert any("Abierto a todos: " in each for each in told), told
    assert any(each.startswith("Escribe salir para irte: ") for each in told), told
    assert any("pregunta y ahora qué, pista, por qué, quién va ganando" in each for each in told)


def test_every_way_to_ask_that_is_told_is_understood():
    """Every way to ask that the hints mention is understood, in both languages."""
    for line in ("what now", "hint", "why", "who is winning", "rules", "who is here"):
        assert not isinstance(parse(line), UsageError), line
    for line in ("y ahora qué", "pista", "por qué", "quién va ganando", "reglas", "quién está"):
        assert not isinstance(parse(line), UsageError), line
