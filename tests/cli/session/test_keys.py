"""Single keys at a pseudo-terminal: what Esc, F1, q, Ctrl-C and unknown keys do."""

import time

from tests.cli.players import free_port
from tests.cli.session.test_terminal import left, opened, set_up

ESC, F1, F2, CTRL_C, CTRL_R = "\x1b", "\x1bOP", "\x1bOQ", "\x03", "\x12"
_APART_S = 0.3
"""The pause between two keys of a person, in seconds.

It is longer than the octets of one terminal code take, and shorter than the second that
prompt-toolkit waits.
"""


def type_apart(game, *keys: str) -> None:
    """Type keys one after the other, with pauses in between, as a person does."""
    for key in keys:
        game.send(key)
        wait = time.monotonic() + _APART_S
        while time.monotonic() < wait:
            game.read()


def test_the_letter_after_esc_on_an_empty_line_is_typed(start):
    """On an empty line, Esc and a letter right after it are not read as an Alt key."""
    game = opened(start, "--seed", "1", pips=9, bots=3)
    type_apart(game, ESC, "b")
    game.send("oard")
    game.wait_until(lambda: game.prompts("board"))
    game.send(ESC)
    game.wait_until(game.prompts)
    game.send(f"{ESC}board")  # at once
    game.wait_until(lambda: game.prompts("board"))
    game.send("\r")
    game.wait_until(lambda: game.shows("Every train is in sight"))
    type_apart(game, ESC, ESC, "c")
    game.wait_until(lambda: game.prompts("c") and not game.shows("Esc closes"))
    game.send(ESC)
    game.wait_until(game.prompts)
    left(game)


def test_esc_says_no_to_a_question(start):
    """Esc answers no to the question about leaving, and a second Esc does nothing."""
    game = opened(start)
    game.send("quit\r")
    game.wait_until(lambda: game.shows("Type quit again"))
    type_apart(game, ESC, ESC)
    game.wait_for("You stay")
    game.wait_until(lambda: game.prompts() and not game.shows("Type quit again"))
    assert not game.has("is not a command here")
    left(game)


def test_esc_stops_a_move_that_is_held(start, tmp_path):
    """Esc stops a held move, as `back` does."""
    set_up(tmp_path, "grace = 9.0\n")
    game = opened(start)
    game.send("1\r")
    game.wait_for_prompt("Type back to stop it")
    game.send(ESC)
    game.wait_until(lambda: game.shows("Stopped: nothing is played") and game.prompts())
    assert not game.has("You played")
    left(game)


def test_esc_goes_back_in_every_menu_and_leaves_none_that_is_the_first(start):
    """Esc leaves practice, hosting, rules and the demo; in the first menu it does nothing."""
    menu = start()
    menu.wait_for_prompt("1 Play here against bots")
    menu.send(ESC)
    for row, inside in (
        ("1", "How well they play"),
        ("2", "Enter opens a table"),
        ("6", "How to play"),
        ("4", "How shall"),
    ):
        menu.send(f"{row}\r")
        menu.wait_until(lambda text=inside: menu.shows(text) and not menu.shows("7 Quit"))
        menu.send(ESC)
        menu.wait_until(lambda: menu.shows("7 Quit") and menu.prompts())
    menu.send("quit\r")
    assert menu.exit_code() == 0


def test_a_menu_has_its_place_in_a_small_window(start):
    """In a small window, the rows of a menu scroll to the chosen one."""
    menu = start(columns=30, rows=10)
    menu.wait_until(lambda: menu.shows("> 1 Play here") and menu.prompts())
    menu.send("\x1b[A")  # up, round the end
    menu.wait_until(lambda: menu.shows("> 7 Quit") and not menu.shows("1 Play here"))
    menu.send("\r")
    assert menu.exit_code() == 0


def test_esc_at_the_question_to_sit_down_goes_away_again(start):
    """Esc at the question to sit down means no, and leaves the lobby."""
    port = free_port()
    host = start("host", "--open", "--port", port)
    host.wait_for_prompt("Type start")
    guest = start("join", f"127.0.0.1:{port}", name="Bob")
    guest.wait_for_prompt("Sit down")
    guest.send(ESC)
    assert guest.exit_code() == 0
    assert not host.has("Bob sits down")


def test_esc_at_the_question_for_a_join_code_goes_away_again(start):
    """Esc at the question for a join code leaves, as `quit` does."""
    port = free_port()
    host = start("host", "--port", port)
    host.wait_for_prompt("Type start")
    guest = start("join", f"127.0.0.1:{port}", name="Bob")
    guest.wait_for_prompt("type it, or quit")
    guest.send(ESC)
    assert guest.exit_code() == 4
    assert guest.has("You have not joined that table")


def test_f1_and_f2_close_what_they_have_opened(start):
    """F1 and F2 each close the answer that they opened, or replace the other's."""
    game = opened(start, "--seed", "1", pips=9, bots=3)
    for key, opens in ((F1, "play TILE"), (F2, "Every train is in sight"), (F1, "play TILE")):
        game.send(key)
        game.wait_until(lambda text=opens: game.shows(text))
        game.send(key)
        game.wait_until(lambda text=opens: not game.shows(text) and not game.shows("Esc closes"))
    game.send(F1)
    game.wait_until(lambda: game.shows("play TILE"))
    game.send(F2)  # another key opens its own answer
    game.wait_until(lambda: game.shows("Every train is in sight") and not game.shows("play TILE"))
    left(game)


def test_q_closes_an_answer_as_in_a_pager(start):
    """`q` closes an answer, but can still begin `quit`; Enter right after `q` plays nothing."""
    game = opened(start, "--seed", "1", pips=9, bots=3)
    for behind in ("", "\r"):
        game.send(F1)
        game.wait_until(lambda: game.shows("play TILE"))
        game.send(f"q{behind}")
        game.wait_until(lambda: not game.shows("Esc closes") and game.prompts())
    assert not game.has("You played")
    assert not game.has("Type quit again")
    game.send(F1)
    game.wait_until(lambda: game.shows("play TILE"))
    type_apart(game, "q", "u")
    game.wait_until(lambda: game.prompts("qu"))
    game.send("it\r")
    game.wait_for("Type quit again")
    game.send("y\r")
    assert game.exit_code() == 0


def test_ctrl_c_leaves_a_search_in_the_history(start):
    """Ctrl-C in a search of the history ends the search, and does not ask about leaving."""
    game = opened(start)
    game.send("who\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    game.send(ESC)
    game.wait_until(game.prompts)
    game.send(f"{CTRL_R}wh")
    game.wait_until(lambda: game.shows("reverse-i-search"))
    game.send(CTRL_C)
    game.wait_until(lambda: game.prompts() and not game.shows("reverse-i-search"))
    assert not game.has("Ctrl-C once more")
    left(game)


def test_keys_that_mean_nothing_in_a_replay_are_ignored(start, record):
    """A replay ignores unknown keys. Esc closes what is open, or leaves if nothing is."""
    replay = start("replay", str(record))
    replay.wait_for("Move 1 of")
    replay.send("jxz\x1b[C")  # right
    replay.wait_for("Move 2 of")
    assert replay.prompts()
    for key in ("?", F1):
        replay.send(key)
        replay.wait_until(lambda: replay.shows("g 3 to round 3"))
        replay.send(key)
        replay.wait_until(lambda: not replay.shows("g 3 to round 3"))
    replay.send("g")
    replay.wait_until(lambda: replay.prompts("g"))
    replay.send(" 2\r")
    replay.wait_for("Round 2/2")
    type_apart(replay, "h", "?")
    replay.wait_until(lambda: replay.shows("g 3 to round 3"))
    replay.send(ESC)
    replay.wait_until(lambda: not replay.shows("g 3 to round 3") and replay.shows("Ann: "))
    replay.send(ESC)
    replay.wait_until(lambda: not replay.shows("Ann: "))
    replay.send(ESC)
    assert replay.exit_code() == 0


def test_esc_and_q_on_a_wall(start):
    """Esc and `q` close an answer on the wall without being typed; at a question Esc means no."""
    wall = start("host", "--wall", "--set", "6", "--port", free_port())
    wall.wait_until(lambda: wall.shows("quit takes the wall down"))
    for key in (ESC, "q"):
        wall.send("help\r")
        wall.wait_until(lambda: wall.shows("Esc closes"))
        wall.send(key)
        wall.wait_until(lambda: not wall.shows("Esc closes"))
        assert not wall.shows("> q")
    wall.send("xyz")
    wall.wait_until(lambda: wall.shows("> xyz"))
    wall.send(ESC)
    wall.wait_until(lambda: not wall.shows("xyz"))
    wall.send("quit\r")
    wall.wait_until(lambda: wall.shows("Close this table"))
    wall.send(ESC)
    wall.wait_until(lambda: wall.shows("You stay"))
    wall.send("quit\rquit\r")
    assert wall.exit_code() == 0


def test_enter_runs_the_line_that_ctrl_r_has_found(start):
    """Enter runs a found line at once, as in a shell; if none was found, it plays nothing."""
    game = opened(start)
    game.send(CTRL_R)
    game.wait_until(lambda: game.shows("reverse-i-search"))
    game.send("\r")
    game.wait_until(lambda: game.prompts() and not game.shows("reverse-i-search"))
    assert not game.has("You played")
    game.send("say albatross\r")
    game.wait_until(lambda: game.count("Ann: albatross") == 1)
    game.send(f"{CTRL_R}alba")
    game.wait_until(lambda: game.shows("say albatross"))
    game.send("\r")
    game.wait_until(lambda: game.count("Ann: albatross") == 2 and game.prompts())
    left(game)
