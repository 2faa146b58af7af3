"""`boneyard tables`: the tables on this network."""

import argparse
import json
import sys

import trio

from cli.arrival.screen import guarded
from cli.arrival.search import LOOK_S, ad_sentence
from cli.exits import ExitCode
from cli.visible import print_line
from netgame.io.discovery.browse import find_tables


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command."""
    return guarded(lambda: trio.run(_list_tables, options.json))


async def _list_tables(as_json: bool) -> ExitCode:  # noqa: FBT001 - trio.run takes no keywords
    found = await find_tables(LOOK_S)
    for ad in found:
        facts = {
            "name": ad.name,
            "fingerprint": ad.fingerprint,
            "preset": ad.preset,
            "set": ad.pip_max,
            "taken": ad.seats_taken,
            "seats": ad.seats_offered,
            "phase": ad.phase,
            "open": ad.is_open,
            "watch": ad.can_watch,
            "addresses": list(ad.endpoints),
        }
        print_line(json.dumps(facts) if as_json else ad_sentence(ad))
    if not found and not as_json:
        print("No tables on this network. Open one with: boneyard host", file=sys.stderr)
    return ExitCode.OK if found else ExitCode.NOT_FOUND
