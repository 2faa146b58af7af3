"""Players can be told apart by name: look-alikes get a number, and scripts are not mixed."""

import subprocess
import sys
import unicodedata

import pytest
from confusable_homoglyphs import confusables
from hypothesis import example, given
from hypothesis import strategies as st

from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.names import NO_NAMES, are_alike, is_taken, of_one_script, skeleton
from netgame.protocol.state.lobby import free_name, member_of
from netgame.protocol.state.phases import Member
from netgame.protocol.text import cells_of, clean_text
from netgame.wire.messages import JoinRequest, PlayedBy
from tests.netgame.protocol.test_text import TRICKS

NAMES = st.one_of(
    TRICKS,
    st.text(alphabet="AaNnIlL10O|m_.-\u2024АаΑΝпЯя漢あア가ㄅ\u0301 ", min_size=1, max_size=20),
)
"""Names as people and liars write them, before they are cleaned."""


def member(name: str) -> Member:
    """Return a member who sits under this name."""
    return Member(name.encode(), name, (), PlayedBy.TERMINAL)


@pytest.mark.parametrize(
    "name",
    ["ann", "ANN", "Аnn", "АNN", "Ａｎｎ", "𝐀nn", "Ann․", "Ann_", "_Ann", "A.nn", "Ann…", "Annǃ"],
)
def test_whoever_looks_like_ann_gets_a_number(name):
    """A name that looks like Ann gets a number, whatever its script, case or added signs."""
    assert are_alike(name, "Ann")
    shown = free_name([member("Ann")], name)
    assert shown.endswith("-2")
    assert shown not in ("Ann", name)
    assert not are_alike(shown, "Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Änn"),
        ("Zoe", "Zoë"),
        ("Ann", "Anna"),
        ("Ian", "Lan"),
        ("Ann-2", "Ann-3"),
        ("Ann", "Ann🙂"),
        ("山田", "山本"),
        ("김철수", "김철호"),
        ("Анна", "Инна"),
        ("Ann-1", "Ann-10"),
    ],
)
def test_names_that_differ_are_left_alone(one, other):
    """Names that differ by an accent, a letter, or a capital I for a capital L are left alone."""
    assert not are_alike(one, other)
    assert free_name([member(one)], other) == other


def test_a_look_alike_is_told_whatever_its_case():
    """Look-alikes are recognised in either case: a capital I looks like a small l."""
    assert are_alike("Ian", "lan")
    assert are_alike("IAN", "ian")
    assert are_alike("Вen", "ben")
    assert are_alike("Flo", "F10")
    assert are_alike("Morn", "Mom")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((each, each) for each in ("さくら", "サクラちゃん", "山田太郎", "김철수", "ㄅㄆ王")),
        *((each, each) for each in ("DJ山田", "Женя", "Ёлка", "Ελένη", "محمد", "Zoë", "O'Neil")),
        ("Аnn", "Ann"),
        ("Aнна", "нна"),
        ("Ωmega", "mega"),
        ("DJ Вася", "Вася"),
        ("Ann٠", "Ann."),
        ("Ann Я\u0301 B", "Ann_B"),
        ("Ann А\u0301 B", "Ann_A_B"),
        ("Aあ가", "Aあ"),
    ],
)
def test_a_name_keeps_to_one_script(name, shown):
    """A name keeps to one script, or to scripts that are commonly written together.

    A letter of another script is replaced by one that looks like it, or dropped; its combining
    marks are dropped.
    """
    assert free_name([], name) == shown


@pytest.mark.parametrize("word", [*sorted(NO_NAMES), "Nobody", "YOU", "tаble", "m."])
def test_words_that_mean_something_else_are_no_names(word):
    """A word that means something else to the program is not accepted as a name.

    This holds in English and in Spanish, and in any spelling.
    """
    shown = free_name([], word)
    assert shown.casefold() not in NO_NAMES
    assert not is_taken(shown, [])


def test_nobody_is_called_nothing():
    """A request whose name is empty once it is cleaned gets the name `player`."""
    request = JoinRequest(bytes(64), 0, b"key", "\u200b", (), PlayedBy.TERMINAL)
    assert member_of([], request).name == "player"
    assert member_of([member("Player")], request).name == "player-2"


@given(NAMES, st.lists(NAMES, max_size=5))
@example("_\u0300\u0370A", [])
def test_every_name_has_a_shape_that_is_free(name, others):
    """Every name gets a free form: clean, without spaces, and unlike all others.

    Cleaning this form again changes nothing. The other members' names are formed in the same
    way.
    """
    sit: list[Member] = []
    for each in (*others, name):
        asked = clean_text(each, NAME_CELLS_MAX, "player")
        shown = free_name(sit, asked)
        assert shown
        assert " " not in shown
        assert not is_taken(shown, [each.name for each in sit])
        assert of_one_script(shown) == shown
        assert cells_of(shown) <= NAME_CELLS_MAX + len("-99")
        assert clean_text(shown, 2 * NAME_CELLS_MAX) == shown
        sit.append(member(shown))


@given(NAMES)
def test_a_name_is_like_itself_in_any_shape(name):
    """A name looks like itself in lower case and in NFD, and its skeleton is stable."""
    clean = clean_text(name, NAME_CELLS_MAX, "player")
    assert are_alike(clean, clean.casefold())
    assert are_alike(clean, unicodedata.normalize("NFD", clean))
    assert skeleton(skeleton(clean)) == skeleton(clean)


def _compatible(text: str) -> bool:
    return unicodedata.normalize("NFKD", text) == text


def test_every_row_of_unicodes_table_is_kept():
    """The two sides of each row of Unicode's table have the same skeleton, if both are in NFKD.

    Rows with signs that names leave out are skipped.
    """
    rows = 0
    for one, beside in confusables.confusables_data.items():
        for other in (each["c"] for each in beside):
            pair = [text.replace("\u200e", "") for text in (one, other)]
            if all(map(_compatible, pair)) and not {"%", '"'}.intersection(pair):
                rows += 1
                assert skeleton(pair[0]) == skeleton(pair[1]), pair
    assert rows > 5000


def test_a_table_of_plain_names_never_loads_the_library():
    """A table of plain names never loads the library of confusables, even at the program's start.

    Loading it takes longer than handling all the names of a game.
    """
    code = (
        "import sys, cli.__main__, netgame.io.tables.host\n"
        "from netgame.protocol.state.lobby import free_name\n"
        "assert free_name([], 'Ann B') == 'Ann_B'\n"
        "sys.exit('confusable_homoglyphs' in sys.modules)"
    )
    assert subprocess.run((sys.executable, "-c", code), check=False).returncode == 0
