"""Sentences and pages about the present table, shared by several parts of a session."""

from typing import Final, assert_never

from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    NotFound,
    NotLegal,
    Unplayable,
    could_be_text,
    find_trains,
    no_train_text,
)
from cli.language import either, say
from cli.render.board import board_lines, train_lines
from cli.scene import Scene
from cli.session.frontend import FrontEnd
from cli.wording.hints import move_phrase
from cli.wording.moves import move_text
from cli.wording.refusals import refusal_sentence
from engine.table.table import ENDED

NOT_BEGUN: Final = "The game has not begun yet."
ONLY_HOST: Final = "Only the host can do that, before the game begins."
HELD: Final = "Your move is made in a moment; back stops it."
CATCHING_UP: Final = (
    "One moment: the others have played on, and your program is catching up. It shows the table "
    "then."
)


def explanation(found: Unplayable, scene: Scene) -> str:
    """Return why a typed line is not a move: what it could mean, or the rule and similar moves."""
    match found:
        case Ambiguous():
            options = [move_text(scene, move) for move in found.options]
            text = "That could be {moves}." if len(options) > 1 else "There you can play {moves}."
            return say(text, moves=either(options))
        case Doubtful(move, word, names):
            text = "{unclear} Enter plays {move}."
            unclear = could_be_text(word, names)
            return say(text, unclear=unclear, move=move_phrase(scene, move))
        case NotFound():
            return found.hint
        case NotLegal():
            told = filter(None, (found.shut, found.refusal))
            rules = scene.table.rules
            sentence = " ".join(
                refusal_sentence(each, scene.names, scene.seat, rules) for each in told
            )
            if not found.nearest:
                return sentence
            near = either([move_text(scene, move) for move in found.nearest[:2]])
            text = "You could play {moves}."
            if len(found.nearest) > 2:
                text = "You could play, for instance, {moves}."
            return f"{sentence} {say(text, moves=near)}"
    assert_never(found)


def show_board(front: FrontEnd, named: str | None, scene: Scene) -> None:
    """Show the board, or all trains that a word names; say so if it names none.

    Draw no board if the screen shows its own in full, or keeps one of a round that is over.
    """
    canvas = front.canvas()
    if named is None:
        if not (front.keeps_board and scene.table.phase in ENDED) and not front.shows_whole():
            front.show(board_lines(scene, canvas))
        return
    trains = find_trains(scene, named)
    if not trains:
        front.say(no_train_text(scene, named))
    for train in trains:
        front.show(train_lines(scene, train, canvas))
