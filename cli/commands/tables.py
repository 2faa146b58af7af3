"""`play`, `host`, `join`, `tables`, and `boneyard` alone: options in, a seat at a table out."""

from __future__ import annotations

import getpass
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

import trio

from cli.commands.join_code import asker, code_of
from cli.commands.offer import offering_of
from cli.drawn.rule_sheet import offer_name, offer_of
from cli.exits import CommandFailed, ExitCode
from cli.said.failures import as_failure, sentence_of
from cli.seat.loop import sit
from cli.seat.player import Sitting
from cli.visible import print_line
from netgame.errors import Malformed
from netgame.io.addresses import lan_addresses, parse_address
from netgame.io.codes import looks_like_code, parse_code
from netgame.io.options import HostOptions, JoinOptions
from netgame.io.store import DataFolder
from netgame.io.tables import (
    find_tables,
    host_table,
    join_table,
    resume_table,
    unfinished_tables,
)
from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.peer.view import Stage
from netgame.protocol.text import clean_text, join_names

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable

    from cli.commands.offer import Offering
    from cli.seat.frontend import FrontEnd
    from netgame.io.advert import TableAd
    from netgame.io.node import Node

__all__ = ["ad_sentence", "find_table", "host", "join", "play", "run"]

LOOK_S: Final = 3.0
"""`tables` and the menu look this long; a table on the same network shows up within 0.2 s."""

JOIN_PATIENCE_S: Final = 20.0
"""`join` without an address waits this long for a table to open."""


def run(options: argparse.Namespace) -> ExitCode:
    """Run one of the commands that need a network or a table."""
    match options.command:
        case "tables":
            return _guarded(lambda: trio.run(_list_tables, options.json))
        case "play":
            return _at_screen(options, lambda front: play(front, options))
        case "host":
            return _at_screen(options, lambda front: host(front, options))
        case "join":
            return _at_screen(options, lambda front: join(front, options))
        case "resume":
            return _at_screen(options, lambda front: resume(front, options))
        case _:
            from cli.commands.menu import menu

            return _at_screen(options, menu)


def _at_screen(
    options: argparse.Namespace, main: Callable[[FrontEnd], Awaitable[ExitCode]]
) -> ExitCode:
    """Choose the front end and run the loop on it."""
    if options.command in ("play", "host"):
        offering_of(options)
    as_json = getattr(options, "json", False)
    asked = getattr(options, "plain", False) or os.environ.get("ACCESSIBLE")
    if as_json or asked or not _at_terminal():
        from cli.seat.plain import run_plain

        return _guarded(lambda: run_plain(main, as_json=as_json))
    from cli.seat.terminal import run_terminal

    return _guarded(lambda: run_terminal(main))


def _at_terminal() -> bool:
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    return screen and os.environ.get("TERM") != "dumb"


def _guarded(work: Callable[[], int]) -> ExitCode:
    """Turn what a person can mend into one sentence and a code; bugs stay tracebacks."""
    try:
        return ExitCode(work())
    except BaseException as error:
        failure = as_failure(error)
        if failure is None:
            raise
        raise failure from None


# ---- options --------------------------------------------------------------------------------


def own_name(options: argparse.Namespace) -> str:
    """Return the name to sit under: the option, `BONEYARD_NAME`, or the login."""
    given = getattr(options, "name", None) or os.environ.get("BONEYARD_NAME") or _login()
    return clean_text(given, NAME_CELLS_MAX, "player")


def _login() -> str:
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError, ImportError):
        return "player"


def _data(options: argparse.Namespace) -> Path | None:
    given = getattr(options, "data", None) or os.environ.get("BONEYARD_DATA")
    return Path(given) if given else None


def _record(options: argparse.Namespace) -> Path | None:
    return Path(options.record) if options.record else None


# ---- sitting --------------------------------------------------------------------------------


async def play(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Play here against the program; nobody else hears of the table."""
    offering = offering_of(options)
    offer = offer_of(offering.settings)
    assert offer is not None
    front.say(f"You practise {offer_name(offer)} against {_bots(offering)}.")
    if options.seed is not None:
        front.say(f"All that is dealt follows from seed {options.seed}, so it is not fair.")
    table = HostOptions(
        name=own_name(options),
        settings=offering.settings,
        data_dir=_data(options),
        record=_record(options),
        bots=offering.bots,
        start_at=offering.start_at,
        lead=offering.first,
        auto=options.auto,
        loopback_only=True,
        announce=False,
        seed=options.seed,
    )
    async with host_table(table) as node:
        return await sit(node, front, _sitting(node, options, (), starts_itself=True))


def _bots(offering: Offering) -> str:
    return "a bot" if offering.bots == 1 else f"{offering.bots} bots"


async def host(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Open a table on this network and sit at it, or only chair it."""
    offering = offering_of(options)
    table = HostOptions(
        name=own_name(options),
        settings=offering.settings,
        data_dir=_data(options),
        record=_record(options),
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
        return await sit(node, front, _sitting(node, options, where, starts_itself=itself))


async def join(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Sit down at a table: by address, by name, or the only one there is."""
    where = await _where(front, options)
    name = where if isinstance(where, str) else f"{where.name}'s table"
    watches = options.watch
    front.say(f"Coming to watch {name}." if watches else f"Asking for a seat at {name}.")
    looks = front.asks_back and not (options.auto or options.yes or watches)
    seat = replace(
        _seat_options(options),
        code=code_of(options),
        ask_code=asker(front),
        looks_first=looks,
        watches=watches,
    )
    async with join_table(seat, where) as node:
        looks = looks and node.view().stage is Stage.LOBBY
        sitting = _sitting(node, options, ())
        return await sit(node, front, replace(sitting, looks_first=looks))


async def resume(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Come back to the latest table, or to the one whose folder's name begins so."""
    async with resume_table(_seat_options(options), options.table) as node:
        front.say("You are back at the table; what was missed is being fetched.")
        for other in await _others(node):
            front.say(other)
        return await sit(node, front, _sitting(node, options, ()))


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


def _seat_options(options: argparse.Namespace) -> JoinOptions:
    return JoinOptions(
        name=own_name(options),
        data_dir=_data(options),
        record=_record(options),
        auto=options.auto,
    )


def _sitting(
    node: Node,
    options: argparse.Namespace,
    addresses: tuple[str, ...],
    *,
    starts_itself: bool = False,
) -> Sitting:
    """Say how this person sits, from the options."""

    def ending() -> tuple[str, ...]:
        return _ending(node, options)

    watches = getattr(options, "watch", False)
    looks_on = watches or getattr(options, "no_seat", False)

    def code() -> str:
        return str(node.door.code or "")

    return Sitting(
        addresses,
        auto=options.auto,
        stays=options.auto or looks_on,
        starts_itself=starts_itself,
        ending=ending,
        code=code,
        watches=watches,
    )


def _ending(node: Node, options: argparse.Namespace) -> tuple[str, ...]:
    """Say what was proved, and how to check it again; a command last, to be copied."""
    kept = options.record or (str(node.folder.record.path) if node.folder is not None else "")
    seats = len(node.view().seats)
    if getattr(options, "seed", None) is not None:
        said = (
            f"It was dealt from seed {options.seed}: a demonstration, not a fair deal. "
            "The same moves bring the same game again."
        )
    else:
        said = (
            f"Every deck was shuffled by all {seats} seats, and every shuffle, draw and pass was "
            "proved to all of them."
        )
    check = f"The record is in a file; check it again with: boneyard verify {quote(kept)}"
    return (said, check) if kept else (said,)


# ---- finding --------------------------------------------------------------------------------


async def _where(front: FrontEnd, options: argparse.Namespace) -> str | TableAd:
    """Return an address, or the table that was found; a join code says which by its number."""
    if options.table is not None and ":" in options.table:
        try:
            parse_address(options.table)
        except Malformed as problem:
            raise CommandFailed(ExitCode.USAGE, sentence_of(str(problem))) from None
        return str(options.table)
    return await find_table(front, options.table, auto=options.auto, watches=options.watch)


async def find_table(
    front: FrontEnd, wanted: str | None, *, auto: bool, watches: bool = False
) -> TableAd | str:
    """Wait for a table whose host or fingerprint begins with `wanted`, an open one if possible.

    Without a name the only table there is will do; of several the person chooses, and `auto`
    takes the first. A game that has begun is taken where one is meant by name, where one only
    `watches`, and where nothing else is found. A name that nobody advertises is tried as a host
    name.
    """
    front.say("Looking for a table on this network ...")
    began = trio.current_time()
    deadline = began + (JOIN_PATIENCE_S if wanted is None else LOOK_S)
    while True:
        left = deadline - trio.current_time()
        begun = watches or wanted is not None or trio.current_time() - began >= LOOK_S
        patience = max(0.5, left if begun else LOOK_S)
        found = await find_tables(patience, at_least=1, begun=begun)
        fits = _fitting(found, wanted, begun=begun, watches=watches)
        if len(fits) == 1 or (fits and auto):
            return fits[0]
        if fits:
            return await _choose(front, fits)
        if left <= 0.5:
            break
        await trio.sleep(0.2)
    if wanted is not None and "." in wanted:
        return wanted
    name = f" {wanted}" if wanted is not None else ""
    raise CommandFailed(
        ExitCode.NOT_FOUND,
        f"No open table{name} was found on this network. Ask for its address, "
        "then: boneyard join HOST:PORT",
    )


def _fitting(
    found: tuple[TableAd, ...], wanted: str | None, *, begun: bool, watches: bool
) -> list[TableAd]:
    """Which tables are meant: open ones, or if there is none, or for who watches, begun ones."""
    meant = [ad for ad in found if wanted is None or _is_meant(ad, wanted)]
    still_open = [ad for ad in meant if ad.is_open]
    if still_open and not watches:
        return still_open
    return [ad for ad in meant if ad.is_open or (begun and ad.can_watch)]


def _is_meant(ad: TableAd, wanted: str) -> bool:
    folded = wanted.casefold()
    if looks_like_code(wanted):
        return ad.code_number == parse_code(wanted).number
    return ad.name.casefold().startswith(folded) or ad.fingerprint.startswith(folded)


async def _choose(front: FrontEnd, fits: list[TableAd]) -> TableAd:
    """Let the person choose one of several tables by its number."""
    for number, ad in enumerate(fits, 1):
        front.say(f"{number}: {ad_sentence(ad)}")
    front.say("Which table? Type its number.")
    while (line := await front.next_line()) is not None:
        text = line.strip()
        if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(fits):
            return fits[int(text) - 1]
        front.say(f"Type a number from 1 to {len(fits)}.")
    raise CommandFailed(ExitCode.NOT_FOUND, "No table was chosen.")


def ad_sentence(ad: TableAd) -> str:
    """Say what a table offers, in one line."""
    state = "open" if ad.is_open else ad.phase
    state = "playing, can be watched" if ad.can_watch else state
    seats = f"{ad.seats_taken} of {ad.seats_offered} seats taken"
    where = ad.endpoints[0] if ad.endpoints else "no address"
    return f"{ad.name}, {ad.preset} double-{ad.pip_max}, {seats}, {state}, at {where}"


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
