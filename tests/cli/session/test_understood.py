"""Lines as people type them: words from the screen, with extra words and signs.

Each line is typed into a whole session at Root's table, at a moment when it makes sense.
"""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.session.loop import sit
from cli.wording.moves import move_text
from engine.table.trains import Seat
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.running import boneyard
from tests.cli.scenes import scene_written
from tests.cli.session.test_lines_of_tiles import GAME, played_at

HEAD = """\
rules: standard
set: 12
seats: Root Cleo Ann
first: Root
engine: 12-12
hand Root: 12-9 12-11 9-4 9-5 5-6 9-0 0-4 7-9 6-1 3-1 11-11 11-10 1-10
hand Cleo: 12-4 10-2
hand Ann: 12-8 11-9 7-7
boneyard: 1-2 2-2 3-3 4-4 5-5 6-6

"""
BEGUN = """\
Root 12-9 Root
Cleo 12-4 Cleo
Ann 12-8 Ann
Root 12-11 mexican
Cleo draw 1-2
Cleo pass
"""
FIRST = f"{HEAD}? turn: Root\n"
"""Only the engine has been laid."""
TURN = f"{HEAD}{BEGUN}Ann 11-9 mexican\n"
"""Root's and the Mexican train end in 9, Cleo's, which is open, in 4, Ann's in 8."""
ELEVEN = f"{HEAD}{BEGUN}Ann draw 2-2\nAnn pass\n".replace("11-9 7-7", "7-7 7-6")
"""The Mexican train ends in 11."""
OPENING = HEAD.replace("standard", "walnut") + "? turn: Root\n"
"""The opening may be a whole train, as long as the player wants."""
WAITING = f"{TURN}Root 4-0 Cleo\n"
"""The turn is Cleo's."""


async def typed(game: str, *lines: str) -> tuple[str, list[str]]:
    """Type these lines at Root's seat; return the moves as text to type, and the sentences."""
    scene = scene_written(game, "Root")
    moves, front = await played_at(scene, *lines)
    made = [move if isinstance(move, str) else move_text(scene, move) for move in moves if move]
    return ", ".join(made), front.said


@pytest.mark.parametrize(
    ("game", "line", "made"),
    [
        (TURN, "play 9-4 on Cleo's train", "4-9 Cleo"),
        (TURN, "play 9-4 on Cleo’s train", "4-9 Cleo"),
        (ELEVEN, "11=11 on the mexican train", "11=11 Mexican"),
        (TURN, "9-5-6", "9-5 Root"),
        (FIRST, "12-11=11-10", "12-11 Root"),
        (OPENING, "12-11=11-10", "12-11 Root, 11=11 Root, 11-10 Root"),
        (TURN, "9-0, 0-4", "9-0 Root"),
        (TURN, "9-5 5-6 done", "9-5 Root"),
        (OPENING, "12-9 9-5 done", "12-9 Root, 9-5 Root, done"),
        (OPENING, "12-9 done", "12-9 Root, done"),
        (TURN, "9-5 m done", "9-5 Mexican"),
        (TURN, "put 9-4 on cleos", "4-9 Cleo"),
        (TURN, "play 9-5 on Roots train", "9-5 Root"),
        (TURN, "9-4 mexican please", "9-4 Mexican"),
        (TURN, "play the 9-4 on the mexican one, please.", "9-4 Mexican"),
        (TURN, "9-4, Cleo", "4-9 Cleo"),
        (TURN, "9-4 Cleo.", "4-9 Cleo"),
        (TURN, "(9,4) cleo", "4-9 Cleo"),
        (TURN, "[9|4]+ cleo", "4-9 Cleo"),
        (TURN, "9 - 4 cleo", "4-9 Cleo"),
        (TURN, "1.", "9-0 Root"),
        (TURN, "9–0 m", "9-0 Mexican"),
        (TURN, "9−0 m", "9-0 Mexican"),
        (TURN, "９-０ m", "9-0 Mexican"),
        (TURN, "９｜０ ｍ", "9-0 Mexican"),
        (TURN, "chat hi", "hi"),
        (TURN, "say 9–4, please?", "9–4, please?"),
        (ELEVEN, "double 11", "11=11 Mexican"),
        (ELEVEN, "play double-11 on the Mexican", "11=11 Mexican"),
        (ELEVEN, "doble 11 en el tren mexicano", "11=11 Mexican"),
        (TURN, "zug 9-0 m", "9-0 Mexican"),
        (TURN, "9-0 auf meinen zug", "9-0 Root"),
        (TURN, "9-0 auf den mexikanischen Zug", "9-0 Mexican"),
        (TURN, "pon 9-4 en el tren de Cleo", "4-9 Cleo"),
        (TURN, "9-4 en tu propio tren", "9-4 Root"),
        (TURN, "start the mexican train with 9-0", "9-0 Mexican"),
    ],
)
async def test_a_line_is_the_move_that_is_meant(game, line, made):
    """A line makes its move, with or without extra words and signs around tiles and names."""
    assert (await typed(game, line))[0] == made


@pytest.mark.parametrize(
    ("game", "line", "said"),
    [
        (TURN, "play 3-1 on Roots train", "3-1 does not fit: your train takes 9."),
        (FIRST, "start the mexican train with 12-9", "You may not start the Mexican train yet. "),
        (TURN, "7-9 mexcian", "There is no train mexcian here: did you mean Mexican?"),
        (TURN, "why can't i play 3-4", "You don't have 4-3."),
        (TURN, "why can’t I play 3-1?", "3-1 does not fit: "),
        (TURN, "9-4 cleo?", "Legal: 4-9 Cleo."),
        (TURN, "1？", "Legal: 9-0 Root."),
        (TURN, "play 9-4 cleo ?", "Legal: 4-9 Cleo."),
        (TURN, "draw?", "so you may not draw or pass."),
        (TURN, "3-1?", "3-1 does not fit: "),
        (TURN, "12-12", "12=12 is the engine, in the middle."),
        (TURN, "12=12 9-4", "12=12 is the engine, in the middle."),
        (TURN, "zug", "Which tile? Write it as 9-4, "),
        (TURN, "/help why", "why [MOVE]"),
        (TURN, ":help why", "why [MOVE]"),
        (TURN, "help why?", "why [MOVE]"),
        (TURN, "who's turn", "It is your turn. You can play: 9-0 Root, 9-4 Root, "),
        (TURN, "what can I play?", "It is your turn. You can play: 9-0 Root, 9-4 Root, "),
        (WAITING, "whose turn is it?", "It is Cleo's turn."),
        (WAITING, "¿de quién es el turno?", "It is Cleo's turn."),
        (TURN, "mexican please", "That could be 9-0 Mexican or 9-4 Mexican or "),
        (
            TURN,
            "ann",
            "Ann's train is private: only its owner plays there until a marker opens it.",
        ),
        (
            TURN,
            "3-1 ann",
            "Ann's train is private: only its owner plays there until a marker opens it.",
        ),
        (
            TURN,
            "ann 3-1",
            "Ann's train is private: only its owner plays there until a marker opens it.",
        ),
        (
            TURN,
            "why 3-1 ann",
            "Ann's train is private: only its owner plays there until a marker opens it.",
        ),
        (TURN, "3-1 ann", "opens it. 3-1 does not fit: Ann's train takes 8."),
        (TURN, "3-1 cleo", "3-1 does not fit: Cleo's train takes 4."),
        (TURN, "3-1", "3-1 does not fit: your train takes 9."),
        (WAITING, "mine", "It is not your turn."),
        (TURN, "fly", '"fly" is not a command here: type help for what can be typed.'),
    ],
)
async def test_a_line_that_is_no_move_gets_its_answer(game, line, said):
    """Each of these lines is answered, and makes no move."""
    made, told = await typed(game, line)
    assert made == ""
    assert any(said in each for each in told), told


DOUBLE = """\
rules: standard
set: 12
seats: Root Cleo Ann
first: Root
engine: 12-12
hand Root: 12-3 5-3 3-3 3-4 8-3 4-4 4-0
hand Cleo: 12-2 12-11 10-2
hand Ann: 12-8 11-5 7-7
boneyard: 1-2 2-2 6-6 11-4 5-5 6-9

Root 12-3 Root
Cleo 12-2 Cleo
Ann 12-8 Ann
"""
"""Root holds 3-3 and two tiles that would cover it; Root's train ends in 3."""
ELSEWHERE = f"{DOUBLE}Root 3-4 Root\nCleo 12-11 mexican\nAnn 11-5 mexican\n"
"""Root's train ends in 4, and the Mexican one in 5."""


async def test_a_double_typed_behind_its_cover_is_asked_about():
    """If two tiles join only in the other order, the program asks before it plays them that way."""
    made, told = await typed(DOUBLE, "5-3 3-3")
    assert (made, told[0]) == ("", "There you can play 3=3 3-5 Root.")
    assert (await typed(DOUBLE, "5-3 3-3", "yes"))[0] == "3=3 Root, 3-5 Root"
    assert (await typed(DOUBLE, "8-3 3-3", "3-3 5-3"))[0] == "3=3 Root, 3-5 Root"
    assert (await typed(DOUBLE, "5-3 8-3"))[1][0] == "8-3 does not join the 5."


async def test_tiles_without_a_train_are_for_the_one_that_takes_them():
    """Tiles typed without a train go on whichever train takes them, not only the player's own."""
    made, told = await typed(ELSEWHERE, "5-3 3-3")
    assert (made, told[0][:26]) == ("5-3 Mexican", "One tile a turn: 5-3 is pl")
    assert (await typed(ELSEWHERE, "4-4 4-0"))[0] == "4=4 Root, 4-0 Root"
    plan = "Your plan: 5-3 3=3 Mexican. Enter plays the next tile at your turn; plan none drops it."
    assert (await typed(ELSEWHERE, "plan 5-3 3-3"))[1][0] == plan
    assert (await typed(ELSEWHERE, "8-3 3-3"))[1][
        0
    ] == "8-3 fits no end that you could play on now."


async def test_a_question_mark_behind_a_command_is_no_part_of_it():
    """`score` shows the same with a question mark, an exclamation mark or a slash."""
    scene = scene_written(TURN, "Root")
    shown = [[type(each) for each in (await played_at(scene, line))[1].shown]
             for line in ("score", "score?", "Score!", "/score")]  # fmt: skip
    assert shown[0]
    assert shown == [shown[0]] * 4


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (("9-4", "mine"), "9-4 Root"),
        (("9-4", "on mine, please"), "9-4 Root"),
        (("9-4", "root"), "9-4 Root"),
        (("9-4", "the mexican one"), "9-4 Mexican"),
        (("9-4", "m"), "9-4 Mexican"),
        (("9-4", "Cleo's"), "4-9 Cleo"),
        (("mexican please", "9-4"), "9-4 Mexican"),
        (("7-9 mexcian", "mexican"), "9-7 Mexican"),
        (("mexican please", "9-4?"), ""),
        (("9-4", "mine?"), ""),
        (("cleo 9-4?",), ""),
        (("cleo 9-4",), "4-9 Cleo"),
        (("the mexican train 9-4",), "9-4 Mexican"),
        (("9-4 mexcian", "hand", "\ufeff", "zoe", "yes"), ""),
        (("9-4", "ann"), ""),
        (("9-4", "hand", "mine"), ""),
        (("9-4", "9-0 m"), "9-0 Mexican"),
        (("9-0 9-4", "mine"), ""),
    ],
)
async def test_a_word_answers_what_was_asked_back(lines, made):
    """Only the next line can answer a question, and only with a choice that was offered."""
    assert (await typed(TURN, *lines))[0] == made


async def test_the_start_of_a_command_answers_and_a_whole_one_does_not():
    """After a question, `bo` answers with Boa's train, while `b` and `board` are commands.

    If a word could mean two players, the program asks, and `yes` plays what it suggests.
    """
    game = TURN.replace("Cleo", "Boa")
    assert (await typed(game, "9-4", "bo"))[0] == "4-9 Boa"
    game = TURN.replace("Cleo", "Rob")
    doubt = "ro could be Root or Rob. Enter plays 9-5 on your train."
    made, said = await typed(game, "9-5 ro", "yes")
    assert (made, doubt in said) == ("9-5 Root", True)
    game = TURN.replace("Cleo", "Boa")
    asked = "That could be 9-4 Root or 4-9 Boa or 9-4 Mexican."
    made, said = await typed(game, "9-4", "b", "9-4", "board")
    assert (made, said.count(asked)) == ("", 2)


async def waited(*lines: object) -> tuple[list[object], list[str]]:
    """Type these lines out of turn, then Enter in the turn; return the moves and the sentences."""
    scene = scene_written(WAITING, "Root")
    assert not scene.can_move
    node = FakeNode(scene)

    def begin_turn() -> None:
        table = structs.replace(scene.table, to_move=Seat(0))
        node.scene = replace(scene, table=table, can_move=True)

    front = FakeFront(*lines, begin_turn, "")
    await sit(node, front, sitting_with())
    return [move_text(node.scene, move) for _, move in node.asked], front.said


@pytest.mark.parametrize(
    ("line", "plan", "made"),
    [
        ("9-5", "9-5", "9-5 Root"),
        ("play 5-9", "9-5", "9-5 Root"),
        ("95", "9-5", "9-5 Root"),
        ("9-5 m", "9-5 Mexican", "9-5 Mexican"),
        ("play 9-5 on the Mexican train", "9-5 Mexican", "9-5 Mexican"),
        ("6-0 mine", None, None),
        ("9-0 cleo", "0-9 Cleo", "0-9 Cleo"),
        ("9-5-6", "9-5 5-6", "9-5 Root"),
    ],
)
async def test_a_tile_typed_out_of_turn_is_kept_and_enter_plays_it(
    autojump_clock, line, plan, made
):
    """A tile typed out of turn becomes the plan if it can, and Enter plays it in the turn."""
    moves, said = await waited(line)
    kept = f"Not your turn yet. {plan} is your plan: Enter plays it in your turn."
    assert (kept in said) == (plan is not None)
    assert moves == ([made] if made else [])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("3-1", "3-1 fits no end that you could play on now."),
        ("8-7", "You don't have 8-7."),
        ("12-12", "12=12 is the engine, in the middle."),
        ("9-5 zoe", "There is no train zoe here: Root, Cleo, Ann, Mexican."),
        ("3-1 m", "3-1 does not join a 9."),
    ],
)
async def test_a_tile_that_is_no_plan_says_why(autojump_clock, line, why):
    """A tile typed out of turn that cannot be a plan is refused with the reason."""
    moves, said = await waited(line)
    assert (moves, [each for each in said if each == why]) == ([], [why])


async def test_a_plan_is_kept_that_begins_with_the_tile_typed(autojump_clock):
    """Typing a plan's first tile keeps the plan; another tile replaces it, with a sentence."""
    moves, said = await waited("plan 9-5 5-6 6-1", "9-5", "9-0", "plan none", "0-9")
    text = "Not your turn yet. 9-0 is your plan now, in place of 9-5 5-6 6-1: Enter plays it in "
    assert any(text in each for each in said)
    assert moves == ["9-0 Root"]


async def test_a_tile_typed_before_others_have_confirmed_is_kept_too():
    """A tile typed before the others' programs have signed the last step becomes a plan."""
    scene = replace(scene_written(TURN, "Root"), can_move=False)
    node, front = FakeNode(scene), FakeFront("9-5 m")
    await sit(node, front, sitting_with())
    said = "One moment: what was played last is still on its way. 9-5 Mexican is your plan: "
    assert any(each.startswith(said) for each in front.said), front.said
    assert node.asked == []


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("en", "play 9–1 on your own train, please", "You played 9-1 on your own train."),
        ("es", "jugar 9=1 en tu propio tren", "Jugaste 9-1 en tu propio tren."),
    ],
)
def test_the_program_reads_its_own_words_from_a_pipe(tmp_path, language, line, said):
    """The whole program understands its own words from a pipe, in English and in Spanish."""
    text = f"{line}\nquit\n"
    done = boneyard(*GAME, "--plain", data=tmp_path, text=text, BONEYARD_LANGUAGE=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


async def test_an_answer_completes_the_line_that_was_asked_about():
    """If the program asks which train is meant, the answer plays the double and its cover there."""
    game = TURN.replace("9-5 5-6", "9-9 5-6")
    asked = "That could be 9=9 9-4 Root or 9=9 9-4 Mexican."
    made, told = await typed(game, "9-9 9-4", "mine")
    assert asked in told
    assert made == (await typed(game, "9-9 9-4 mine"))[0] != ""


@pytest.mark.parametrize(
    ("game", "line", "made", "said"),
    [
        (TURN, "95 56", "9-5 Root", "the rest is your plan"),
        (TURN, "p 95 56", "9-5 Root", "the rest is your plan"),
        (TURN, "9-5 56", "9-5 Root", "the rest is your plan"),
        (TURN, "9-5 5-6 61", "9-5 Root", "the rest is your plan"),
        (TURN, "9 5 5 6", "9-5 Root", "the rest is your plan"),
        (TURN, "9-5 then 5-6", "9-5 Root", "the rest is your plan"),
        (TURN, "9-5 56 mexican", "9-5 Mexican", "the rest is your plan"),
        (TURN, "9-5 on the mexican train then 5-6", "9-5 Mexican", "the rest is your plan"),
        (TURN, "plan 95 56", "", "Your plan: 9-5 5-6. "),
        (TURN, "plan 9-5 56", "", "Your plan: 9-5 5-6. "),
        (TURN, "plan 9-5 5-6 then 6-1", "", "Your plan: 9-5 5-6 6-1. "),
        (TURN, "plan 95", "", "Your plan: 9-5. "),
        (TURN, "plan 9-5 56 77", "", "You don't have 7=7."),
        (TURN, "9-5 77", "", "You don't have 7=7."),
        (TURN, "plan 9-5 5-6 bogus 61", "", "There is no train bogus here: "),
        (TURN, "9-5 mexcian 56", "", "There is no train mexcian here: did you mean Mexican?"),
        (TURN, "9-0 cover", "", "No double has to be covered now."),
        (TURN, "9-5 5-6 bogus", "", "There is no train bogus here: "),
        (TURN, "9-5 mexican 5-6 cleo", "", "No train is called "),
    ],
)
async def test_tiles_are_told_from_trains_at_the_table(game, line, made, said):
    """The tiles of a play or a plan can be written in several ways; an unknown word is named."""
    found, told = await typed(game, line)
    assert found == made
    assert any(said in each for each in told), told


async def test_a_tile_typed_ahead_goes_on_from_the_plan():
    """Out of turn, a tile that joins the end of the plan extends it; any other replaces it."""
    _, told = await typed(WAITING, "9-5", "5-6", "then 6-1", "1-10 10-11", "9-7")
    assert [each for each in told if "your plan" in each.lower()] == [
        "Not your turn yet. 9-5 is your plan: Enter plays it in your turn.",
        "Not your turn yet. 9-5 5-6 is your plan: Enter plays it in your turn.",
        "Your plan: 9-5 5-6 6-1. Enter plays the next tile at your turn; plan none drops it.",
        "Not your turn yet. 9-5 5-6 6-1 1-10 10-11 is your plan: Enter plays it in your turn.",
        "Not your turn yet. 9-7 is your plan now, in place of 9-5 5-6 6-1 1-10 10-11: Enter plays "
        "it in your turn.",
    ]


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("cover it", "11-10 Mexican"),
        ("cover", "11-10 Mexican"),
        ("cover it with 11-10", "11-10 Mexican"),
        ("11-10 cover", "11-10 Mexican"),
        ("11-10 cover it please", "11-10 Mexican"),
    ],
)
async def test_a_double_is_covered_by_saying_so(line, made):
    """`cover` covers a double; the tile need not be named if only one fits."""
    game = ELEVEN + "Root 11-11 mexican\n"
    assert (await typed(game, line))[0] == made


async def test_there_is_nothing_to_cover_without_a_double():
    """Without a double to cover, `cover it` says so and plays nothing."""
    made, told = await typed(TURN, "cover it")
    assert (made, "No double has to be covered now." in told) == ("", True)


@pytest.mark.parametrize("line", ["sort", "sort my hand", "set sort value"])
async def test_a_hand_is_sorted_by_saying_so(line):
    """Each of these lines sorts this hand by value."""
    _, told = await typed(TURN, line)
    assert "Your hand is sorted heaviest first." in told


async def test_a_tile_that_is_not_held_cannot_be_arranged():
    """`hand` refuses a tile that is not held, and names it, even if it is typed as `87`."""
    _, told = await typed(TURN, "hand 95 87")
    assert "You don't have 8-7." in told


@pytest.mark.parametrize("line", ["new game", "start over", "again", "restart"])
async def test_another_game_waits_for_the_end_of_this_one(line):
    """During a game, a request for another is answered with how to give this one up."""
    _, told = await typed(TURN, line)
    assert any("To give it up, type leave" in each for each in told), told


@pytest.mark.parametrize("line", ["ok play it", "yes", "play it"])
async def test_the_only_play_that_a_refusal_names_is_played_by_a_yes(line):
    """A yes after a refusal plays the only tile that the refusal named."""
    game = ELEVEN + "Root 11-11 mexican\n"
    assert (await typed(game, "9-5", line))[0] == "11-10 Mexican"


@pytest.mark.parametrize("line", ["enter", "press enter", "ok play it"])
async def test_enter_in_words_is_the_key(line):
    """Lines such as `press enter` play the next tile of the plan, as the key does."""
    assert (await typed(TURN, "plan 9-5 5-6", line))[0] == "9-5 Root"


async def test_who_knocks_where_nobody_has_to_is_told_so():
    """`knock` is answered with the rule about it.

    A shell command is answered with how to type it in the shell, and `version` with the version.
    """
    _, told = await typed(TURN, "knock", "replay", "version")
    assert any(each.startswith("At this table nobody has to say") for each in told), told
    assert any("type quit here, and then there: boneyard replay" in each for each in told)
    assert any(each.startswith("Boneyard ") for each in told)


async def test_a_hand_that_stands_on_the_screen_is_told_how_it_lies():
    """If the screen shows the hand all the time, `hand` says in what order it is sorted."""
    scene = scene_written(TURN, "Root")
    node, front = FakeNode(scene), FakeFront("hand")
    front.keeps_board = True
    await sit(node, front, sitting_with())
    assert "Your hand is sorted by number." in front.said


async def test_a_start_means_what_can_be_done_now():
    """In a game `bo` means `board`, because `bots` works only in a lobby; `pl` is ambiguous."""
    _, told = await typed(TURN, "bo", "pa", "pl")
    assert not any("could be board" in each for each in told)
    assert any("Pl could be play or plays or plan" in each for each in told), told
