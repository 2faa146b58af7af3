"""A finished round gone through once more: from the record, by what its player knew then."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from secrets import token_bytes
from typing import Final

from cli.exits import sentence_of
from cli.language import say, say_count
from cli.scene import is_scored
from cli.session.answers import NOT_BEGUN
from cli.session.frontend import FrontEnd, ReviewShown
from cli.session.stay import is_over
from cli.session.tasks import Tasks, from_thread, in_thread
from engine.bots.review import MoveReview, RoundReview, own_moves, review_move
from engine.table.trains import Seat
from netgame.errors import DiskTrouble
from netgame.io.disk.record_file import read_record
from netgame.io.node.node import Node
from netgame.protocol.ledger.finished import FinishedRound, finished_rounds
from netgame.protocol.ledger.record import BadRecord, walk


def review_round(
    finished: FinishedRound, seat: Seat, told: Callable[[int, int], None] = lambda *_: None
) -> RoundReview:
    """Weigh every choice of a seat; the same record comes to the same, wherever that is done.

    It takes seconds. `told` hears before each choice how many are weighed, and of how many. A
    choice that cannot be weighed is left out.
    """
    moves = [*own_moves(finished.history, finished.tiles, seat)]
    choices = [move for move in moves if move is not None]
    found: list[MoveReview] = []
    for number, own in enumerate(choices):
        told(number, len(choices))
        place = bytes([finished.number % 256, seat, number % 256])
        chance = Random(finished.table_id + place).randbytes
        found += filter(None, [review_move(own, chance)])
    unknown = len(moves) - len(choices)
    return RoundReview(finished.number, seat, tuple(found), unknown)


TOLD_EVERY: Final = 5
"""Choices between two words of progress at a table, each of which stays on the screen."""


def weighed_text(done: int, count: int) -> str:
    """Say how far a review has come."""
    return say("{done} of {count} choices weighed ...", done=done, count=count)


class Reviews:
    """Reviews rounds of this table for one person, while play goes on; refuses two at a time."""

    def __init__(self, node: Node, front: FrontEnd, tasks: Tasks) -> None:
        self._node = node
        self._front = front
        self._tasks = tasks
        self._is_busy = False

    async def show(self, named: str | None) -> None:
        """Show the review of the round with this number, or of the last one; else say why not.

        There is none before the game, without a seat, of a round that is not scored, and while
        another is being made. Where a program or a script asks, it is there when this returns;
        people need not wait.
        """
        view = self._node.view()
        folder, seat = self._node.folder, view.seat
        last = 0 if view.table is None else len(view.table.past)
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
        elif self._is_busy:
            self._front.say(say("One review at a time: the last one is still being made."))
        elif self._front.asks_back:
            self._front.say(say("Going through your moves…"))
            self._tasks.start_soon(self._make, folder.record.path, int(named or last), seat)
        else:
            await self._make(folder.record.path, int(named or last), seat)

    async def _make(self, path: Path, number: int, seat: Seat) -> None:
        self._is_busy = True
        try:
            work = partial(_reviewed, path, number, seat, self._told)
            shown = await in_thread(work, is_left_behind=True)
        finally:
            self._is_busy = False
        if isinstance(shown, str):
            self._front.say(shown)
        else:
            self._front.tell(shown)

    def _told(self, done: int, count: int) -> None:
        """Tell a person every few choices how far it is, from the thread.

        Raise `trio.Cancelled`, which ends the thread, if they have left the table.
        """
        is_due = done and done % TOLD_EVERY == 0 and self._front.asks_back
        from_thread(partial(self._front.say, weighed_text(done, count)) if is_due else None)


def _reviewed(
    path: Path, number: int, seat: Seat, told: Callable[[int, int], None]
) -> ReviewShown | str:
    """Return the review of that round by our own record, or a sentence on why there is none.

    It takes long, so it runs in a thread. There is none if the record cannot be read, or does not
    have the round yet.
    """
    try:
        for finished in finished_rounds(walk(read_record(path), token_bytes)):
            if finished.number == number:
                names = tuple(member.name for member in finished.seats)
                return ReviewShown(review_round(finished, seat, told), names)
    except (BadRecord, DiskTrouble) as problem:
        return sentence_of(say("the record cannot be read: {problem}", problem=problem))
    return say("The record does not have round {number} yet.", number=number)
