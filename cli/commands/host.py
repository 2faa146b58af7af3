"""`boneyard host`: a table on this network, and a seat at it or only the chair."""

import argparse
from dataclasses import replace

from cli.arrival.person import host_options, sitting_of
from cli.arrival.screen import at_screen
from cli.exits import ExitCode
from cli.house_rules.choice import Offering, offering_of
from cli.house_rules.file import choice_of
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.io.network.neighbours import lan_addresses
from netgame.io.tables.host import host_table


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; what cannot be offered is said before a screen opens."""
    choice = choice_of(options, options.rules)
    offering = offering_of(choice, options.bots, own_seat=not options.no_seat)
    return at_screen(options, lambda front: host(front, options, offering))


async def host(front: FrontEnd, options: argparse.Namespace, offering: Offering) -> ExitCode:
    """Open a table on this network and sit at it, or only chair it."""
    table = replace(
        host_options(options, offering),
        port=options.port,
        seated=not options.no_seat,
        open=options.open,
    )
    async with host_table(table) as node:
        where = lan_addresses(node.port) or (f"127.0.0.1:{node.port}",)
        itself = offering.start_at is not None
        return await sit(node, front, sitting_of(node, options, where, starts_itself=itself))
