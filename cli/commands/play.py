"""`boneyard play`: a table here, against bots."""

import argparse
from dataclasses import replace

from cli.arrival.person import host_options, sitting_of
from cli.arrival.screen import at_screen
from cli.drawn.rule_sheet import offer_name, offer_of
from cli.exits import ExitCode
from cli.house_rules.choice import Offering, practice_of
from cli.house_rules.file import choice_of
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.io.tables.host import host_table


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; what cannot be played is said before a screen opens."""
    offering = practice_of(choice_of(options, options.rules), options.bots)
    return at_screen(options, lambda front: play(front, options, offering))


async def play(front: FrontEnd, options: argparse.Namespace, offering: Offering) -> ExitCode:
    """Play here against bots; nobody else hears of the table."""
    offer = offer_of(offering.settings)
    assert offer is not None
    bots = "a bot" if offering.bots == 1 else f"{offering.bots} bots"
    front.say(f"Practice game: {offer_name(offer)} against {bots}.")
    if options.seed is not None:
        front.say(f"Seed {options.seed} decides everything that is dealt, so this is not fair.")
    table = replace(
        host_options(options, offering), loopback_only=True, announce=False, seed=options.seed
    )
    async with host_table(table) as node:
        return await sit(node, front, sitting_of(node, options, starts_itself=True))
