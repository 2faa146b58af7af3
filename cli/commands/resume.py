"""`boneyard resume`: back to a table that is not finished."""

import argparse

import trio

from cli.arrival.person import join_options, sitting_of
from cli.arrival.screen import at_screen
from cli.exits import ExitCode
from cli.seat.frontend import FrontEnd
from cli.seat.loop import sit
from netgame.io.disk.store import DataFolder
from netgame.io.node.node import Node
from netgame.io.tables.resume import resume_table, unfinished_tables
from netgame.protocol.text import join_names


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command."""
    return at_screen(options, lambda front: resume(front, options))


async def resume(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Come back to the latest table, or to the one whose folder's name begins so."""
    async with resume_table(join_options(options), options.table) as node:
        front.say("You are back at the table. Catching up …")
        for other in await _others(node):
            front.say(other)
        return await sit(node, front, sitting_of(node, options))


async def _others(node: Node) -> list[str]:
    """Name the other tables that are not finished, and how to come back to each."""
    folder = node.folder
    if folder is None:
        return []
    data = DataFolder(folder.path.parent.parent)
    found = await trio.to_thread.run_sync(unfinished_tables, data)
    return [
        f"Another unfinished table, of {join_names(each.players)}: boneyard resume {each.short}"
        for each in found
        if each.path != folder.path
    ]
