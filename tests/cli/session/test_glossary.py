"""Questions about the meaning of a word or a sign, as newcomers ask them at the table."""

import pytest

from cli.language import ENGLISH, speak
from cli.learn.happenings import legend
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS
from cli.session.verbs.glossary import WhatIs
from cli.session.verbs.reading import parse
from cli.session.verbs.table import HELP, find_verb, help_lines, names_command
from cli.session.verbs.verb import TableVerb
from cli.visible import folded
from cli.wording.glossary import EXPLAINED, SIGNS, term_named
from tests.cli.scenes import scene_written, written
from tests.cli.session.test_understood import TURN, typed

MARKER = "A marker on a train shows that it is open to all: "
PLAN = "A plan is a row of tiles for your turns to come: "


@pytest.fixture
def _spanish():
    speak("es")
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("what is a marker", MARKER),
        ("What is a marker?", MARKER),
        ("what are markers?", MARKER),
        ("whats a marker", MARKER),
        ("what’s the marker ?", MARKER),
        ("what does marker mean?", MARKER),
        ('what does "marker" mean', MARKER),
        ("marker?", MARKER),
        ("help marker", MARKER),
        ("help marker?", MARKER),
        ("? marker", MARKER),
        ("qué es un marcador", MARKER),
        ("¿Que es el marcador?", MARKER),
        ("¿qué significa marcador?", MARKER),
        ("¿marcador?", MARKER),
        ("ayuda marcador", MARKER),
        ("what's the mexican train", "The Mexican train belongs to nobody"),
        ("help mexican train", "The Mexican train belongs to nobody"),
        ("qué es el tren mexicano", "The Mexican train belongs to nobody"),
        ("what is my own train", "Your own train is the one with your name on it: "),
        ("what is an open end?", "End of a train: the number that its next tile needs."),
        ("what is the engine", "The engine, or hub, is the double in the middle"),
        ("qué es la estación", "The engine, or hub, is the double in the middle"),
        ("what does ! mean", "! behind the end of a train: must be covered."),
        ("what does ! mean?", "! behind the end of a train: must be covered."),
        ("¿qué significa !?", "! behind the end of a train: must be covered."),
        ("what is !", "! behind the end of a train: must be covered."),
        ("what is the x", "x behind the end of a train: takes no tile any more."),
        ("what does the + mean?", "+ behind your tile: you can play it."),
        ("what is =", "= in a tile: a double."),
        ("what does n mean", "n behind your tile: new in your hand."),
        ("help >", "> before a train: whose turn it is."),
        ("what is ●", "* before the end of a train: open to all."),
        ("what's *?", "* before the end of a train: open to all."),
        ("what does Has mean", "Has on the board: how many tiles a player holds."),
        ("what is bold", "Bold on the board: new since your turn."),
        ("what is a plan", PLAN),
        ("what is the hand?", "Your hand is the tiles you hold"),
        ("what does draw mean", "To draw is to take a tile from the boneyard"),
        ("what does pass mean", "To pass is to end your turn without a tile"),
    ],
)
async def test_a_question_after_a_word_or_a_sign_gets_its_sentence(line, said):
    """Questions in English and Spanish both get the term's sentence, and play nothing."""
    made, told = await typed(TURN, line)
    assert made == ""
    assert any(each.startswith(said) for each in told), told


@pytest.mark.usefixtures("_spanish")
async def test_the_sentence_is_in_the_language_of_who_asks():
    """A term is explained in the program's language, even if the question is in English."""
    _, told = await typed(TURN, "what is a marker", "qué significa ●")
    assert any(each.startswith("Un marcador en un tren ") for each in told), told
    assert any(each.startswith("* delante de la punta ") for each in told), told


@pytest.mark.parametrize("word", ["draw", "pass", "plan", "hand", "engine", "mano", "robar"])
async def test_help_for_a_word_that_is_a_command_too_is_that_of_the_command(word):
    """If a word is a command and a term, `help` explains the command, and `what is` the term."""
    verb = find_verb(word)
    assert isinstance(verb, TableVerb)
    _, told = await typed(TURN, f"help {word}", f"what is {word}")
    assert any(each.startswith(verb.usage) for each in told), told
    assert isinstance(parse(f"what is {word}"), WhatIs)


@pytest.mark.parametrize("line", ["what is a sausage", "what is", "sausage?", "help fly"])
async def test_any_other_word_is_unknown_as_before(line):
    """A word that the glossary lacks is reported as unknown."""
    _, told = await typed(TURN, line)
    unknown = ("is not a command here", "There is no command fly")
    assert any(each in said for each in unknown for said in told), told


async def test_a_move_or_a_command_with_a_question_mark_is_what_it_was():
    """A question mark after a command does not make it a question about a term.

    `hand?` shows the hand, `draw?` asks whether a draw is legal, and `mexican train?` is read as
    a train to play on.
    """
    _, told = await typed(TURN, "draw?", "mexican train?")
    assert any("so you may not draw or pass." in each for each in told), told
    assert any(each.startswith("That could be 9-0 Mexican or ") for each in told), told
    assert not isinstance(parse("hand?"), WhatIs)


def test_every_term_has_names_of_its_own_that_can_be_asked_for():
    """No two terms share a name, and each name is spelled as it is looked up."""
    names = [name for term in EXPLAINED for name in term.names]
    assert len(names) == len(set(names))
    for name in names:
        assert name == folded(name)
        term = term_named(name)
        assert term is not None
        asked = [parse(f"what is a {name}"), parse(f"¿qué significa {name}?", {"start"})]
        if not names_command(name):
            asked.append(HELP.read(name.split(), "help"))
        assert asked == [WhatIs(term)] * len(asked), name


def test_help_and_a_lesson_say_of_a_sign_what_the_glossary_says():
    """Help explains all signs in the glossary's words; the first lesson explains some of them."""
    canvas = Canvas(1000, 40, ASCII_GLYPHS)
    meant = [sign.meaning for sign in SIGNS]
    helped = written(help_lines(None, canvas, playing=True))
    assert [each for each in meant if f" {each}" not in helped] == []
    assert all(sign.told("*").endswith(f": {sign.meaning}.") for sign in SIGNS)
    lesson = legend(scene_written(TURN, "Root"), canvas, has_board=True)
    head, _, signs = lesson.rstrip(".").partition(": ")
    assert head == "Each row is a train"
    assert {each.partition(" ")[2] for each in signs.split(", ")} < {*meant}
