"""`boneyard play`: a table here, against the program."""

from __future__ import annotations

import argparse

from cli.commands.at_screen import at_screen
from cli.commands.offer import Offering, offering_of
from cli.commands.sitting import data_dir, own_name, record_path, sitting_of
from cli.drawn.rule_sheet import offer_name, offer_of
from cli.exits import ExitCode
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.io.options import HostOptions
from netgame.io.tables import (
    host_table,
)


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; what cannot be offered is said before a screen opens."""
    offering_of(options)
    return at_screen(options, lambda front: play(front, options))


async def play(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Play here against the program; nobody else hears of the table."""
    offering = offering_of(options)
    offer = offer_of(offering.settings)
    assert offer is not None
    front.say(f"Practice game: {offer_name(offer)} against {_bots(offering)}.")
    if options.seed is not None:
        front.say(f"All that is dealt follows from seed {options.seed}, so it is not fair.")
    table = HostOptions(
        name=own_name(options),
        settings=offering.settings,
        data_dir=data_dir(options),
        record=record_path(options),
        bots=offering.bots,
        start_at=offering.start_at,
        lead=offering.first,
        auto=options.auto,
        loopback_only=True,
        announce=False,
        seed=options.seed,
    )
    async with host_table(table) as node:
        return await sit(node, front, sitting_of(node, options, (), starts_itself=True))


def _bots(offering: Offering) -> str:
    return "a bot" if offering.bots == 1 else f"{offering.bots} bots"
