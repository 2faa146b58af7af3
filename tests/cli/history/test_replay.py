"""Replaying a recorded game: its frames, its keys and commands, and what is drawn."""

import json
from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

from cli.history.film import film_of
from cli.history.viewing import BEGINS, HELP, KEYS, Viewing, answered, view_lines
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS
from cli.screens.overlay import Overlay
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.log.entry import whole_frames
from tests.cli.running import complaint, printed

WIDE = Canvas(80, 40, ASCII_GLYPHS)
NARROW = Canvas(40, 20, ASCII_GLYPHS)


@pytest.fixture
def view(record):
    """Return a replay at its first frame."""
    return Viewing(film_of(record.read_bytes()))


def test_a_film_has_every_move_and_the_end_of_each_round(view):
    """Each round ends with a frame that has no mover, and every frame knows every tile held."""
    ends = [frame for frame in view.frames if frame.mover < 0]
    assert [len(frame.scene.table.past) for frame in ends] == [1, 2]
    assert [frame.round_number for frame in ends] == [1, 2]
    for frame in view.frames:
        held = {at for hand in frame.scene.table.hands for at in hand}
        assert held <= frame.tiles.keys()
    assert "is dealt" in view.frames[0].text


def test_a_game_without_a_move_is_said_where_moves_go_line_by_line(record, tmp_path):
    """For a record without a move, `replay` says that nobody has moved yet, and exits with 1."""
    path = tmp_path / "begun"
    path.write_bytes(whole_frames(record.read_bytes()[:2000]))
    assert complaint("replay", path, code=1) == "Nobody has moved yet in this game.\n"


def test_a_replay_is_told_to_programs_as_a_table_is(record):
    """`replay --json` prints numbered objects: each round's deal and scores, and every move.

    Each object after the first has a step, and the steps never go back.
    """
    told = [json.loads(line) for line in printed("replay", record, "--json").splitlines()]
    assert [each["seq"] for each in told] == [*range(1, len(told) + 1)]
    kinds = [each["type"] for each in told]
    assert kinds[:4] == ["hello", "dealt", "table", "played"]
    assert kinds[-2:] == ["game-over", "scores"]
    assert (kinds.count("dealt"), kinds.count("scores")) == (2, 2)
    moves = sum(each.mover >= 0 for each in film_of(record.read_bytes()))
    assert kinds.count("played") == moves
    steps = [each["step"] for each in told[1:]]
    assert steps == sorted(steps)
    assert len(told[-1]["rounds"]) == 2


def test_keys_and_words_go_where_they_say(view):
    """Keys and words move the replay by move, turn, round or name, but never beyond either end."""
    frames = view.frames
    last = len(frames) - 1
    end, second, turned = (answered(view, line) for line in ("last", "g 2", "turn"))
    name = frames[turned.at].scene.names[frames[turned.at].mover]
    for seen, line, at in (
        (view, "back", 0),
        (view, "", 1),
        (view, "next", 1),
        (end, "next", last),
        (view, "round", second.at),
        (end, "round back", second.at),
        (second, "round back", 0),
        (turned, "turn back", 0),
        (view, f"/{name[:2]}", turned.at),
    ):
        assert answered(seen, line).at == at, line
    assert end.at == last
    assert [frames[second.at + step].round_number for step in (-1, 0)] == [1, 2]
    scenes = (replace(each.scene, names=("Pía",) * 3) for each in frames)
    named = [structs.replace(each, scene=scene) for each, scene in zip(frames, scenes, strict=True)]
    assert not answered(Viewing(named), "/pia").said
    assert answered(view, "q") is None
    assert set(KEYS.values()) >= {"next", "back", "turn", "round", "play", "h"}


def test_the_picture_is_drawn_for_the_window_as_it_is_now(view):
    """A picture in the overlay is drawn anew for each size of the window, until it is removed."""
    above = Overlay(lambda: None)
    above.draw(partial(view_lines, view), KEYS)
    assert above.lines(WIDE) == view_lines(view, WIDE)
    assert above.lines(NARROW) == view_lines(view, NARROW)
    above.draw(None, {})
    assert not above.stands


def test_what_cannot_be_is_said_and_nothing_moves(view):
    """An impossible number, name or word gets an answer, and the replay stays where it is."""
    for line, told in (
        ("g 999", "There is no round 999"),
        ("999", "There is no move 999 here; the last one is "),
        ("0", "There is no move 0 here"),
        (f"g {'9' * 5}", "There is no round 99999"),
        ("g 9\u00b2", "There is no g 9"),
        ("/xyz", "Nobody"),
        ("dance", HELP),
    ):
        after = answered(view, line)
        assert (after.at, told in after.said) == (0, True)


def test_it_plays_by_itself_to_the_end(view):
    """A replay that plays by itself stops at its last frame, or when a step is made by hand.

    `faster` and `slower` change the pause between frames.
    """
    playing = answered(view, "play")
    assert playing.plays
    assert (
        answered(playing, "faster").pause_s < playing.pause_s < answered(playing, "slower").pause_s
    )
    assert not answered(playing, "next").plays
    for _ in view.frames:
        playing = playing.moved_on()
    assert (playing.at, playing.plays) == (len(view.frames) - 1, False)


def test_a_record_whose_proofs_do_not_hold_is_not_shown(record):
    """A record with a changed octet is refused as a bad record."""
    broken = bytearray(record.read_bytes())
    broken[len(broken) // 2] ^= 1
    with pytest.raises(BadRecord):
        film_of(bytes(broken))


@pytest.mark.parametrize(
    ("line", "at"),
    [("4", 3), ("m 4", 3), ("move 4", 3), ("g 4", 3), ("end", -1), ("e", -1), ("start", 0)],
)
def test_a_move_is_gone_to_by_its_number(view, line, at):
    """A number leads to the move with that number, and `end` and `start` to the last and first.

    In a game of two rounds `g 4` means move 4, because there is no round 4.
    """
    seen = answered(structs.replace(view, at=1), line)
    assert (seen.at, seen.said) == (at % len(view.frames), "")


def test_a_line_begins_with_any_sign_that_is_no_key():
    """A character with which a typed command begins is never a key of its own."""
    assert {
        line[0] for line in ("50", "end", "g 3", "m 3", "start", "/ben", "next", "turn back")
    } <= set(BEGINS)
    assert not set(KEYS) & set(BEGINS)
