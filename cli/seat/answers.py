"""What is answered from the table as it stands, without changing anything."""

from typing import Final, assert_never

from cli.drawn.board import board_lines, train_lines
from cli.drawn.hand import HandOrder, choice_lines, hand_lines
from cli.drawn.rule_sheet import offer_lines, offer_of
from cli.drawn.sheets import help_lines, switch_lines, who_lines
from cli.said.moves import move_text
from cli.said.refusals import refusal_sentence, rule_sentence
from cli.scene import Scene, scene_of
from cli.seat.frontend import FrontEnd, ScoresShown
from cli.typed import intent as typed
from cli.typed.resolution import Ambiguous, NotFound, NotLegal, find_trains, no_train_text
from cli.typed.resolve import resolve
from engine.refusals import Refusal
from netgame.protocol.peer.view import TableView

NOT_BEGUN: Final = "The game has not begun yet."


def explanation(found: Ambiguous | NotFound | NotLegal, scene: Scene) -> str:
    """Say why a typed line is no move: what it could be, or the rule and the nearest moves."""
    match found:
        case Ambiguous():
            options = [move_text(scene, move) for move in found.options]
            return f"That could be {' or '.join(options)}."
        case NotFound():
            return found.hint
        case NotLegal():
            sentence = refusal_sentence(found.refusal, scene.names, scene.seat)
            if not found.nearest:
                return sentence
            near = " or ".join(move_text(scene, move) for move in found.nearest[:2])
            return f"{sentence} You could play {near}."
    assert_never(found)


class Answers:
    """Answers one person's questions; remembers the last refusal, and how their hand is sorted."""

    def __init__(self, front: FrontEnd, own_key: bytes) -> None:
        self.order = HandOrder.VALUE
        self._refused: Refusal | None = None
        self._front = front
        self._own_key = own_key

    def remember(self, refusal: Refusal) -> str:
        """Keep a refusal for `why`; return what to add to the first one."""
        hint = " Type why for the rule." if self._refused is None else ""
        self._refused = refusal
        return hint

    def answer(self, question: typed.Question, view: TableView) -> None:
        """Show or say what was asked for."""
        canvas = self._front.canvas()
        match question:
            case typed.Help():
                playing = view.table is not None
                rules = view.spec.rules if view.spec is not None else None
                self._front.show(help_lines(question.word, canvas, playing=playing, rules=rules))
            case typed.Who():
                self._front.show(who_lines(view, canvas, self._own_key))
            case typed.ShowRules():
                self._show_rules(question, view)
            case _ if (scene := scene_of(view)) is None:
                self._front.say(NOT_BEGUN)
            case _:
                self._answer_of(question, scene)

    def _answer_of(self, question: typed.TableQuestion, scene: Scene) -> None:
        match question:
            case typed.Why():
                self._front.say(self._why(question, scene))
            case typed.ShowBoard():
                self._show_board(question, scene)
            case typed.ShowHand():
                self._show_hand(question, scene)
            case typed.ShowScore():
                self._front.tell(ScoresShown(scene))
            case _:
                assert_never(question)

    def _why(self, question: typed.Why, scene: Scene) -> str:
        if question.move is not None:
            return _why(question.move, scene)
        if self._refused is not None:
            return rule_sentence(self._refused, scene.table.rules)
        return "No move has been refused yet. Ask about one, such as: why 9-4 ben."

    def _show_board(self, question: typed.ShowBoard, scene: Scene) -> None:
        canvas = self._front.canvas()
        if question.train is None:
            self._front.show(board_lines(scene, canvas))
            return
        trains = find_trains(scene, question.train)
        if not trains:
            self._front.say(no_train_text(scene, question.train))
        for train in trains:
            self._front.show(train_lines(scene, train, canvas))

    def _show_hand(self, question: typed.ShowHand, scene: Scene) -> None:
        if question.sort:
            orders = tuple(HandOrder)
            self.order = orders[(orders.index(self.order) + 1) % len(orders)]
            self._front.say(f"Your hand is sorted {self.order.value}.")
        canvas = self._front.canvas()
        self._front.show((*hand_lines(scene, canvas, self.order), *choice_lines(scene, canvas)))

    def _show_rules(self, question: typed.ShowRules, view: TableView) -> None:
        canvas = self._front.canvas()
        if question.topic is not None:
            rules = view.spec.rules if view.spec is not None else None
            self._front.show(switch_lines(question.topic, rules, canvas))
            return
        seats = len(view.seats) if view.spec is not None else None
        offer = None if view.settings is None else offer_of(view.settings, seats)
        if offer is None:
            self._front.say("What is played here is not known yet.")
            return
        self._front.show(offer_lines(offer, canvas))
        self._front.say("Type rules and a switch, such as rules cover, to see what else there is.")


def _why(move: typed.MoveIntent, scene: Scene) -> str:
    found = resolve(move, scene)
    if isinstance(found, NotLegal):
        return f"{explanation(found, scene)} {rule_sentence(found.refusal, scene.table.rules)}"
    if isinstance(found, Ambiguous | NotFound):
        return explanation(found, scene)
    return f"Legal: {move_text(scene, found)}."
