"""`boneyard review`: one player's moves in a recorded game, and what each was worth."""

import argparse

from cli.exits import CommandFailed, ExitCode
from cli.history.naming import data_at, own_key, record_meant
from cli.joining.person import own_name
from cli.language import either, say, say_count
from cli.render.palette import Line
from cli.render.review import review_body, review_head
from cli.screens.json_answers import review_facts
from cli.session.endings.review import review_round, weighed_text
from cli.settings.look import own_canvas, print_drawn
from cli.streams import has_terminal, is_terminal
from cli.visible import goes_on, print_json, say_progress
from engine.table.trains import Seat
from netgame.io.entropy import fresh_octets
from netgame.protocol.ledger.finished import FinishedRound, finished_rounds
from netgame.protocol.ledger.record import walk


def run(options: argparse.Namespace) -> ExitCode:
    """Review every round, or the one asked for, showing each as soon as it is done.

    Returns `OK`, even if the reader stops early. Raises `CommandFailed` if the record cannot be
    read or does not hold, if no such round is scored, or if the player meant sits in no round.
    """
    last = 0
    done = False
    without = None
    page = _Page()
    say_progress(say("Reading the record ..."))
    with record_meant(options) as octets:
        for finished in finished_rounds(walk(octets, fresh_octets)):
            last = finished.number
            if options.round not in (None, last):
                continue
            if (seat := _seat_of(finished, options)) is None:
                without = without or finished
                continue
            done = True
            if not _show(finished, seat, options, page):
                break
    if without is not None and not done:
        text = "Nobody called {name} played in round {number}. Choose whose moves: --name {names}."
        known = either([member.name for member in without.seats])
        raise CommandFailed(
            ExitCode.USAGE, say(text, name=own_name(options), number=without.number, names=known)
        )
    if not done:
        text = "Only {rounds} in this record. Hands are proved only when a round is scored."
        if not last:
            text = (
                "No round in this record is scored. Hands are proved only when a round is scored."
            )
        rounds = say_count("1 round is scored", "{count} rounds are scored", last)
        raise CommandFailed(ExitCode.FAILED, say(text, rounds=rounds))
    return ExitCode.OK


def _seat_of(finished: FinishedRound, options: argparse.Namespace) -> Seat | None:
    """Return the seat that the options name by name or number; without a name, the reader's.

    The reader's seat has the reader's key; else it is that of the only person among bots, or else
    has the reader's name. None if that player does not sit in this round, for example because they
    came later.
    """
    names = [member.name for member in finished.seats]
    if not options.name:
        keys, own = [member.key.hex() for member in finished.seats], own_key(data_at(options.data))
        people = [Seat(seat) for seat, member in enumerate(finished.seats) if not member.bot]
        if own in keys:
            return Seat(keys.index(own))
        if len(people) == 1:  # a game from a seed has the seed's key
            return people[0]
    wanted = own_name(options)
    for seat, name in enumerate(names):
        if wanted.casefold() == name.casefold() or wanted == str(seat + 1):
            return Seat(seat)
    return None


class _Page:
    """Prints lines; after each windowful it asks a person at a terminal whether to go on."""

    def __init__(self) -> None:
        self._count = 0

    def print(self, *lines: Line) -> bool:
        """Print the lines; return False once a person at a terminal has read enough, else True."""
        asks = has_terminal()
        for line in lines:
            if asks and self._count >= own_canvas().rows - 1:
                self._count = 0
                if not goes_on(say("Enter: next page, q and Enter: stop")):
                    return False
            print_drawn([line])
            self._count += 1
        return True


def _show(finished: FinishedRound, seat: Seat, options: argparse.Namespace, page: _Page) -> bool:
    """Show the moves of a seat; return False once a person at a terminal has read enough."""
    names, canvas = tuple(member.name for member in finished.seats), own_canvas()
    head: tuple[Line, ...] = (review_head(finished.number, names[seat], canvas),)
    # a pipe may print late, over the progress line: only a terminal gets its head early
    if not options.json and is_terminal():
        say_progress("")
        if not page.print(*head):
            return False
        head = ()
    review = review_round(finished, seat, lambda done, of: say_progress(weighed_text(done, of)))
    key = finished.seats[seat].key.hex()
    own = not options.name or key == own_key(data_at(options.data))
    if options.json:
        print_json(review_facts(review, names, own=own))
        return True
    say_progress("")
    return page.print(*head, *review_body(review, names, canvas, own=own))
