"""The review of a finished round, from the record, judged by what the player knew at each move."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from cli.exits import sentence_of
from cli.language import say, say_count
from cli.scene import is_scored
from cli.session.answers import NOT_BEGUN
from cli.session.endings.round_pause import RoundPause
from cli.session.frontend import FrontEnd, ReviewShown
from cli.session.last_answer import LastAnswer
from cli.session.stay import is_over
from cli.session.tasks import Tasks, from_thread, in_breaths
from cli.session.thinking import chance_at
from engine.bots.pieces import Pieces, in_pieces
from engine.bots.review import MoveReview, RoundReview, own_moves, review_move
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.errors import DiskTrouble
from netgame.io.disk.record_file import read_record
from netgame.io.entropy import fresh_octets
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.ledger.finished import FinishedRound, finished_rounds
from netgame.protocol.ledger.record import BadRecord, walk


@in_pieces
def review_round(
    finished: FinishedRound, seat: Seat, told: Callable[[int, int], None] = lambda *_: None
) -> Pieces[RoundReview]:
    """Weigh every choice of a seat in a round, and return the review, working in pieces.

    The same record gives the same review on every computer. It takes seconds. Before each choice,
    call `told` with the number weighed so far and the total number. Leave out a choice that cannot
    be weighed.
    """
    moves = [*own_moves(finished.history, finished.tiles, seat)]
    choices = [move for move in moves if move is not None]
    found: list[MoveReview] = []
    for number, own in enumerate(choices):
        told(number, len(choices))
        weighed = yield from review_move.pieces(own, chance_at(own.view))
        found += filter(None, [weighed])
    unknown = len(moves) - len(choices)
    return RoundReview(finished.number, seat, tuple(found), unknown)


TOLD_EVERY: Final = 5
"""The number of choices weighed between two progress lines, each of which stays on screen."""


def weighed_text(done: int, count: int) -> str:
    """Return a sentence on the progress of a review."""
    return say("{done} of {count} choices weighed ...", done=done, count=count)


class Reviews:
    """The reviews of this table's rounds for one person, made one at a time while play goes on.

    Each review is kept, and shown at once when asked for again. If the person's next turn begins
    before a review is ready, the review is only announced, not shown over that turn.
    """

    def __init__(
        self,
        node: Node,
        front: FrontEnd,
        tasks: Tasks,
        pause: RoundPause,
        refresh: Callable[[], None],
    ) -> None:
        self._node = node
        self._front = front
        self._tasks = tasks
        self._pause = pause
        self._refresh = refresh  # shows `progress`
        self._is_busy = False
        self._weighed = (0, 0)  # for the review in the making: choices weighed, and choices in all
        self._kept: dict[tuple[int, Seat], ReviewShown] = {}
        """The reviews made, by the number of the round, from 1, and the seat."""
        self._asked: tuple[int, Table | None] = (0, None)
        """The number of the round asked for last, and the turn on the screen at that time."""

    async def show(self, named: str | None) -> None:
        """Show the review of the round with this number, or of the last one; else say why not.

        There is no review before the game, without a seat or a record, or for an unscored round.
        Only one is made at a time. For a program or a script, the review is there when this
        returns; for a person a task makes it.
        """
        view = self._node.view()
        folder, seat = self._node.folder, view.seat
        last = 0 if view.table is None else len(view.table.past)
        number = last if named is None else int(named)
        if view.table is None:
            self._front.say(say(NOT_BEGUN))
        elif seat is None:
            self._front.say(say("You hold no tiles here, so there is nothing of yours to review."))
        elif folder is None or not is_scored(view, named):
            one = "1 round is scored so far."
            scored = say_count(one, "{count} rounds are scored so far.", last)
            none = "No round of this game was scored."
            if not is_over(view):
                none = "No round is scored yet."
            self._front.say(scored if last else say(none))
        elif (kept := self._kept.get((number, seat))) is not None:
            self._asked = number, self._turn
            self._front.tell(kept)
        elif self._is_busy:
            self._front.say(say("One review at a time: the last one is still being made."))
        elif self._front.asks_back:
            self._asked = number, self._turn
            self._front.say(say("Going through your moves…"))
            self._tasks.start_soon(self._make, folder.record.path, number, seat)
        else:
            await self._make(folder.record.path, number, seat)

    @property
    def progress(self) -> str:
        """The progress of the review in the making, for the status line; empty without one."""
        done, count = self._weighed
        return say("reviewing: {done} of {count}", done=done, count=count) if count else ""

    def follow(self, notice: notices.Notice) -> None:
        """Drop all reviews when moves are undone: a round may now be played differently."""
        if isinstance(notice, notices.MovesUndone):
            self._kept = {}  # a review in the making goes into the old dict

    def make_way(self, answer: LastAnswer) -> None:
        """Close a review asked for before this turn, if this is the person's first turn of a round.

        Say how to get it back. Do nothing if the last `answer` is not a review.
        """
        number, before = self._asked
        turn = self._turn
        if turn is None or turn is before or not turn.opening:
            return
        if answer.make_way():
            text = "It is your turn. Type review {number} to go on reading."
            self._front.say(say(text, number=number))

    @property
    def _turn(self) -> Table | None:
        """The table at the person's current turn; None out of turn and while a card is shown."""
        view = self._node.view()
        return view.table if view.can_move and not self._pause.stands else None

    async def _make(self, path: Path, number: int, seat: Seat) -> None:
        self._is_busy = True
        kept, (_, before) = self._kept, self._asked
        try:
            work = partial(_reviewed, path, number, seat, self._told)
            shown = await in_breaths(work(), is_left_behind=True)
        finally:
            self._is_busy, self._weighed = False, (0, 0)
            self._refresh()
        if isinstance(shown, str):
            self._front.say(shown)
            return
        kept[number, seat] = shown
        if self._front.asks_back and self._turn not in (None, before):
            text = "Your review of round {number} is ready: type review {number} to read it."
            self._front.say(say(text, number=number))
        else:
            self._front.tell(shown)

    def _told(self, done: int, count: int) -> None:
        """Show a person the progress, and say it every few choices; call this while weighing.

        Raise `trio.Cancelled`, which ends the thread, if the person has left the table.
        """
        from_thread(partial(self._come_to, done, count) if self._front.asks_back else None)

    def _come_to(self, done: int, count: int) -> None:
        self._weighed = done, count
        self._refresh()
        if done and done % TOLD_EVERY == 0:
            self._front.say(weighed_text(done, count))


def _reviewed(
    path: Path, number: int, seat: Seat, told: Callable[[int, int], None]
) -> Pieces[ReviewShown | str]:
    """Return the review of a round from our own record, or a sentence on why there is none.

    It takes long, so it is made in pieces. There is none if the record cannot be read, or does not
    have the round yet.
    """
    try:
        for finished in finished_rounds(walk(read_record(path), fresh_octets)):
            if finished.number == number:
                names = tuple(member.name for member in finished.seats)
                review = yield from review_round.pieces(finished, seat, told)
                return ReviewShown(review, names)
            yield
    except (BadRecord, DiskTrouble) as problem:
        return sentence_of(say("the record cannot be read: {problem}", problem=problem))
    return say("The record does not have round {number} yet.", number=number)
