"""What is answered from the table as it stands, without changing anything."""

from random import Random
from typing import Final, assert_never

import trio

from cli.drawn.board import board_lines, train_lines
from cli.drawn.hand import choice_lines, hand_lines
from cli.drawn.rule_sheet import offer_lines, offer_of
from cli.drawn.sheets import help_lines, switch_lines, who_lines
from cli.language import either, say
from cli.said.hints import hint_sentence, move_phrase, plan_sentence
from cli.said.moves import move_text
from cli.said.refusals import refusal_sentence, rule_sentence
from cli.scene import Scene, scene_of
from cli.seat.desk import Desk
from cli.seat.frontend import FrontEnd, OddsShown, ScoresShown
from cli.typed import intent as typed
from cli.typed.intent import Topic
from cli.typed.resolution import (
    Ambiguous,
    Doubtful,
    NotFound,
    NotLegal,
    TileByTile,
    could_be_text,
    find_trains,
    no_train_text,
    only_watches,
)
from cli.typed.resolve import resolve
from engine.bots.advice import Advice, advise, planned_train
from engine.bots.odds import TableOdds, table_odds
from engine.refusals import Refusal
from engine.view import SeatView
from netgame.io.tables.seat import informed, time_to_think
from netgame.protocol.peer.view import TableView

NOT_BEGUN: Final = "The game has not begun yet."
CATCHING_UP: Final = (
    "One moment: the others have played on, and your program is catching up. It shows the table "
    "then."
)
_NO_TILES: Final = "You hold no tiles."


def explanation(found: Ambiguous | Doubtful | NotFound | NotLegal, scene: Scene) -> str:
    """Say why a typed line is no move: what it could be, or the rule and the nearest moves."""
    match found:
        case Ambiguous():
            options = [move_text(scene, move) for move in found.options]
            return say("That could be {moves}.", moves=either(options))
        case Doubtful(move, word, names):
            text = "{unclear} Enter plays {move}."
            unclear = could_be_text(word, names)
            return say(text, unclear=unclear, move=move_phrase(scene, move))
        case NotFound():
            return found.hint
        case NotLegal():
            sentence = refusal_sentence(found.refusal, scene.names, scene.seat)
            if not found.nearest:
                return sentence
            near = either([move_text(scene, move) for move in found.nearest[:2]])
            return f"{sentence} {say('You could play {moves}.', moves=near)}"
    assert_never(found)


def show_board(front: FrontEnd, named: str | None, scene: Scene) -> None:
    """Show the board, or all trains that a word names."""
    canvas = front.canvas()
    if named is None:
        front.show(board_lines(scene, canvas))
        return
    trains = find_trains(scene, named)
    if not trains:
        front.say(no_train_text(scene, named))
    for train in trains:
        front.show(train_lines(scene, train, canvas))


def _odds(view: TableView, scene: Scene) -> TableOdds | None:
    """Reckon the odds; the same ones for as long as nothing happens."""
    chance = Random(view.step).randbytes
    return table_odds(informed(view, scene.table), chance, time_to_think())


def _advice(view: TableView, scene: Scene) -> Advice | None:
    """Think of a move; the same one for as long as the same is to be done."""
    chance = Random(view.step).randbytes
    return advise(informed(view, scene.table), chance, time_to_think())


class Answers:
    """Answers one person's questions; remembers the last refusal."""

    def __init__(self, front: FrontEnd, own_key: bytes, desk: Desk) -> None:
        self._desk = desk
        self._refused: Refusal | None = None
        self._front = front
        self._own_key = own_key

    def remember(self, refusal: Refusal) -> str:
        """Keep a refusal for `why`; return what to add to the first one."""
        hint = "" if self._refused else f" {say('Type why for the rule.')}"
        self._refused = refusal
        return hint

    def answer(self, question: typed.Show | typed.Why, view: TableView) -> None:
        """Show or say what was asked for."""
        if isinstance(question, typed.Show):
            self._show(question.topic, question.named, view)
        elif (scene := scene_of(view)) is None:
            self._front.say(say(NOT_BEGUN))
        else:
            self._front.say(self._why(question.move, scene))

    def _show(self, topic: Topic, named: str | None, view: TableView) -> None:
        canvas, scene = self._front.canvas(), scene_of(view)
        match topic:
            case Topic.HELP:
                rules = view.spec.rules if view.spec is not None else None
                playing, hosts = scene is not None, view.is_host
                lines = help_lines(named, canvas, playing=playing, hosts=hosts, rules=rules)
                self._front.show(lines)
            case Topic.WHO:
                self._front.show(who_lines(view, canvas, self._own_key))
            case Topic.RULES:
                self._show_rules(named, view)
            case _ if scene is None:
                self._front.say(say(NOT_BEGUN))
            case _ if view.catching_up:
                self._front.say(say(CATCHING_UP))
            case _:
                self._show_of_table(topic, named, scene)

    def _show_of_table(self, topic: Topic, named: str | None, scene: Scene) -> None:
        match topic:
            case Topic.BOARD:
                show_board(self._front, named, scene)
            case Topic.HAND:
                self.show_hand(scene)
            case Topic.SCORE:
                self._front.tell(ScoresShown(scene))
            case _:
                self._show_plan(scene)

    def _show_plan(self, scene: Scene) -> None:
        plan = planned_train(SeatView(scene.table, scene.seat, scene.hand))
        self._front.say(say(_NO_TILES) if plan is None else plan_sentence(scene, plan))

    async def hint(self, view: TableView) -> None:
        """Say what an expert would do here, which takes a thread some time to find out."""
        scene = scene_of(view)
        if scene is None:
            self._front.say(say(NOT_BEGUN))
        elif scene.hand is None:
            self._front.say(say(_NO_TILES))
        elif not scene.can_move:
            text = "It is not your turn. Type hint train for the longest train you hold."
            self._front.say(say(text))
        else:
            advice = await trio.to_thread.run_sync(_advice, view, scene)
            if advice is not None:
                self._front.say(hint_sentence(scene, advice))

    async def odds(self, view: TableView) -> None:
        """Say how likely the others can play, which takes a thread some time to reckon."""
        scene = scene_of(view)
        if scene is None:
            self._front.say(say(NOT_BEGUN))
        elif scene.hand is None:
            self._front.say(say(_NO_TILES))
        else:
            odds = await trio.to_thread.run_sync(_odds, view, scene)
            if odds is None:
                self._front.say(say("There are no odds now: ask again while tiles are played."))
            else:
                self._front.tell(OddsShown(scene, odds))

    def _why(self, move: typed.MoveIntent | None, scene: Scene) -> str:
        rules = scene.table.rules
        if move is None:
            if self._refused is None and not scene.sits:
                return only_watches().hint
            if self._refused is None:
                return say("No move has been refused yet. Ask about one, such as: why 9-4 ben.")
            return rule_sentence(self._refused, rules)
        found = resolve(move, scene)
        found = found.move if isinstance(found, Doubtful) else found
        found = found.chain if isinstance(found, TileByTile) else found
        if not isinstance(found, Ambiguous | NotFound | NotLegal):
            return say("Legal: {move}.", move=move_text(scene, found))
        rule = f" {rule_sentence(found.refusal, rules)}" if isinstance(found, NotLegal) else ""
        return f"{explanation(found, scene)}{rule}"

    def show_hand(self, scene: Scene) -> None:
        """Show the hand as it lies, and the list of plays."""
        if scene.hand is None:
            self._front.say(say(_NO_TILES))
            return
        canvas = self._front.canvas()
        self._front.show(
            (*hand_lines(scene, canvas, self._desk.layout), *choice_lines(scene, canvas))
        )

    def _show_rules(self, named: str | None, view: TableView) -> None:
        canvas = self._front.canvas()
        if named is not None:
            rules = view.spec.rules if view.spec is not None else None
            self._front.show(switch_lines(named, rules, canvas))
            return
        seats = len(view.seats) if view.spec is not None else None
        offer = None if view.settings is None else offer_of(view.settings, seats)
        if offer is None:
            self._front.say(say("What is played here is not known yet."))
            return
        self._front.show(offer_lines(offer, canvas))
        text = "Type rules and a switch, such as rules cover, to see what else there is."
        self._front.say(say(text))
