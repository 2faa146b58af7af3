"""`boneyard review`: the moves of one player of a recorded game, and what each was worth."""

import argparse
import json
import shutil
import sys
from secrets import token_bytes
from typing import Final

from cli.arrival.person import own_name
from cli.drawn.cells import Canvas
from cli.drawn.palette import ansi_text
from cli.drawn.review import review_lines
from cli.exits import CommandFailed, ExitCode, sentence_of
from cli.files import read_octets
from cli.past.naming import data_at, own_key, record_named
from cli.said.review import NOT_SCORED, scored_text
from cli.screens.json_answers import review_facts
from cli.seat.review import review_round
from cli.settings.look import own_glyphs, own_palette
from cli.visible import open_door
from engine.bots.review import RoundReview
from engine.table.trains import Seat
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol.ledger.finished import FinishedRound, finished_rounds
from netgame.protocol.ledger.record import BadRecord, walk

_TOLD_EVERY: Final = 5
"""Choices between two lines of progress."""


def run(options: argparse.Namespace) -> ExitCode:
    """Review every round, or the one that was asked for, each as soon as it is done."""
    name = record_named(options.file, data_at(options.data))
    octets = read_octets(name, RECORD_BYTES_MAX)
    last, done = 0, False
    try:
        for finished in finished_rounds(walk(octets, token_bytes)):
            last = finished.number
            if options.round in (None, last):
                _show(finished, _seat_of(finished, options), options)
                done = True
    except BadRecord as problem:
        text = f"{name} is not a good record: {problem}"
        raise CommandFailed(ExitCode.FAILED, sentence_of(text)) from None
    if not done:
        said = f"Only {scored_text(last)} in this record." if last else NOT_SCORED
        why = "What was held is proved when a round is scored."
        raise CommandFailed(ExitCode.FAILED, f"{said} {why}")
    return ExitCode.OK


def _seat_of(finished: FinishedRound, options: argparse.Namespace) -> Seat:
    """Find whose moves are asked for, by name or number; else your key's, or your name's."""
    names = [member.name for member in finished.seats]
    own = "" if options.name else own_key(data_at(options.data))
    keys = [member.key.hex() for member in finished.seats]
    if own in keys:
        return Seat(keys.index(own))
    wanted = own_name(options)
    for seat, name in enumerate(names):
        if wanted.casefold() == name.casefold() or wanted == str(seat + 1):
            return Seat(seat)
    said = f"Nobody called {wanted} sits in round {finished.number}."
    raise CommandFailed(ExitCode.USAGE, f"{said} Say whose moves: --name {' or '.join(names)}.")


def _show(finished: FinishedRound, seat: Seat, options: argparse.Namespace) -> None:
    review = review_round(finished, seat, _progress)
    names = tuple(member.name for member in finished.seats)
    key = finished.seats[seat].key.hex()
    own = not options.name or key == own_key(data_at(options.data))
    if options.json:
        print(json.dumps(review_facts(review, names, own=own), ensure_ascii=False), flush=True)
    else:
        _draw(review, names, own=own)


def _progress(done: int, of: int) -> None:
    """Tell a person who waits at a terminal how far it is."""
    if done % _TOLD_EVERY == 0 and sys.stderr.isatty():
        print(f"{done} of {of} choices weighed ...", file=sys.stderr, flush=True)


def _draw(review: RoundReview, names: tuple[str, ...], *, own: bool) -> None:
    palette = own_palette()
    size = shutil.get_terminal_size()
    canvas = Canvas(size.columns, size.lines, own_glyphs())
    for line in review_lines(review, names, canvas, own=own):
        print(ansi_text(line, palette).rstrip(), file=open_door(), flush=True)
