"""Lines that people typed in an evening: each is read as the person meant it."""

import pytest

from cli.exits import sentence_of
from cli.input.readers import UsageError
from cli.language import ENGLISH, means_yes, speak
from cli.session.verbs import company, fair, moves, orders, questions
from cli.session.verbs.asked import WaysToWin
from cli.session.verbs.leaving import Quit
from cli.session.verbs.play import Play
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS
from cli.session.verbs.verb import Where

IN_LOBBY = frozenset(verb.word for verb in VERBS if verb.where is not Where.GAME)


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("hint please", questions.Hint),
        ("which tile should I play?", questions.Hint),
        ("score please", questions.Score),
        ("what's the score", questions.Score),
        ("who is winning?", questions.Score),
        ("quién va ganando", questions.Score),
        ("is this fair?", fair.Fair),
        ("can you see my tiles", fair.Fair),
        ("what are the rules", company.Rules),
        ("how do I win?", WaysToWin),
        ("board please", questions.Board),
        ("sort my hand", questions.ArrangeHand),
        ("moves", questions.Plays),
        ("who is here?", company.Who),
        ("go on without ben please", company.GoOnWithout),
        ("sit down", company.ChangePlace),
        ("play again please", orders.PlayAgain),
        ("take it back", moves.TakeBack),
        ("bye", Quit),
    ],
)
def test_a_whole_sentence_is_the_command_that_it_means(line, means):
    """Each sentence is read as its command, with or without "please" or a question mark."""
    assert isinstance(parse(line), means)


@pytest.mark.parametrize(
    ("line", "pips"),
    [("double five", 5), ("Double Blank please", 0), ("dbl 3", 3), ("doble cinco", 5)],
)
def test_a_double_is_read_as_it_is_said(line, pips):
    """`double` with a number, in digits or as a word, is read as that tile."""
    read = parse(line)
    assert isinstance(read, Play)
    assert [each.pips for each in read.readings] == [(pips, pips)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("6 seats", ("seats", "6")),
        ("two rounds please", ("rounds", "2")),
        ("just one round", ("rounds", "1")),
        ("4 players", ("seats", "4")),
    ],
)
def test_a_number_may_stand_before_the_setting_in_a_lobby(line, words):
    """In a lobby a number before a setting's name changes that setting."""
    read = parse(line, IN_LOBBY)
    assert isinstance(read, orders.ChangeTable)
    assert read.words == words


def test_bots_are_asked_for_in_words_too():
    """In a lobby, a number in words before `bot` asks for that many bots."""
    assert parse("one bot", IN_LOBBY) == orders.SeatBots(("1",))


def test_a_wish_to_go_on_starts_no_game_that_has_begun():
    """In a lobby `go` starts the game; in a game `go on` lists the plays."""
    assert isinstance(parse("go", IN_LOBBY), orders.Start)
    assert isinstance(parse("go on"), questions.Plays)


def test_a_sentence_that_is_no_command_can_be_said_to_the_table():
    """The hint for an unknown sentence shows how to say it; a single word is taken for a typo."""
    read = parse("hello to you all")
    assert isinstance(read, UsageError)
    assert "say hello to you all" in read.hint
    slip = parse("fly")
    assert isinstance(slip, UsageError)
    assert "say" not in sentence_of(slip.hint)


def test_a_yes_to_nothing_is_no_short_form():
    """In Spanish, `si` ("yes") is not taken as short for `sin` ("without")."""
    speak("es")
    try:
        read = parse("si")
    finally:
        speak(ENGLISH)
    assert isinstance(read, UsageError)
    assert "sin" not in read.hint.split()


@pytest.mark.parametrize(
    ("line", "is_yes"),
    [
        ("sure", True),
        ("yes please", True),
        ("of course", True),
        ("ok, yes", True),
        ("yes i'll play", True),
        ("", False),
        ("no", False),
        ("hello ann", False),
        ("yesterday we had other rules here", False),
    ],
)
def test_there_are_many_ways_to_say_yes(line, is_yes):
    """Each of these phrases means yes, but a sentence about something else does not."""
    assert means_yes(line) == is_yes
