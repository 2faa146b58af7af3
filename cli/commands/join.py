"""`boneyard join`: a seat at somebody's table, or a place to watch it from."""

import argparse
from dataclasses import replace
from functools import partial

from cli.arrival.join_code import ask_code, code_of
from cli.arrival.person import join_options, sitting_of
from cli.arrival.screen import at_screen
from cli.arrival.search import find_table
from cli.exits import CommandFailed, ExitCode
from cli.said.failures import sentence_of
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.errors import Malformed
from netgame.io.discovery.advert import TableAd
from netgame.io.network.addresses import parse_address
from netgame.io.tables.join import join_table
from netgame.protocol.peer.view import TableStage


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command."""
    return at_screen(options, lambda front: join(front, options))


async def join(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Sit down at a table: by address, by name, or the only one there is."""
    where = await _where(front, options)
    name = where if isinstance(where, str) else f"{where.name}'s table"
    front.say(f"Coming to watch {name}." if options.watch else f"Asking for a seat at {name}.")
    looks = front.asks_back and not (options.auto or options.yes or options.watch)
    seat = replace(
        join_options(options),
        code=code_of(options),
        ask_code=partial(ask_code, front),
        looks_first=looks,
        watches=options.watch,
    )
    async with join_table(seat, where) as node:
        looks = looks and node.view().stage is TableStage.LOBBY
        return await sit(node, front, sitting_of(node, options, looks_first=looks))


async def _where(front: FrontEnd, options: argparse.Namespace) -> str | TableAd:
    """Return an address, or the table that was found; a join code says which by its number."""
    if options.table is not None and ":" in options.table:
        try:
            parse_address(options.table)
        except Malformed as problem:
            raise CommandFailed(ExitCode.USAGE, sentence_of(str(problem))) from None
        return str(options.table)
    return await find_table(front, options.table, auto=options.auto, watches=options.watch)
