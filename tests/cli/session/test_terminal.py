"""The real terminal screen, driven through a pseudo-terminal and read off an emulated screen."""

import re
import signal

import pytest

from tests.cli.players import free_port
from tests.cli.pseudoterminals import boards


def opened(start, *words, pips=6, bots=1, pace="0", **how):
    """Start a practice game; return its terminal once the player has a choice of plays."""
    game = start("play", "--pace", pace, "--set", str(pips), "--bots", str(bots), *words, **how)
    game.wait_for_prompt(r"Play  1: ")
    return game


def set_up(folder, settings: str) -> None:
    """Write the settings file of the first terminal that is started."""
    (folder / "data0").mkdir()
    (folder / "data0" / "config.toml").write_text(settings)


def left(game) -> None:
    """Leave the game, and check that it ends without an error."""
    game.send("quit\rquit\r")
    assert game.exit_code() == 0
    assert "Traceback" not in game.text()


def test_a_round_is_played_by_typing_numbers(start):
    """A game can be played to its end by typing the number of a listed play each time."""
    game = start("play", "--pace", "0", "--set", "6", "--rounds", "1", "--bots", "1")
    game.play_until("record is kept")
    text = game.wait_for("boneyard verify")
    assert "total  held" in text
    assert "wins the game" in text or "win the game" in text or "share the game" in text
    game.wait_for("Type again, score")
    game.send("quit\r")
    assert game.exit_code() == 0


def test_tab_offers_legal_plays_and_the_toolbar_says_whose_turn_it_is(start):
    """Tab completes a legal play, and the status line names the player whose turn it is."""
    game = start("play", "--pace", "0", "--set", "9", "--bots", "2")
    text = game.wait_for_prompt(r"Play  1: ")
    assert "YOUR TURN, Ann" in game.wait_for("YOUR TURN")
    first = re.search(r"Play  1: (\d+)[-=](\d+) (\w+)", text)
    assert first is not None
    pips = sorted((int(first[1]), int(first[2])), reverse=True)
    game.send(f"play {pips[0]}-")
    game.wait_for(f"boneyard> play {pips[0]}-")
    game.send("\t")
    tile = f"{pips[0]}[-=]{pips[1]}"
    game.wait_for(rf"(?i){tile} +on {first[3]}|boneyard> play {tile}")
    game.send("\x03")
    game.send("why draw\r")
    game.wait_for("so you may not draw or pass")
    game.send("help\r")
    game.wait_for(r"Esc closes; PgUp PgDn, 1-\d+ of \d+")
    game.send("quit\r")
    game.wait_for("Type quit again")
    game.send("y\r")
    assert game.exit_code() == 0
    assert "You have left the table" in game.text()


def test_ctrl_c_is_asked_back_once_and_then_leaves(start):
    """Only a second Ctrl-C leaves the game, and a sentence says how to come back."""
    game = opened(start)
    game.send("\x03")
    game.wait_for_prompt("Ctrl-C once more")
    game.send("\x03")
    assert game.exit_code() == 130
    assert game.has("You have left the table. Come back with: boneyard resume")
    assert "Traceback" not in game.text()


def test_ctrl_c_closes_a_lobby_and_its_guests_hear_of_it(start):
    """A second Ctrl-C closes a lobby; host and guest read that the guest waits for a new table."""
    port = free_port()
    host = start("host", "--open", "--port", port, "--no-seat")
    host.wait_for_prompt("Type start")
    guest = start("join", "--yes", f"127.0.0.1:{port}", name="Bob")
    host.wait_for("Bob sits down")
    host.send("\x03")
    host.wait_for_prompt("Ctrl-C once more closes this table for Bob")
    host.send("\x03")
    assert host.exit_code() == 0
    assert host.has("Your guests wait for 20 seconds")
    guest.wait_for("The host closed the table. If the host reopens it")


@pytest.mark.campaign
def test_ctrl_c_promises_no_way_back_to_a_lesson(start):
    """Ctrl-C in a lesson does not mention `boneyard resume`, because lessons cannot be resumed."""
    lesson = start("learn")
    lesson.wait_for_prompt("Press Enter to begin")
    assert not lesson.has("The game begins")
    lesson.send("\r")
    lesson.wait_for_prompt("Each row is a train")
    lesson.send("\x03")
    lesson.wait_for_prompt("Ctrl-C once more to leave at once")
    assert "boneyard resume" not in lesson.text()


def test_a_signal_ends_it_at_once(start):
    """An interrupt signal ends the program without a question, with exit code 130."""
    game = start("play", "--pace", "0", "--set", "6", "--bots", "1")
    game.wait_for("boneyard> ")
    game.wait_for("is dealt")
    game.process.kill(signal.SIGINT)
    assert game.exit_code() == 130
    assert "Come back with: boneyard resume" in game.text()
    assert "Traceback" not in game.text()


@pytest.mark.campaign
def test_settings_hold_at_the_terminal_and_the_title_comes_back(start, tmp_path):
    """The settings for times, bell, clock, colours and `quit` apply, and the title is restored."""
    settings = (
        'times = false\nbell = "off"\nclock = 0.1\nconfirm = false\ncolours = "mono"\nbel = 1\n'
    )
    set_up(tmp_path, settings)
    game = start("play", "--pace", "0", "--set", "9", "--bots", "1")
    assert "did you mean bell?" in game.wait_for(r"\| thinking for 0:0")
    assert re.search(r"^Practice game: ", game.text(), re.MULTILINE)
    game.send("quit\r")
    assert game.exit_code() == 0
    titles = [game.seen.find(each) for each in (b"\x1b[22;2t", b"\x1b]2;Boneyard: your turn\x1b\\")]
    assert titles == sorted(titles)
    assert -1 not in titles
    assert game.seen.rindex(b"\x1b[23;2t") > game.seen.rindex(b"Boneyard: ")
    assert b"\x07" not in game.seen
    assert b"38;5" not in game.seen


def test_the_menu_leads_to_a_game_and_out(start):
    """A game is set up from the menu, left, resumed and left again."""
    menu = start()
    menu.wait_for("1 Play here against bots")
    menu.send("nonsense\r")
    menu.wait_for("Type a number from the list")
    menu.send("boneyard review 1\r")
    menu.wait_for("typed in your shell")
    menu.send("\x1b[B\x1b[A\r")  # down, up, Enter
    menu.wait_for("1 Play")
    menu.wait_for("> 1 Play[^>]*2 How well they play: normal")
    menu.send("\x1b[D\x1b[B\x1b[D")  # left, which changes nothing here; down; left
    menu.wait_for("> 2 How well they play: steady")
    menu.send("\x1b[C")  # right
    menu.wait_for("> 2 How well they play: normal")
    menu.send("7\r")
    menu.wait_for("3 Learn to play")
    menu.send("1\r")
    menu.wait_for("2 How well they play: normal")
    menu.send("\r")
    menu.wait_for(r"Play  1: |nothing you hold fits|wins the game")
    menu.send("quit\rquit\r")
    menu.wait_for("Come back with: boneyard resume")
    menu.wait_for("> 1 Play[^>]*8 Resume game 1, with")
    menu.send("resume\r")
    menu.wait_for("You are back at the table")
    menu.send("quit\rquit\r")
    menu.wait_for("8 Resume game 1, with")
    menu.send("quit\r")
    assert menu.exit_code() == 0


def test_a_record_is_gone_through_with_keys(start, record):
    """In `replay`, keys lead to other moves and rounds and show the hands, and `q` leaves."""
    replay = start("replay", str(record))
    replay.wait_for("Move 1 of")
    replay.send("\x1b[C\x1b[C\x1b[D")  # right, right, left
    replay.wait_for("Move 2 of")
    replay.send("g 2\r")
    replay.wait_for("Round 2/2")
    replay.send("5\r")
    replay.wait_for("Move 5 of")
    replay.send("h")
    replay.wait_for("Ann: ")
    replay.send("\x1b[H")  # home
    replay.wait_for("Move 1 of")
    replay.send("q")
    assert replay.exit_code() == 0


def test_ctrl_z_and_other_control_characters_are_typed_by_nobody(start):
    """Control characters, typed or pasted, are left out of commands, and the game goes on.

    No shell has started the program here, so Ctrl-Z does not suspend it.
    """
    game = opened(start)
    game.press("\x1a")
    game.press("\r")
    # Ctrl-Q quotes the next key, and a paste may contain anything
    game.send("zz\x11\x1a\x11\x1b\x11\x9b1\r")
    game.wait_for_prompt('"zz1" is not a command here')
    game.send("\x1b[200~yy\x1a\x1b[2J\u202e\r\nzz\x1b[201~\r")
    game.wait_until(lambda: game.has('"yy[2J" is not a command here') and game.prompts("zz"))
    game.send("\x03who")
    game.wait_until(lambda: game.prompts("who"))
    game.press("\x1a", typed="who")
    game.send("\r")
    game.wait_for(r"Ann \(you\)|Ann, you|Ann .*you")
    # mouse codes, though the mouse is off
    game.send("\x1b[Mh!!\x1b[<64;1;1M")
    left(game)


def test_the_lines_of_a_paste_wait_one_by_one_and_none_is_lost(start):
    """Each pasted line appears after the Enter for the one before; Ctrl-C drops the rest."""
    game = opened(start)
    game.send("\x1b[200~xa\nxb\r\nxc\nxd\n\x1b[201~")
    game.wait_until(lambda: game.prompts("xa") and game.has("3 more pasted lines follow"))
    for text, follows in (("xa", "xb"), ("xb", "xc")):
        game.send("\r")
        game.wait_until(
            lambda t=text, f=follows: game.has(f'"{t}" is not a command') and game.prompts(f)
        )
    game.send("\x03")
    game.wait_until(game.prompts)
    game.send("xe\r")
    game.wait_for_prompt('"xe" is not a command here')
    assert not game.has('"xd" is not a command here')


def test_a_train_is_suggested_played_and_gone_on_with_by_enter(start):
    """Tab writes a train, and Enter plays its first tile; the rest becomes the plan.

    Ctrl-L and F2 keep what is typed.
    """
    game = opened(start, "--seed", "7", pips=9)
    game.send("\t")
    game.wait_until(lambda: not game.prompts() and game.prompts(typed_at(game)))
    game.send("\r")
    game.wait_for("the rest is your plan")
    game.wait_for_prompt(r"Plan .*Enter plays|is dropped")
    assert game.has("boneyard> (Enter) ") or game.has("is dropped")
    for key in ("\x0c", "\x1bOQ"):
        game.send("kept")
        game.wait_until(lambda: game.prompts("kept"))
        game.press(key, typed="kept")
        game.send("\x03")
        game.wait_until(game.prompts)


def typed_at(game) -> str:
    """Return the text between the prompt and the cursor."""
    cursor = game.screen.cursor
    return game.screen.display[cursor.y][: cursor.x].removeprefix("boneyard> ")


def test_ctrl_z_suspends_and_fg_goes_on(start):
    """Under a shell, Ctrl-Z suspends the game, and `fg` goes on with it where it was."""
    game = opened(start, shell=True)
    game.send("\x1a")
    game.wait_for("Stopped")
    game.send("echo the shell $((40 + 2))\r")
    game.wait_for("the shell 42")
    game.press("fg; echo ended with $?.\r")
    game.send("xyzzy\r")
    game.wait_for('"xyzzy" is not a command here')
    game.send("quit\r")
    game.wait_for("Type quit again")
    game.send("n\r")
    game.wait_for("You stay")
    game.send("quit\rquit\r")
    game.wait_for(r"ended with 0\.")
    assert "Traceback" not in game.text()


def stands(game) -> bool:
    """Return True if the screen has one board, the hand and the prompt in its usual row."""
    one = boards(game.screen) == 1 and game.shows("Hand ")
    return one and game.screen.cursor.y == game.screen.lines - 2


def test_esc_closes_a_list_then_an_answer_and_then_drops_what_is_typed(start):
    """Each press of Esc closes or drops one thing; an Alt key, which begins with Esc, does not."""
    game = opened(start, "--seed", "7", pips=9, bots=3)
    game.send("odds\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    game.send("say hello there")
    game.wait_until(lambda: game.prompts("say hello there"))
    game.send("\x1bb")  # Alt-B: a word back
    game.send("all ")
    game.wait_until(lambda: game.shows("> say hello all there") and game.shows("Esc closes"))
    game.send("\x1bQ")  # Alt-Q has no meaning
    game.wait_until(lambda: game.shows("> say hello all Qthere"))
    game.send("\x1b")
    game.wait_until(lambda: not game.shows("Esc closes"))
    assert game.shows("> say hello all Qthere")
    game.send("\x1b")
    game.wait_until(game.prompts)
    game.send("s\t")
    game.wait_until(lambda: game.shows("Talk to the table"))
    game.send("\x1b")
    game.wait_until(lambda: not game.shows("Talk to the table") and game.prompts("s"))
    game.send("\x1b")
    game.wait_until(game.prompts)
    game.send("odds\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    game.send("say")
    game.wait_until(lambda: game.prompts("say"))
    game.send("\x1b\x1b")  # pressed so fast that both come at once
    game.wait_until(lambda: game.prompts() and not game.shows("Esc closes"))
    game.send("odds\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    game.send("\x1b9-7 m")  # a tile typed right after Esc
    game.wait_until(lambda: game.prompts("9-7 m") and not game.shows("Esc closes"))
    game.send("\x1b")
    game.wait_until(game.prompts)
    left(game)


def test_one_board_stands_at_its_place_whatever_happens(start):
    """The board keeps its place during moves, talk and odds, and when the window changes."""
    game = opened(start, "--seed", "7", pips=9, bots=3, pace="0.2")
    game.wait_until(lambda: stands(game))
    game.send("1\r")
    game.send("kept")
    game.wait_until(lambda: game.prompts("kept") and game.shows("Since your turn"))
    assert stands(game)
    game.wait_until(lambda: game.shows("Play  1: ") and game.prompts("kept"))
    assert stands(game)
    for size in ((40, 20), (120, 40), (80, 24), (33, 11), (80, 24)):
        game.resize(*size)
        game.wait_until(lambda: game.prompts("kept") and stands(game))
    game.send("\x03")
    for line, answer in (("say hello", "Ann: hello"), ("odds", "Esc closes")):
        game.send(f"{line}\r")
        game.wait_until(lambda text=answer: game.shows(text) and stands(game))
        game.send("\x1b")
        game.wait_until(lambda: not game.shows("Esc closes") and stands(game))


def test_a_line_longer_than_the_window_leaves_the_board_its_place(start):
    """If a typed line is longer than the window, only the part of it around the cursor is shown."""
    game = opened(start)
    words = "x" * 2_000
    game.send(f"say {words}end")
    game.wait_for("xend")
    game.wait_until(lambda: boards(game.screen) == 1 and game.shows("YOUR TURN"))
    game.send("\x01")
    game.wait_for("boneyard> say xxx")
    game.wait_until(lambda: boards(game.screen) == 1)
    game.send("\x03")
    game.wait_until(lambda: stands(game))
    left(game)


def test_the_board_that_is_typed_for_is_that_of_its_key(start):
    """`board` and F2 give the same answer: trains wholly in sight are not drawn again."""
    game = opened(start, "--seed", "7", pips=9, bots=3)
    for line in ("board\r", "\x1bOQ"):
        game.send(line)
        game.wait_until(lambda: game.shows("Every train is in sight, whole."))
        assert stands(game)
        assert sum("Mexican  " in row for row in game.screen.display) == 1
        game.send("\x1b")
        game.wait_until(lambda: not game.shows("Esc closes") and stands(game))


def test_what_was_said_is_broken_at_words_in_a_window_that_has_changed(start):
    """Talk is wrapped again for a new width, and the board keeps its place below."""
    game = opened(start, "--seed", "7", columns=80, rows=30)
    words = ["albatross", "bullfinch", "cormorant", "dunnock", "flycatcher", "goldfinch", "heron"]

    def said(rows):
        shown = game.screen.display
        top = next((at for at, line in enumerate(shown) if "Ann: alba" in line), len(shown))
        return " ".join(shown[top : top + rows]).split()[2:]

    game.send(f"say {' '.join(words)}\r")
    game.wait_until(lambda: game.shows(words[-1]) and stands(game))
    for columns, rows in ((40, 2), (100, 1), (33, 3)):
        game.resize(columns, 30)
        game.wait_until(lambda rows=rows: stands(game) and said(rows) == words)


def test_with_the_mouse_on_a_click_fills_the_prompt_and_a_second_one_plays(start, tmp_path):
    """A click types a listed play, a tile or its train; the wheel turns the pages of an answer.

    A second click on a tile plays it only if the line is complete.
    """
    set_up(tmp_path, "mouse = true\n")
    game = opened(start, "--seed", "3", pips=9, bots=3)
    assert b"\x1b[?1006h" in game.seen

    def click(text, button=0):
        game.wait_until(lambda: game.shows(text))  # a frame may come in two parts
        found = [(row, line.find(text)) for row, line in enumerate(game.screen.display, 1)]
        row, column = next(each for each in found if each[1] >= 0)
        game.send(f"\x1b[<{button};{column + 1};{row}M\x1b[<{button};{column + 1};{row}m")

    listed = re.search(r"2: (\S+) Ann", game.text())
    assert listed is not None
    click("2: ")
    game.wait_until(lambda: game.prompts(f"{listed[1]} Ann"))
    click("M Mexican")
    game.wait_until(lambda: game.prompts(f"{listed[1]} Mexican"))
    other, fits = (
        re.search(r"\[(\d)\|(\d)\] ", game.text()),
        re.search(r"(\d)\|(\d)\]\+", game.text()),
    )
    for _ in range(2):
        click(f"[{other[1]}|{other[2]}] ")
        game.wait_until(lambda: typed_at(game) == f"{other[1]}-{other[2]} ")
    click("]+")
    game.wait_until(lambda: game.prompts(f"{fits[1]}-{fits[2]} Ann"))
    click("]+")
    game.wait_for("You played")
    game.send("help\r")
    game.wait_until(lambda: game.shows("PgDn, 1-"))
    click("play TILE", button=65)
    game.wait_until(lambda: game.shows("PgDn, 2-"))
    click("PgDn", button=64)
    game.wait_until(lambda: game.shows("PgDn, 1-"))
    left(game)


def test_an_answer_covers_what_has_happened_and_keys_turn_its_pages(start):
    """An answer leaves the open ends and the hand in sight; Esc or Enter only closes it."""
    game = opened(start, "--seed", "1", pips=9, bots=3)
    before = list(game.screen.display)
    for close in ("\x1b", "\r"):
        game.send("\x1bOP")
        game.wait_until(lambda: game.shows("play TILE") and stands(game))
        assert not game.shows("Play  1: ")
        assert game.shows("boneyard> (Enter) closes this")
        top = next(at for at, line in enumerate(game.screen.display) if "Esc closes" in line)
        assert game.screen.display[3:top] == before[3:top]
        game.send("\x1b[6~")
        game.wait_until(lambda: not game.shows("play TILE") and game.shows("Esc closes"))
        game.send("\x1b[5~")
        game.wait_until(lambda: game.shows("play TILE"))
        game.send(close)
        game.wait_until(lambda: game.shows("Play  1: ") and stands(game))
    assert game.count("You played") == 0
    game.send("score\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    game.send("1\r")
    game.wait_until(lambda: game.has("You played") and not game.shows("Esc closes"))


def test_rules_in_a_lobby_are_turned_over_and_enter_closes_them(start):
    """In a lobby, keys turn the pages of the rules, and Enter closes them, as the prompt says."""
    game = start("host", "--set", "9", "--port", free_port(), rows=20, columns=60)
    game.wait_for_prompt("Type start")
    game.send("rules\r")
    game.wait_until(lambda: game.shows("PgDn, 1-") and game.shows("(Enter) closes this"))
    game.send("\x1b[6~")
    game.wait_until(lambda: not game.shows("PgDn, 1-") and game.shows("Esc closes"))
    game.send("\x1b[5~")
    game.wait_until(lambda: game.shows("PgDn, 1-"))
    assert game.shows("boneyard> (Enter)")
    game.send("\r")
    game.wait_until(lambda: not game.shows("closes") and game.prompts())
    assert game.shows("Type rules and a switch")
    game.send("quit\r")
    game.wait_for("Close this table")
    game.send("yes\r")
    assert game.exit_code() == 0


def test_who_wants_nothing_to_change_by_itself_is_printed_each_turn(start, tmp_path):
    """With reduced motion, answers are printed, and nothing opens over the table."""
    set_up(tmp_path, "reduced-motion = true\n")
    game = opened(start, "--seed", "7", pips=9)
    game.send("help\r")
    game.wait_for_prompt(r"hand \[ORDER\]")
    assert not game.has("Esc closes")


@pytest.mark.campaign
def test_a_review_at_the_card_of_a_round_stays_in_sight(start):
    """A review at a round's card covers the board; when it is closed, the card is there again.

    Sentences that have scrolled by are not printed again, although the table needs fewer rows then.
    """
    game = start("play", "--pace", "0", "--set", "9", "--bots", "1", "--rounds", "2")
    game.play_until("Press Enter for the next round")
    game.wait_until(lambda: boards(game.screen) == 1)
    played = re.findall(r"played (\d\S+) on", game.text())
    assert len(set(played)) == len(played) > 0
    game.send("review\r")
    game.wait_until(lambda: game.shows("Esc closes"))
    assert game.shows("Round 1, Ann")
    assert game.shows("boneyard> ")
    game.send("\r")
    game.wait_until(lambda: game.shows("Press Enter for") and boards(game.screen) == 1)
    assert not game.shows("Esc closes")
    assert game.count("is dealt") == 1
    game.send("\r")
    game.wait_until(lambda: game.count("is dealt") == 2)
    left(game)
