"""Lines that are not commands, read as questions: their words, their typos and their topic."""

import pytest

from cli.input.asking import asked_words, distance, move_asked, topic_asked
from cli.input.topics import ASKING, CONTRACTIONS, GRAMMAR, KEYWORDS, LEFT_OUT, Topic
from cli.visible import folded


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ("what", "what", 0),
        ("hwat", "what", 1),
        ("wht", "what", 1),
        ("whaat", "what", 1),
        ("whst", "what", 1),
        ("taht", "what", 2),
        ("", "what", 4),
        ("what", "", 4),
    ],
)
def test_a_slip_of_the_fingers_is_one_step(one, other, steps):
    """One step leaves out, adds or replaces a letter, or swaps two; `distance` is symmetric."""
    assert distance(one, other) == distance(other, one) == steps


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Hwat now?", ["what", "now"]),
        ("what's the score, please", ["what", "is", "score"]),
        ("I can’t go!", ["i", "can", "not", "go"]),
        ("¿Quién va ganando?", ["quien", "va", "ganando"]),
        ("is Ada’s train open", ["is", "NAME", "train", "open"]),
        ("is adas train open", ["is", "NAME", "train", "open"]),
        ("does 9-4 fit", ["does", "TILE", "fit"]),
        ("how many 5 are left", ["how", "many", "NUMBER", "are", "left"]),
        ("starting", ["start"]),
        ("ok", ["ok"]),
        ("ok what now", ["what", "now"]),
        ("hut", ["hut"]),
        ("", []),
    ],
)
def test_the_words_of_a_line_are_as_keywords_are_written(line, words):
    """Signs, accents and courtesies are left out, and contractions are written out.

    Typos are mended, and tiles, numbers and players' names become placeholders.
    """
    assert asked_words(line, ["Ada"]) == words


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("did i win", Topic.SCORE),
        ("how do i win", Topic.GOAL),
        ("start", Topic.NOW),
        ("start over", Topic.LEAVE),
        ("how are you", Topic.TALK),
        ("how long is your train ride home tonight", Topic.TALK),
        ("what about it", None),
        ("", None),
        ("?", None),
    ],
)
def test_a_longer_keyword_counts_in_place_of_the_words_in_it(line, topic):
    """A keyword inside a longer one does not count; an unclear line has no topic."""
    assert topic_asked(line) is topic


def test_a_paste_is_no_question():
    """A line of more than thirty words is not read as a question: that would take seconds."""
    assert topic_asked("what is my score " * 7) is Topic.SCORE
    assert topic_asked("what is my score " * 8) is None


def test_a_lone_word_with_a_typo_is_no_question():
    """A lone misspelt word is not a question, so that the nearest command can be suggested."""
    assert topic_asked("score") is Topic.SCORE
    assert topic_asked("scroe") is None


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("can i play 8-2 on the mexican train", "8-2 on the mexican train"),
        ("can i play 8-2 there", "8-2"),
        ("may I pass", "pass"),
        ("does 9-4 fit", "9-4"),
        ("9-4", ""),
        ("play 9-4", ""),
        ("can i put 3-3 down and cover it", ""),
        ("is 9-4 a good move", ""),
        ("can i", ""),
    ],
)
def test_a_question_whether_a_move_may_be_made_has_the_move_in_it(line, move):
    """A question that only asks whether a move is allowed yields the move; others yield none."""
    assert " ".join(move_asked(line)) == move


def test_the_table_is_written_as_lines_are_read():
    """No keyword is repeated within a topic, and none has an accent or a contraction.

    No keyword contains a word of `LEFT_OUT`, unless it is that word alone, and neither
    `GRAMMAR` nor `ASKING` contains one.
    """
    for topic, by_weight in KEYWORDS.items():
        phrases = [phrase for phrases in by_weight.values() for phrase in phrases.split(", ")]
        assert len(phrases) == len(set(phrases)), topic
        for phrase in phrases:
            words = [word for word in phrase.split() if word.islower()]
            assert [folded(word) for word in words] == words, phrase
            assert not LEFT_OUT.intersection(words) or phrase in LEFT_OUT, phrase
            assert not CONTRACTIONS.keys() & set(words), phrase
    assert not GRAMMAR & LEFT_OUT
    assert not ASKING & LEFT_OUT
