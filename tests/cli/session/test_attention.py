"""How a terminal gets its player's attention: when, with which codes, and as configured."""

from dataclasses import replace

import pytest

from cli.scene import LobbyScene, forced_move
from cli.screens.attention import Attention, Calls, notice_codes, takes_titles, title_text
from cli.session.frontend import NoticeShown, TableShown
from cli.settings.declared import Bell
from netgame.protocol import notices
from tests.cli.fakes import view_of
from tests.cli.scenes import scene_after, some_scenes

XTERM = {"TERM": "xterm-256color"}
KITTY = {"TERM": "xterm-kitty"}
FOOT = {"TERM": "foot"}
TURN = scene_after(12, 4, 43)
LATER = scene_after(12, 4, 47)
CHAT = NoticeShown(notices.ChatHeard("Ben", "hello"), "Ben: hello")


class Called:
    """A fake terminal that records the codes it is sent, with a clock that the test sets."""

    def __init__(self, environment=XTERM, **calls):
        self.codes = []
        self.time = 100.0
        self.attention = Attention(
            self.codes.append, environment, lambda: self.time, Calls(**calls)
        )


@pytest.mark.parametrize(("bell", "rings"), [(Bell.OFF, 0), (Bell.TURN, 2), (Bell.ALL, 3)])
def test_the_bell_rings_as_it_is_set_and_once_for_a_turn(bell, rings):
    """The bell rings on the occasions that its setting names.

    A turn that is shown again does not ring again.
    """
    called = Called(bell=bell)
    for occasion in (TableShown(TURN), TableShown(TURN), CHAT, TableShown(LATER)):
        called.attention.take(occasion)
    assert called.codes == ["\a"] * rings


def test_what_one_has_just_typed_rings_no_bell():
    """Chat right after a key press rings no bell, because it may be the player's own."""
    called = Called(bell=Bell.ALL)
    called.attention.key_pressed()
    called.attention.take(CHAT)
    assert called.codes == []
    called.time += 1
    called.attention.take(CHAT)
    assert called.codes == ["\a"]


def test_a_notice_is_for_somebody_who_is_not_there():
    """A desktop notice is sent only if notices are on and no key was pressed for ten seconds."""
    called = Called(KITTY, bell=Bell.OFF)
    called.attention.key_pressed()
    called.time += 9
    called.attention.take(TableShown(TURN))
    assert called.codes == []
    called.time += 1
    called.attention.take(TableShown(LATER))
    assert called.codes == ["\x1b]9;Boneyard: your turn\x1b\\"]
    called = Called(KITTY, bell=Bell.OFF, notice=False)
    called.attention.take(TableShown(TURN))
    assert called.codes == []


@pytest.mark.parametrize(
    ("environment", "codes"),
    [
        (KITTY, "\x1b]9;Boneyard: x\x1b\\"),
        (XTERM | {"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;Boneyard: x\x1b\\"),
        (FOOT, "\x1b]777;notify;Boneyard;x\x1b\\"),
        (XTERM | {"VTE_VERSION": "7600"}, "\x1b]777;notify;Boneyard;x\x1b\\"),
        (XTERM, ""),
        (KITTY | {"TMUX": "/run/tmux"}, ""),
        ({"TERM": "linux"}, ""),
        ({}, ""),
    ],
)
def test_a_notice_is_in_words_the_terminal_knows(environment, codes):
    """A terminal is sent a notice only in codes that it is known to understand."""
    assert notice_codes(environment, "x") == codes


def test_the_title_says_whose_turn_and_comes_back():
    """The title is set when it changes, and the old title is restored once, at the end."""
    called = Called()
    theirs = replace(TURN, can_move=False, host="Ben")
    for place in (None, theirs, theirs, TURN):
        called.attention.place_is(place)
    called.attention.end()
    called.attention.end()
    assert called.codes == [
        "\x1b[22;2t\x1b]2;Boneyard: Ben's table\x1b\\",
        "\x1b]2;Boneyard: your turn\x1b\\",
        "\x1b]2;\x1b\\\x1b[23;2t",
    ]


def test_no_title_where_there_is_none_or_nobody_wants_it():
    """No title is set on a console, which would print the codes, or if titles are turned off."""
    for called in (Called({"TERM": "linux"}), Called(title=False)):
        called.attention.place_is(TURN)
        called.attention.end()
        assert called.codes == []
    assert not takes_titles({})
    assert takes_titles({"TERM": "tmux-256color"})


def test_a_turn_with_nothing_to_choose_is_none():
    """A turn whose move the program makes is not announced in the title."""
    forced = [scene for scene in some_scenes() if forced_move(scene) is not None]
    assert forced
    assert {title_text(scene) for scene in forced} == {"Boneyard"}


def test_a_name_orders_a_terminal_nothing():
    """Control characters in others' names never get into a title."""
    bad = "Eve\x07\x1b]2;gone\x1b\\\x9c\u202e"
    view = view_of(TURN)
    host = replace(view.seats[0], name=bad)
    lobby = LobbyScene(replace(view, seats=(host,), host_key=host.key, table=None), b"")
    for place in (replace(TURN, can_move=False, host=bad), lobby):
        assert title_text(place).isprintable()
        assert "Eve" in title_text(place)
