"""Languages: choosing one, catalogues, typed words and sentences."""

import errno
import gettext
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from msgspec.structs import replace

from cli import visible
from cli.exits import sentence_about
from cli.input.readers import UsageError
from cli.language import ENGLISH, joined, language_of, means_yes, say, say_count, say_to, speak
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS, find_verb, help_lines, is_no_name
from cli.wording.moves import move_text
from cli.wording.notices import notice_text
from docs.make_catalogues import brought_up_to_date, faults, files
from engine.table import moves
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from netgame.errors import Refused
from netgame.io.discovery.advert import why_silent
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import trouble_of
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.saying import saying
from tests.cli.running import complaint
from tests.cli.scenes import scene_after, written


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_MX.UTF-8"}, "es"),
        ({"LANG": "es_MX.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "fi:es:en", "LANG": "C"}, "es"),
        ({"LANG": "xx/../../etc"}, "en"),
    ],
)
def test_the_program_speaks_what_the_system_speaks(environment, language):
    """The language is the first known one in the first variable that is set, else English."""
    assert language_of(environment) == language


def test_the_catalogues_are_of_the_sentences_of_today():
    """Both files of the Spanish catalogue are up to date with the program's sentences."""
    for path, octets in files(brought_up_to_date("es"), "es").items():
        assert path.read_bytes() == octets


FALSE_FRIENDS = (
    "se revisan entre sí",
    "probaron",
    "se prueba",
    "probado",
    "no se lo prueba",
    "Sal;",
    "contada",
    "Tab jugar",
)
"""Mistranslations to avoid: they say frisked, tasted, salt, told as a tale, and "play!"."""


def test_spanish_says_what_english_means():
    """No translation contains a false friend, and `default` is not translated as "normal"."""
    spanish = brought_up_to_date("es")
    said = {str(each.id): str(each.string) for each in spanish if each.id}
    assert {
        key: text for key, text in said.items() if any(one in text for one in FALSE_FRIENDS)
    } == {}
    assert said["default"] != "normal"


@pytest.mark.parametrize("typed", ["por qué", "Por que", "porque", "porqué"])
def test_why_is_asked_in_spanish_in_one_word_or_two(typed):
    """Each way of writing `por qué` means `why`."""
    assert parse(typed) == parse("why")
    assert parse(f"{typed} 9-4 ben") == parse("why 9-4 ben")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ayuda", "help"),
        ("pista", "hint"),
        ("robar", "draw"),
        ("pasar", "pass"),
        ("puntos", "score"),
        ("quién", "who"),
        ("quien", "who"),
    ],
)
def test_commands_are_known_in_spanish_too(typed, meant):
    """Spanish commands work in English too, unabbreviated, and cannot be used as names.

    Capitals and missing accents make no difference.
    """
    assert parse(typed) == parse(meant)
    assert parse(typed.upper()) == parse(meant)
    assert isinstance(parse(typed[:-1]), UsageError)
    assert is_no_name(typed)


@pytest.mark.parametrize("words", [("learn", "x"), ("learn", "9"), ("solve", "1-2", "--by", "x")])
def test_an_argument_that_is_no_choice_is_refused_in_spanish(words):
    """The refusal names the choices in Spanish, without argparse's English words."""
    told = complaint(*words, BONEYARD_LANGUAGE="es")
    assert "solo una de estas palabras: " in told
    assert "invalid" not in told


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pist", "hint"),
        ("tabl", "board"),
        ("punt", "score"),
        ("revie", "review"),
        ("PROBAB", "odds"),
    ],
)
def test_the_beginning_of_a_command_will_do_in_spanish_too(typed, meant):
    """In Spanish, the commands of both languages may be abbreviated.

    An ambiguous abbreviation is refused, with the commands that it may mean.
    """
    assert parse(typed) == parse(meant)
    found = parse("re")
    assert isinstance(found, UsageError)
    assert "repasar" in found.hint
    assert "reglas" in found.hint


@pytest.mark.usefixtures("spanish")
def test_sentences_name_commands_in_spanish():
    """A Spanish sentence that suggests a command names one that the program understands."""
    for text, words in {
        "Type why for the rule.": ("por qué",),
        "Another game with the same company? Type again, score, rules or quit.": (
            "otra",
            "puntos",
            "reglas",
            "salir",
        ),
        "type hint or hint train": ("pista", "pista tren"),
        "You can vote on {names}: type without {words}": ("sin ben",),
    }.items():
        told = say(text, names="Ben", words="ben")
        assert all(f" {word}" in told for word in words), told
        assert not any(isinstance(parse(word), UsageError) for word in words)


@pytest.mark.usefixtures("spanish")
def test_tab_and_help_name_spanish_verbs_which_are_known():
    """In Spanish, Tab and help show Spanish verbs, and English ones are understood too."""
    scene = scene_after(9, 4, 30)
    offered = {each.text: each for each in complete("", scene)}
    for verb in VERBS:
        assert find_verb(verb.called) is verb
        assert verb.usage.startswith(verb.called)
        assert verb.word not in offered or not verb.spanish
    assert {"por qué", "tablero", "ayuda", "plan"} <= set(offered)
    assert complete("por qué ", scene) == complete("why ", scene) != ()
    helped = written(help_lines("help", Canvas(80, 24, ASCII_GLYPHS), playing=True))
    assert "ayuda; ayuda play" in helped
    assert parse("ayuda por qué") == parse("help por qué") != parse("help por")


SEAT, FIRST = Seat(0), Position(0)
MADE = (
    *(kind(SEAT) for kind in get_args(moves.WordMove) if kind is not moves.Quiet),
    moves.Mark(SEAT, up=True),
    moves.Mark(SEAT, up=False),
    moves.Catch(SEAT, Seat(1)),
    moves.LayHub(SEAT, FIRST, Tile(9, 9)),
    moves.Declare(SEAT, FIRST, Tile(9, 9)),
    moves.Show(SEAT, FIRST, Tile(9, 8)),
    moves.TurnUp(SEAT, FIRST),
    moves.Discard(SEAT, FIRST),
)


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("move", MADE, ids=lambda move: type(move).__name__)
def test_a_move_is_named_by_the_verb_that_tab_offers(move):
    """The Spanish text of a move begins with its command as Tab offers it, and can be typed."""
    scene = scene_after(9, 4, 30)
    position = scene.hand.tiles[0][0]
    move = replace(move, position=position) if isinstance(move, moves.Discard) else move
    typed = move_text(scene, move)
    verb = find_verb(typed.split()[0])
    assert type(move) in verb.makes
    assert typed.split()[0] == verb.called != verb.word
    assert not isinstance(parse(typed), UsageError)


def test_every_spanish_name_means_one_command_and_none_is_english():
    """No two commands share a name, even without accents; only three have no Spanish name.

    No Spanish name is an English one.
    """
    english = {word: each for each in VERBS for word in (each.word, *each.short)}
    spanish = [(word, each) for each in VERBS for word in each.spanish]
    assert english.keys().isdisjoint(word for word, _ in spanish)
    meant = dict(english)
    for word, each in spanish:
        assert meant.setdefault(visible.folded(word), each) is each, word
    assert {each.word for each in VERBS if not each.spanish} == {"bullet", "bots", "plan"}


def test_yes_is_understood_in_both_languages():
    """A yes may be just its first letter, or lack its accent; in Spanish, English works too."""
    assert [word for word in ("y", "yes", "s", "si", "sí", "") if means_yes(word)] == ["y", "yes"]
    spanish = gettext.NullTranslations()
    spanish.gettext = {"yes": "sí"}.get
    speak("es", spanish)
    try:
        assert all(map(means_yes, ("y", "yes", "s", "si", "sí")))
        assert not any(map(means_yes, ("", "n", "no", "score")))
    finally:
        speak(ENGLISH)


def test_every_sentence_is_translated_and_can_be_said():
    """The Spanish catalogue has no faults.

    An unknown fact counts as a fault, and so does a stray brace or `%`.
    """
    assert [*faults(brought_up_to_date("es"))] == []
    for text, count in {"{name} pasó.": 0, "{who} pasó.": 1, "{name pasó.": 1, "100 %": 1}.items():
        catalogue = Catalog(locale="es")
        catalogue.add("{name} passed.", text)
        assert len([*faults(catalogue)]) == count


def test_trouble_with_the_computer_is_spanish_to_its_last_fact(tmp_path):
    """A full disk, a changed key and a silent network are described in Spanish, with reasons."""
    full = trouble_of(OSError(errno.ENOSPC, "lleno"), "write", tmp_path / "record")
    known = KnownPeers(tmp_path)
    known.meet("Ben", "192.168.1.7:4747", b"\x01" * 32, today="2026-01-02")
    changed = known.warning("Ben", "192.168.1.7:4747", b"\x02" * 32)
    silent = saying("Nothing ({reason}).", reason=why_silent(RuntimeError()))
    speak("es")
    try:
        waits, warned, unheard = (
            notice_text(None, Trouble(kind, (fact,)))
            for kind, fact in (
                (TroubleKind.DISK_FULL, full.said),
                (TroubleKind.OF_COMPUTER, changed),
                (TroubleKind.OF_COMPUTER, silent),
            )
        )
    finally:
        speak(ENGLISH)
    assert f"no se puede escribir {tmp_path / 'record'}: lleno" in waits
    assert warned.startswith("AVISO: Ben, en 192.168.1.7:4747, muestra una clave distinta")
    assert unheard == "Nothing (este ordenador no tiene ninguna interfaz de red activa)."


@pytest.mark.usefixtures("strict")
def test_a_sentence_is_looked_up_with_its_facts():
    """Facts are filled in after the look-up, so no name is ever translated.

    A sentence that is in no catalogue raises AssertionError in the test language.
    """
    assert say("{name} wins the game.", name="{x}") == "⟦{x} wins the game.⟧"
    assert say_count("1 tile", "{count} tiles", 3) == "⟦3 tiles⟧"
    assert say_to(True, "{names} share the game.", names="A") == "⟦A share the game.⟧"
    assert joined(["A", "B", "C"]) == "⟦A, B and C⟧"
    with pytest.raises(AssertionError, match="in no catalogue"):
        say("nothing that is said")


def test_what_others_have_written_is_said_as_it_is():
    """Braces in others' texts are kept, because only the program's own texts have facts."""
    assert sentence_about(Refused("no-table", "{x} is full")) == "{x} is full."
