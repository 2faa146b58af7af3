"""Talk at a real terminal: each sentence is shown once, either below or above the table."""

import re

from tests.cli.players import free_port
from tests.cli.pseudoterminals import boards


def opened(start, *words, **how):
    """Start a practice game; return its terminal when the player first has a choice of plays."""
    game = start("play", "--pace", "0", "--seed", "7", *words, **how)
    game.wait_for_prompt(r"Play  1: ")
    return game


def rows_of(game, text: str) -> list[int]:
    """Return the numbers of the screen's rows that contain this text."""
    return [at for at, line in enumerate(game.screen.display) if text in line]


def test_a_list_opens_over_the_talk_and_moves_nothing(start):
    """Tab's list covers talk without moving the table, and Esc brings the sentences back."""
    game = opened(start, "--set", "9", "--bots", "3")
    for number in range(1, 9):
        game.send(f"say sentence {number}\r")
        game.wait_until(lambda at=number: game.shows(f"Ann: sentence {at}"))
    game.send("s")
    game.wait_until(lambda: game.prompts("s"))
    before = list(game.screen.display)
    assert "Ann: sentence 8" in before[-3]
    plays, *_ = rows_of(game, "Play  1: ")
    game.send("\t")
    game.wait_until(lambda: game.shows("Talk to the table"))
    assert game.screen.display[: plays + 1] == before[: plays + 1]
    assert not game.shows("Ann: sentence 8")
    game.send("\x1b")
    game.wait_until(lambda: not game.shows("Talk to the table") and game.prompts("s"))
    assert game.screen.display == before


def test_the_last_of_what_was_said_stays_in_sight_while_others_move(start):
    """At least seven rows of talk stay in a window of 24 rows, and each sentence is there once."""
    game = opened(start, "--set", "9", "--bots", "3")
    for number in range(1, 13):
        game.send(f"say sentence {number}\r")
        game.wait_until(lambda at=number: game.shows(f"Ann: sentence {at}"))
    shown = [line for line in game.screen.display if "sentence" in line]
    assert len(shown) >= 7, "each with the line that said it"
    assert [game.count(f"Ann: sentence {at} ") for at in range(1, 13)] == [1] * 12


def test_every_move_is_there_once_and_the_game_leaves_the_window_to_its_winner(start):
    """After the game, the text has each move once and in order, and the winner is on the screen.

    `board` shows the table again until Esc closes it.
    """
    game = opened(start, "--set", "6", "--bots", "2", "--rounds", "1")
    game.play_until("record is kept")
    game.wait_until(lambda: game.shows("Type again, score") and game.prompts())
    text = game.text()
    played = re.findall(r"played (\d\S+) on", text)
    assert len(set(played)) == len(played) > 10
    begun = text.index(f"played {played[0]} on")
    assert begun < text.index(f"played {played[-1]} on") < text.index("Longest train")
    assert boards(game.screen) == 0
    assert game.shows("│   ")
    assert any(re.search(r"wins? the game|share the game", line) for line in game.screen.display)
    game.send("board\r")
    game.wait_until(lambda: game.shows("Esc closes") and game.shows(" M Mexican: "))
    game.send("\x1b")
    game.wait_until(lambda: not game.shows("Esc closes") and game.shows("The fewest points win"))


def test_what_was_drawn_for_you_is_said_first_at_your_next_turn(start):
    """If the program drew and passed for the player, their next turn begins with the news of it."""
    game = start("play", "--pace", "0", "--seed", "3", "--set", "6", "--bots", "1")
    drew = r" You drew \d+[-=]\d+ and passed: your train is open\. Since your turn: "
    game.wait_until(lambda: game.shows("Play  1: ") or game.has("wins the round"))
    for _ in range(20):
        if re.search(drew, "\n".join(game.screen.display)):
            break
        played = game.count("You played")
        game.send("1\r")
        game.wait_until(
            lambda seen=played: game.count("You played") > seen and game.shows("Play  1: ")
        )
    assert re.search(drew, "\n".join(game.screen.display)), game.text()


def test_talk_of_the_lobby_and_of_a_card_comes_along_to_the_round_and_is_there_once(start):
    """Talk from the lobby and from a round's card is neither lost nor repeated in the round."""
    words = ("--set", "6", "--bots", "1", "--rounds", "2", "--pace", "0", "--port", free_port())
    game = start("host", *words)
    game.wait_for_prompt("Type start")
    said = ["albatross", "bullfinch"]
    for word in said:
        game.send(f"say {word}\r")
        game.wait_until(lambda word=word: game.shows(f"Ann: {word}"))
    for _ in range(2):  # with bots alone, the program asks first
        game.send("start\r")
    game.wait_until(lambda: boards(game.screen) == 1 and game.shows(" is dealt"))
    talk = next(at for at, line in enumerate(game.screen.display) if "Ann: albatross" in line)
    assert talk > rows_of(game, "Mexican")[0], "below the table"
    game.play_until("Press Enter for the next round")
    said.append("cormorant")
    game.send("say cormorant\r")
    game.wait_until(lambda: game.shows("Ann: cormorant"))
    game.send("\r")
    game.wait_until(lambda: game.count("is dealt") == 2 and game.shows("Round 2/2"))
    assert rows_of(game, "Ann: cormorant")[0] > rows_of(game, "Mexican")[0]
    text = game.text()
    assert [text.count(f"Ann: {word}") for word in said] == [1, 1, 1]
    first, last = text.index("Ann: albatross"), text.index("Ann: cormorant")
    assert first < text.index("Round 1 of 2 is dealt") < text.index("Longest train") < last
    plays = re.findall(r"played (\d\S+) on", text[: text.index("Longest train")])
    assert len(set(plays)) == len(plays) > 0


def test_where_the_table_has_all_rows_the_answer_to_a_line_stands_over_it(start):
    """If the table fills the window, the answer to a line covers the table until it is closed."""
    words = ("--set", "9", "--bots", "2", "--pace", "0", "--seed", "6")
    game = start("play", *words, columns=30, rows=10)
    game.wait_for_prompt("YOUR TURN")
    for line, said in (("xyzzy", '"xyzzy" is not a command'), ("0-0", "You don't have 0=0.")):
        game.send(f"{line}\r")
        game.wait_until(lambda said=said: game.shows("Esc closes") and game.shows(said))
    game.send("\r")
    game.wait_until(lambda: not game.shows("Esc closes") and game.shows("[8|8]"))
