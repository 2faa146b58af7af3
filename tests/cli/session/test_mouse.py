"""The screens that use the mouse; on all others the wheel, or a finger, scrolls the terminal."""

from tests.cli.players import free_port


def with_mouse(start, folder, *words, **how):
    """Start the program with the mouse turned on in its settings; return its terminal."""
    (folder / "data0").mkdir()
    (folder / "data0" / "config.toml").write_text("mouse = true\n")
    return start(*words, **how)


def asks(game):
    """Return True if the program has turned the mouse on, and not off again."""
    return game.seen.rfind(b"\x1b[?1006h") > game.seen.rfind(b"\x1b[?1006l")


def test_the_wheel_scrolls_back_to_the_head_of_a_card(start, tmp_path):
    """The program uses the mouse during play and in an answer, but not at a round's card.

    At the card, the wheel scrolls the terminal.
    """
    words = ("play", "--pace", "0", "--set", "6", "--bots", "1", "--rounds", "2")
    game = with_mouse(start, tmp_path, *words, rows=16, columns=40)
    game.wait_for_prompt(r"Play  1: |1: ")
    game.wait_until(lambda: asks(game))
    game.play_until("Press Enter for")
    game.wait_until(lambda: game.prompts() and not asks(game))
    game.send("help\r")
    game.wait_until(lambda: game.shows("PgDn, 1-") and asks(game))
    game.send("\x1b[<65;5;5M")
    game.wait_until(lambda: game.shows("PgDn, 2-"))
    game.send("\r")
    game.wait_until(lambda: not game.shows("closes") and not asks(game))
    game.send("quit\rquit\r")
    assert game.exit_code() == 0


def test_the_wheel_rolls_an_answer_in_a_lobby(start, tmp_path):
    """The wheel turns an answer's pages, as PgUp and PgDn do; the lobby itself uses no mouse."""
    words = ("host", "--set", "9", "--port", free_port())
    game = with_mouse(start, tmp_path, *words, rows=20, columns=60)
    game.wait_for_prompt("Type start")
    assert not asks(game)
    game.send("rules\r")
    game.wait_until(lambda: game.shows("PgDn, 1-") and asks(game))
    game.send("\x1b[<65;5;5M")
    game.wait_until(lambda: game.shows("PgDn, 2-"))
    game.send("\x1b[<64;5;5M")
    game.wait_until(lambda: game.shows("PgDn, 1-"))
    game.send("\r")
    game.wait_until(lambda: not game.shows("closes") and not asks(game))
    game.send("quit\r")
    game.wait_for("Close this table")
    game.send("yes\r")
    assert game.exit_code() == 0
