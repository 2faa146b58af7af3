"""`boneyard host`: a table on this network, and a seat at it or only the chair."""

from __future__ import annotations

import argparse

from cli.commands.at_screen import at_screen
from cli.commands.offer import offering_of
from cli.commands.sitting import data_dir, own_name, record_path, sitting_of
from cli.exits import ExitCode
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.io.addresses import lan_addresses
from netgame.io.options import HostOptions
from netgame.io.tables import (
    host_table,
)


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; what cannot be offered is said before a screen opens."""
    offering_of(options)
    return at_screen(options, lambda front: host(front, options))


async def host(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Open a table on this network and sit at it, or only chair it."""
    offering = offering_of(options)
    table = HostOptions(
        name=own_name(options),
        settings=offering.settings,
        data_dir=data_dir(options),
        record=record_path(options),
        bots=offering.bots,
        start_at=offering.start_at,
        lead=offering.first,
        auto=options.auto,
        port=options.port,
        seated=not options.no_seat,
        open=options.open,
    )
    async with host_table(table) as node:
        where = lan_addresses(node.port) or (f"127.0.0.1:{node.port}",)
        itself = offering.start_at is not None
        return await sit(node, front, sitting_of(node, options, where, starts_itself=itself))
