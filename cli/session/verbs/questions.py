"""The verbs that show the table and the player's hand, arrange it, and give advice on both."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

from cli.input.lexer import Words, heard, is_run
from cli.input.readers import UsageError, read_name, read_tile
from cli.language import say
from cli.render.layout import HAND_ORDERS, HandLayout, HandOrder
from cli.scene import Scene, is_scored, tile_text, train_name
from cli.session.answers import CATCHING_UP, show_board
from cli.session.frontend import OddsShown, ScoresShown, explain
from cli.session.until import OnChange, Until
from cli.session.verbs.planning import NO_TILES, PLAN, holding, with_hand
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, has_seat, in_play, one_word
from cli.wording.hints import lesson_hint, plan_sentence
from cli.wording.moves import turn_sentence
from engine.bots.advice import planned_train
from engine.bots.odds import table_odds
from engine.tiles import make_tile
from engine.view import SeatView

if TYPE_CHECKING:
    from cli.session.session import Session


class OfTable(Ask, frozen=True):
    """A question about the table; in a script, it waits until the hand has been dealt."""

    on_change: ClassVar = OnChange.RENEWS

    async def do(self, session: Session) -> None:
        """Show the answer; before the game, or while this peer is catching up, say so instead."""
        scene = await session.table_in_play()
        if scene is not None and session.node.view().catching_up:
            session.answer(CATCHING_UP)
        elif scene is not None:
            self.show(session, scene)

    @abstractmethod
    def show(self, session: Session, scene: Scene) -> None:
        """Show the answer for this table."""


# ---- the board ------------------------------------------------------------------------------


class Board(OfTable, frozen=True):
    """Show the board, or each train that the word `named` fits."""

    named: str | None = None

    async def do(self, session: Session) -> None:
        """Show the present board; while a card is up, show the board of its round instead.

        While a card is up, or after the game, show the card again too, unless a train is named.
        """
        if not session.pause.shows_board(self.named):
            await OfTable.do(self, session)

    def show(self, session: Session, scene: Scene) -> None:
        """Show the board or the trains named; say so if no train has that name."""
        show_board(session.front, self.named, scene)


@one_word
def _offer_trains(scene: Scene) -> Offers:
    return [(train_name(scene, train.id), say("train")) for train in scene.table.trains]


_BOARD: Final = TableVerb(
    "board [TRAIN]",
    "Show the whole board, or one train from the hub to its end.",
    lambda words: Board(read_name(words)),
    short=("b",),
    spanish=("tablero",),
    examples=("board", "board ben", "board m"),
    offers=_offer_trains,
    also=("show the board", "show board"),
)


# ---- the hand -------------------------------------------------------------------------------

ORDERS: Final = ("sort", *HAND_ORDERS)
"""The orders in which a hand can be shown; `sort` stands for the next one."""

_AROUND_ORDER: Final = ("by", "my", "in", "order", "por", "hand")
"""Words that may be around the name of an order."""


class ShowHand(OfTable, frozen=True):
    """Show the player's own tiles."""

    until: ClassVar = Until.ROUND_ENDS

    def show(self, session: Session, scene: Scene) -> None:
        """Show the hand as it is arranged, with the list of plays; or say that there is no hand.

        If the screen always shows the hand, only say how it is arranged.
        """
        if not session.desk.show_hand(scene):
            session.answer(NO_TILES)
        elif session.front.keeps_board:
            session.answer(session.desk.layout.order.value)


class ArrangeHand(Ask, frozen=True):
    """Arrange the hand by `order`, or in `groups` of tiles, each tile with its left half first."""

    order: str = ""
    groups: tuple[tuple[tuple[int, int], ...], ...] = ()
    until: ClassVar = Until.ROUND_ENDS

    async def do(self, session: Session) -> None:
        """Arrange the tiles, say how, and show them; or say that a tile or the hand is missing."""
        scene, desk = await with_hand(session), session.desk
        if scene is None or scene.hand is None:
            return
        held = [tile for _, tile in scene.hand.tiles]
        named = [make_tile(*pair) for group in self.groups for pair in group]
        missing = [tile for tile in named if tile not in held]
        if missing:
            session.answer("You don't have {tile}.", tile=tile_text(missing[0]))
            return
        if self.groups:
            desk.arranged = HandLayout(HandOrder.GROUPS, self.groups)
        elif self.order == "sort":
            orders = tuple(HAND_ORDERS.values())
            now = orders.index(desk.layout.order) if desk.layout.order in orders else -1
            desk.arranged = HandLayout(orders[(now + 1) % len(orders)])
        else:
            desk.arranged = HandLayout(HAND_ORDERS[self.order])
        session.answer(desk.layout.order.value)
        desk.show_hand(scene)


def _read_hand(words: Words) -> Read:
    """Read the words after `hand`: none, an order or its beginning, or groups of tiles.

    `9-4 > 4-8 | 3-3` is two groups. Return a `UsageError` for anything else.
    """
    if not words:
        return ShowHand()
    said = [heard(word).lower() for word in words]
    said = [word for word in said if word not in _AROUND_ORDER] or said
    said = said[1:] if said[0] == "sort" and len(said) > 1 else said
    found = [word for word in ORDERS if word.startswith(said[0])]
    if len(said) == 1 and len(found) == 1:
        return ArrangeHand(found[0])
    text = "name an order ({orders}), or tiles: hand 9-4 > 4-8 | 3-3"
    usage = UsageError(say(text, orders=", ".join(ORDERS)))
    groups: list[tuple[tuple[int, int], ...]] = [()]
    for word in (part for each in words for part in each.split(">") if part):
        tile = read_tile([word])
        pair = None if isinstance(tile, UsageError) else tile
        if word in ("|", "/"):
            groups.append(())
        elif pair is None:
            return usage
        else:
            groups[-1] += (pair,)
    kept = tuple(group for group in groups if group)
    if not kept:
        return usage
    tiles = [tuple(sorted(pair)) for group in kept for pair in group]
    if len(set(tiles)) < len(tiles):
        return UsageError(say("name each tile once"))
    return ArrangeHand(groups=kept)


@one_word
def _offer_orders(_scene: Scene) -> Offers:
    return [(order, say("an order")) for order in ORDERS]


_HAND: Final = TableVerb(
    "hand [ORDER]",
    "Show your tiles, or arrange them: by number, value or train, what you can play first, in the "
    "next order (sort), or in groups of your own.",
    _read_hand,
    short=("h",),
    spanish=("mano",),
    examples=("hand", "hand train", "hand sort", "hand 9-4 > 4-8 | 3-3"),
    offers=_offer_orders,
    is_of_use=in_play,
    also=("my hand", "my tiles", "show my tiles", "mis fichas", "set sort"),
)
_SORT: Final = TableVerb(
    "sort [ORDER]",
    "Arrange your tiles by number, value, train or playable; alone in the next of these orders.",
    lambda words: _read_hand(words or ORDERS[:1]),
    spanish=("ordena", "ordenar"),
    examples=("sort", "sort value", "sort train"),
    offers=_offer_orders,
    is_of_use=in_play,
    also=("sort hand", "sort my hand", "sort my tiles", "sort the hand"),
)


# ---- whose turn it is -----------------------------------------------------------------------


class Plays(OfTable, frozen=True):
    """Say whose turn it is and, if it is the player's own, what they can play."""

    until: ClassVar = Until.ROUND_ENDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say whose turn it is; the player's own plays are written as they could be typed."""
        explain(session.front, turn_sentence(scene))


_PLAYS: Final = TableVerb(
    "plays",
    "Say whose turn it is, and in your own turn what you can play.",
    Plays(),
    spanish=("jugadas",),
)


# ---- advice ---------------------------------------------------------------------------------


class Hint(Ask, frozen=True):
    """Say what an expert would do in this turn."""

    until: ClassVar = Until.ROUND_ENDS
    on_change: ClassVar = OnChange.CLOSES

    async def do(self, session: Session) -> None:
        """Give a hint, in a task for a person; if there can be none now, say why.

        A script's line waits for its turn. In a lesson, the hint is the play the teacher wants.
        """
        await session.hold(lambda view: view.can_move or session.sitting.watches)
        scene = holding(session, session.table_begun())
        if scene is None:
            return
        if not scene.can_move:
            text = "It is not your turn. Type hint train for the longest train you hold."
            session.answer(text)
        elif (wanted := session.desk.teacher.wanted(scene)) is not None:
            explain(session.front, lesson_hint(scene, wanted))
        else:
            await session.thinking.hint(scene)


class HintTrain(OfTable, frozen=True):
    """Say the longest train that the player's tiles can make."""

    until: ClassVar = Until.ROUND_ENDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say the longest train as it could be typed; or say why there is none."""
        plan = planned_train(SeatView(scene.table, scene.seat, scene.hand))
        if plan is not None:
            explain(session.front, plan_sentence(scene, plan))
        elif scene.hand is not None and scene.hand.tiles:
            session.answer("There is no engine yet to begin a train at.")
        else:
            session.answer(NO_TILES)


def _read_hint(words: Words) -> Read:
    """Read the words after `hint`: none, `train` or `tren`, or a beginning of these.

    Return a `UsageError` for anything else.
    """
    if words and not any(train.startswith(heard(words[0]).lower()) for train in ("train", "tren")):
        return UsageError(say("type hint or hint train"))
    return HintTrain() if words else Hint()


@one_word
def _offer_longest(_scene: Scene) -> Offers:
    return [("train", say("the longest one you hold"))]


_HINT: Final = TableVerb(
    "hint [train]",
    "Say what an expert would play here, and why; `train` lays out the longest train you hold.",
    _read_hint,
    spanish=("pista",),
    examples=("hint", "hint train"),
    offers=_offer_longest,
    is_of_use=in_play,
)


class Odds(Ask, frozen=True):
    """Say how likely it is that the others can play."""

    until: ClassVar = Until.ROUND_ENDS
    on_change: ClassVar = OnChange.RENEWS

    async def do(self, session: Session) -> None:
        """Compute the odds, which takes a while, and show them; or say why there are none."""
        scene = holding(session, await session.table_in_play())
        if scene is None:
            return
        if (odds := await session.thinking.thought(scene, table_odds.pieces)) is None:
            text = "There are no odds now: ask again while tiles are played."
            session.answer(text)
        else:
            session.front.tell(OddsShown(scene, odds))


_ODDS: Final = TableVerb(
    "odds",
    "Show how likely each player is to hold a tile for each open end, from what you can know, "
    "and what the next boneyard tile would be good for.",
    Odds(),
    spanish=("probabilidades",),
    is_of_use=in_play,
)


# ---- rounds that are over -------------------------------------------------------------------


class Review(Ask, frozen=True):
    """Review the player's moves in the round with this number, or in the last one scored."""

    named: str | None = None
    on_change: ClassVar = OnChange.YIELDS

    async def do(self, session: Session) -> None:
        """Show the review, or say why there is none; for a person, a task makes the review."""
        await session.hold(lambda view: view.can_move or is_scored(view, self.named))
        await session.reviews.show(self.named)


def _read_review(words: Words) -> Read:
    """Read the number after `review`, if any; return a `UsageError` if it is not one from 1 on."""
    if words and not (is_run(words[0]) and int(words[0])):
        return UsageError(say("type review, or review and the number of a round"))
    return Review(words[0] if words else None)


@one_word
def _offer_rounds(scene: Scene) -> Offers:
    """Offer the numbers, from 1, of the rounds that are over."""
    past = range(1, len(scene.table.past) + 1)
    return [(str(number), say("a round that is over")) for number in past]


_REVIEW: Final = TableVerb(
    "review [ROUND]",
    "Go through your moves of the last scored round, or of the one you name: what was best, "
    "given what you knew then, and what it cost.",
    _read_review,
    spanish=("repasar",),
    examples=("review", "review 2"),
    offers=_offer_rounds,
    is_of_use=has_seat,
)


class LastCard(OfTable, frozen=True):
    """Show the card of the last round again."""

    async def do(self, session: Session) -> None:
        """Show the card; if none was shown since this person came here, show the scores instead."""
        if not session.pause.shows_last():
            await super().do(session)

    def show(self, session: Session, scene: Scene) -> None:
        """Show the score sheet in place of a card."""
        session.front.tell(ScoresShown(scene))


_CARD: Final = TableVerb(
    "card",
    "Show the card of the last round again: who held what, and what it cost.",
    LastCard(),
    spanish=("resumen",),
    also=(
        "last round",
        "last card",
        "show the card",
        "round result",
        "what happened last round",
        "what did everybody have left",
        "what did everyone have left",
        "what was left",
        "última ronda",
    ),
)


class Score(OfTable, frozen=True):
    """Show the score sheet and the evening's games; plays do not close or renew the answer."""

    on_change: ClassVar = OnChange.HOLDS

    async def do(self, session: Session) -> None:
        """Show the score sheet, and the evening's games if one of them was at another table."""
        await super().do(session)
        await session.end_of_game.show_evening()

    def show(self, session: Session, scene: Scene) -> None:
        """Show the score sheet of the game so far."""
        session.front.tell(ScoresShown(scene))


_SCORE: Final = TableVerb(
    "score",
    "Show the score sheet: every round so far, the totals, and the evening's games.",
    Score(),
    short=("s",),
    spanish=("puntos",),
)

VERBS: Final = (_BOARD, _HAND, _SORT, _PLAYS, PLAN, _HINT, _ODDS, _REVIEW, _CARD, _SCORE)
