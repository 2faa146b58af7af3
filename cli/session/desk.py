"""A player's desk: their plan, and how they have arranged their hand."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from msgspec import structs

from cli.input.plan import (
    Plan,
    is_opening,
    longest_line,
    next_lay,
    next_step,
    part_that_holds,
    plan_text,
    tiles_text,
    why_not_whole,
    without_played,
)
from cli.language import say
from cli.render.hand import Picture, Suggestion, choice_lines, hand_lines
from cli.render.layout import AS_DEALT, HandLayout
from cli.scene import (
    CompletionContext,
    DoorSeen,
    LobbyScene,
    Scene,
    asked_draw,
    choices,
    legal,
    scene_of,
)
from cli.session.frontend import FrontEnd, TableShown
from cli.session.kept_desk import keep_desk, kept_desk
from cli.session.tasks import Lock
from cli.session.teacher import NO_TEACHER, Teacher
from cli.wording.moves import move_text
from cli.wording.since import since_last_turn
from engine.table.moves import LayTile, Move
from engine.table.table import ENDED, Table
from engine.table.trains import Seat
from netgame.io.network.addresses import number_of
from netgame.io.node.node import Node
from netgame.protocol.notices import Dealt, Notice
from netgame.protocol.peer.view import TableView

_TRAIN_MIN: Final = 2
"""The fewest tiles of a train that is worth offering."""


@dataclass(slots=True)
class Desk:
    """One person's plan and the arrangement of their hand; `show` draws both with the table.

    Verbs and typed lines change `arranged`, `plan`, `offered` and `asked`.
    """

    node: Node
    front: FrontEnd
    usual: HandLayout = AS_DEALT
    """The arrangement of a hand that they have not arranged themselves."""
    teacher: Teacher = NO_TEACHER
    """The teacher, which may want one particular play in a turn, as in a lesson."""
    asks_draw: bool = False
    """True to ask them before the program draws for them."""
    offers_trains: bool = True
    """True to offer the longest train in hand as a plan."""
    plan: Plan | None = None
    """Their plan for this round; `follow` removes the tiles that have been played."""
    arranged: HandLayout | None = None
    """How they have arranged their hand; None for the usual way."""
    offered: tuple[int, Move] | None = None
    """After an unclear line, the present step and the move that Enter plays in it."""
    asked: tuple[Move, ...] = ()
    """The moves that the last line could have meant; the next line may choose among them."""
    shown: Table | None = None
    """The table that was drawn last."""

    _told: Table | None = None
    """The table at which we last said how to play."""
    _round: int = 0
    """The number of the round that the plan is for."""
    _kept: tuple[Plan | None, HandLayout | None] = (None, None)
    _keeping: Lock = field(default_factory=Lock)

    @property
    def layout(self) -> HandLayout:
        """How the hand is arranged."""
        return self.arranged or self.usual

    # ---- shown ----------------------------------------------------------------------------

    def place(self) -> CompletionContext:
        """Return what completion is about: the lobby before the game, else the table.

        The table includes the other seats that are missed and may be voted on.
        """
        view, code = self.node.view(), str(self.node.door.shown or "")
        scene = self.scene()
        if scene is None:
            return LobbyScene(view, self.node.key, code=code, door=self.door())
        others = ((Seat(at), info) for at, info in enumerate(view.seats) if not info.left)
        missed = [at for at, info in others if at != view.seat and self.node.is_missed(info.key)]
        return replace(scene, missed=tuple(missed), code=code, door=self.door())

    def scene(self) -> Scene | None:
        """Return the table as this person plays at it; None before there is one."""
        return scene_of(self.node.view(), asks_draw=self.asks_draw)

    def door(self) -> DoorSeen | None:
        """Return where wrong codes came from, and which addresses are blocked.

        None if this program admits no newcomers.
        """
        node = self.node
        if node.is_hidden or not node.view().announces:
            return None
        tried = (source for source in node.door.wrong_tries() if number_of(source) is not None)
        return DoorSeen(tuple(tried), tuple(sorted(node.door.blocked)))

    def show(self) -> bool:
        """Show table, hand and plan as they are now; return False while there is no table."""
        scene = self.scene()
        if scene is None:
            return False
        self.front.tell(TableShown(scene, self.picture(self.node.view(), scene)))
        self.shown = scene.table
        return True

    def say_how_to_play(self, scene: Scene) -> None:
        """Tell a player who pressed Enter to no effect how to play, but only once a turn.

        Say nothing if the list of plays is empty.
        """
        if choices(scene) and self._told != scene.table:
            self._told = scene.table
            text = "It is your turn: type the number of a play, or hint, or help."
            found = self.suggestion(scene)
            if found is not None and not found.plays:
                text = "Press Tab to write the train that is offered, then Enter to play it."
            self.front.say(say(text))

    def show_hand(self, scene: Scene) -> bool:
        """Show the hand as it is arranged, and the list of plays; return False without a hand.

        A screen that keeps the board shows both already: draw nothing, and return True.
        """
        if scene.hand is None:
            return False
        if self.front.keeps_board:
            return True
        canvas = self.front.canvas()
        self.front.show((*hand_lines(scene, canvas, self.layout), *choice_lines(scene, canvas)))
        return True

    def picture(self, view: TableView, scene: Scene) -> Picture:
        """Return how the hand is arranged, the notes on a plan, and what Tab and Esc would type.

        It also contains the events since this seat's last turn.
        """
        seat = scene.seat if scene.sits else None  # a seat that the table went on without: no turn
        since = since_last_turn(view.history, scene.table, seat, in_turn=scene.can_move)
        held = scene.hand.tiles if scene.hand is not None else ()
        new = frozenset(tile for position, tile in held if position in since.drawn)
        layout, notes = structs.replace(self.layout, new=new), self._notes(scene)
        back = "n" if self._asks_back(view.step) else ""
        return Picture(layout, notes, since, self.suggestion(scene), back=back)

    def _asks_back(self, step: int) -> bool:
        """Return True if a move waits for a yes in this step, so that Enter makes it."""
        return self.offered is not None and self.offered[0] == step

    def declines(self, word: str) -> bool:
        """Drop the move that waits for a yes if this word is a no; return whether it did."""
        if word not in ("n", "no") or not self._asks_back(self.node.view().step):
            return False
        self.offered = None
        self.front.say(say("Nothing is played."))
        return True

    def beside(self, place: CompletionContext) -> Picture:
        """Return the whole picture beside `place` in a round, else only layout and suggestion."""
        if isinstance(place, Scene) and place.table.phase not in ENDED:
            return self.picture(self.node.view(), place)
        return Picture(self.layout, suggestion=self.suggestion(place))

    def _notes(self, scene: Scene) -> tuple[str, ...]:
        if scene.hand is None:
            return ()
        if self.plan is not None:
            found, step = self.suggestion(scene), next_step(self.plan, scene)
            text = "Plan {plan}"
            if scene.can_move:
                plays = bool(step) and found is not None and found.text == step
                text = "Plan {plan} (Enter plays {step})" if plays else "Plan {plan} (it waits)"
            return (say(text, plan=plan_text(scene, self.plan), step=step),)
        best = longest_line(scene) if self.offers_trains else None
        if best is None or len(best.pairs) < _TRAIN_MIN:
            return ()
        opens = scene.can_move and is_opening(scene)
        if not opens and scene.can_move:
            return ()
        text = "Longest train (type plan to keep it): {tiles}"
        found = self.suggestion(scene) if self.front.has_keys else None
        if found is not None and not found.plays:
            text = "Longest train (Tab types it): {tiles}"
        return (say(text, tiles=tiles_text(best.pairs)),)

    def suggestion(self, scene: CompletionContext) -> Suggestion | None:
        """Return what Tab writes at an empty prompt; None out of turn, or with nothing to suggest.

        It is the first of these: a draw that the player must ask for, the move that waits for a
        yes, the teacher's play, the next step of the plan, the only legal lay, or, without a plan,
        the longest train. Enter plays each but the last. The teacher's play and the only lay are
        suggested only on a screen with `has_keys`.
        """
        if not isinstance(scene, Scene) or not scene.can_move:
            return None
        if (draw := asked_draw(scene)) is not None:
            return Suggestion(move_text(scene, draw), plays=True)
        if self.offered is not None and self._asks_back(self.node.view().step):
            return Suggestion(move_text(scene, self.offered[1]), plays=True)
        wished = self.teacher.wanted(scene)
        if wished is not None and self.front.has_keys:
            return Suggestion(move_text(scene, wished), plays=True)
        if self.plan is not None and (step := next_step(self.plan, scene)):
            return Suggestion(step, plays=True)
        listed = legal(scene)
        if len(listed) == 1 and isinstance(listed[0], LayTile) and self.front.has_keys:
            return Suggestion(move_text(scene, listed[0]), plays=True)
        offers = self.offers_trains and self.plan is None
        best = longest_line(scene) if offers else None
        if best is None or len(best.pairs) < _TRAIN_MIN or next_lay(best, scene) is None:
            return None
        return Suggestion(tiles_text(best.pairs), plays=False)

    # ---- kept -----------------------------------------------------------------------------

    async def keep(self) -> None:
        """Write plan and arrangement to the game's folder, if they have changed.

        So they outlive the program. A game that keeps no record writes nothing. A typed line and a
        notice may both change them; a lock keeps the older state from being written last. If the
        disk fails, the person is told, and nothing is raised.
        """
        folder = self.node.folder
        async with self._keeping:
            now = self.plan, self.arranged
            if folder is not None and now != self._kept:
                self._kept = now
                write = partial(keep_desk, folder.path, self._round, *now)
                await self.node.on_disk(write, None)

    def recall(self) -> None:
        """Restore the kept plan and arrangement, as far as they are still valid.

        Change nothing before the game, or if the game keeps no record.
        """
        scene, folder = scene_of(self.node.view()), self.node.folder
        if folder is not None and scene is not None:
            self._kept = self.plan, self.arranged = kept_desk(folder.path, scene)
            self._round = scene.table.round_number

    def follow(self, scene: Scene | None, notice: Notice) -> None:
        """Remove from the plan the tiles that were played or can no longer be played.

        Say which tiles can no longer be played. A new hand drops the plan and the groups of the old
        hand. A plan that ends with its round, or with its seat, is dropped in silence.
        """
        if isinstance(notice, Dealt):
            self.plan = None
            self.arranged = None if self.layout.groups else self.arranged
        if scene is None:
            return
        before, self._round = self._round, scene.table.round_number
        if not scene.sits or scene.table.phase in ENDED or self._round != before:
            self.plan = None
        if self.plan is None:
            return
        left = without_played(self.plan, scene)
        kept = part_that_holds(left, scene)
        if kept != left:
            text = "Your plan {plan} is dropped: {why}."
            if kept.pairs:
                text = "Your plan is {plan} now, without {lost}: {why}."
            plan = plan_text(scene, kept if kept.pairs else left)
            lost = tiles_text([pair for pair in left.pairs if pair not in kept.pairs])
            self.front.say(say(text, plan=plan, lost=lost, why=why_not_whole(left, scene)))
        self.plan = kept if kept.pairs else None
