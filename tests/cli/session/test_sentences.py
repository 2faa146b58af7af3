"""Commands inside whole sentences, typed at a table in play and before the game."""

import pytest

from cli.input.readers import UsageError
from cli.session.stay import Anew, NextTableOffer
from cli.session.verbs.orders import Rename, Start
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS
from engine.bots.levels import BotLevel
from tests.cli.session import test_lobby_words
from tests.cli.session.test_hosting import WALNUT, told
from tests.cli.session.test_understood import TURN, typed

MUST = "You can play 9-4, so you may not draw or pass."


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("show me the board please", "board"),
        ("can you show the score?", "score"),
        ("I want to see my hand", "hand"),
        ("let me look at the board", "board"),
        ("enséñame el tablero", "board"),
        ("I pass", "pass"),
        ("ok, I'll pass", "pass"),
        ("pass my turn", "pass"),
        ("I'd like to draw", "draw"),
        ("draw a tile", "draw"),
        ("please draw", "draw"),
        ("quiero robar", "draw"),
        ("can I draw?", "why draw"),
        ("should I pass", "why pass"),
        ("what happens when I pass?", "why pass"),
        ("why can't I draw?", "why draw"),
        ("I'll play 9-4 on cleo", "play 9-4 cleo"),
        ("my 9-4 on cleo", "9-4 cleo"),
        ("leave the game", "leave"),
        ("I want to quit", "quit"),
        ("undo that", "undo"),
        ("how do I vote out Ben?", "help vote out"),
        ("hand by value", "hand value"),
        ("sort my hand by value", "hand value"),
        ("rules about doubles", "rules 5"),
        ("what are the rules for the mexican train", "rules 4"),
        ("help me", "help"),
        ("my turn", "plays"),
        ("no wait, with dora", "with dora"),
        ("wait, 9-4 on cleo", "9-4 cleo"),
        ("play my own train with 9-4", "play 9-4 my own train"),
        ("empieza el tren mexicano con 9-4", "9-4 mexicano"),
        ("how do doubles work?", "what is a double"),
        ("tell me about the marker", "what is a marker"),
    ],
)
def test_a_command_in_a_sentence_is_that_command(line, same):
    """Each sentence is read as the command that it contains."""
    assert parse(line) == parse(same)


@pytest.mark.parametrize(
    "line",
    [
        "I have 9-4",
        "we need the 9-4",
        "I take 9-4",
        "don't draw",
        "if I pass",
        "I like it open",
        "see you again",
        "nice, I pass",
        "hello, I'm out",
    ],
)
async def test_talk_is_no_command(line):
    """A sentence that only mentions a move is not a command, and makes no move."""
    made, said = await typed(TURN, line)
    assert made == ""
    assert any("is not a command here" in each for each in said), said


async def test_a_question_after_a_move_makes_none():
    """A question about a move is answered, and does not make the move."""
    for line in ("can I draw", "should I play 9-4 on cleo", "could I draw please"):
        made, said = await typed(TURN, line)
        assert made == ""
        assert any(MUST in each or "Legal: 4-9 Cleo." in each for each in said), said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("standard please", ("standard",)),
        ("I want standard rules", ("standard",)),
        ("let's play standard", ("standard",)),
        ("the usual rules", ("standard",)),
        ("switch to roundhouse", ("roundhouse",)),
        ("change the rules to roundhouse", ("roundhouse",)),
        ("hidden draws", ("draws", "hidden")),
        ("make it hidden draws", ("draws", "hidden")),
        ("seats 5, rounds 2", ("seats", "5", "rounds", "2")),
        ("two rounds please", ("rounds", "2")),
        ("we are five", ("seats", "5")),
        ("5 of us", ("seats", "5")),
        ("double twelve", ("set", "12")),
    ],
)
async def test_a_host_changes_the_table_in_a_sentence(line, words):
    """A host's sentence changes a setting as the setting's name and value would."""
    _, _, end = await test_lobby_words.typed(line)
    assert end == NextTableOffer(Anew(settings=told(WALNUT, words)))


@pytest.mark.parametrize(
    ("line", "levels"),
    [
        ("one more hard bot please", (BotLevel.NORMAL, BotLevel.HARD)),
        ("another bot", (BotLevel.NORMAL, BotLevel.NORMAL)),
        ("no bots", ()),
        ("remove the bot", ()),
        ("kick out Bix", ()),
        ("quita el bot", ()),
    ],
)
async def test_a_host_says_how_many_bots_there_are_in_a_sentence(line, levels):
    """A sentence can add a bot or send all of them away."""
    _, _, end = await test_lobby_words.typed(line)
    assert isinstance(end, NextTableOffer)
    assert isinstance(end.to, Anew)
    assert end.to.bots == levels


IN_LOBBY = {verb.word for verb in VERBS if verb.where.is_now(playing=False)}


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("start please", Start()),
        ("ok let's go", Start()),
        ("start the game now", Start()),
        ("start Ben", Start("Ben")),
        ("empezar por favor", Start()),
        ("my name is Rosa", Rename("Rosa")),
        ("call me Rosa.", Rename("Rosa")),
    ],
)
def test_the_game_begins_and_a_name_is_taken_by_a_sentence(line, read):
    """Before the game, each sentence is read as the command that it means."""
    assert parse(line, IN_LOBBY) == read


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("what's the code?", "The join code is 7-otter-violin."),
        ("how do others join?", "The join code is 7-otter-violin."),
        ("what's walnut?", "walnut:"),
        ("what are we playing?", "walnut (double-9"),
        ("can we start?", "The game has not begun yet."),
        ("how do I add a bot", "add bot"),
        ("I like walnut trees", "To talk to the table type: say I like walnut trees."),
        ("not walnut", "To talk to the table type"),
    ],
)
async def test_a_question_before_the_game_is_answered_and_changes_nothing(line, part):
    """In a lobby, neither a question nor talk changes the table, and each line is answered."""
    _, front, end = await test_lobby_words.typed(line, code=test_lobby_words.CODE)
    assert not isinstance(end, NextTableOffer)
    assert any(part in said for said in front.said), front.said


def test_a_no_alone_before_a_move_takes_nothing_back():
    """A line with `no` before a move is refused, because it may deny that move."""
    assert isinstance(parse("no 9-4 on cleo"), UsageError)
