"""The commands about tables: `play`, `host`, `join`, `resume`, and `tables`, which lists them."""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio
from msgspec import structs
from msgspec.structs import replace

from cli.arguments.parser import COMMANDS
from cli.exits import CommandFailed, ExitCode
from cli.history.listing import told_games, unnumbered
from cli.history.naming import data_at, no_such_game
from cli.house_rules.change import Changes
from cli.joining.person import at_screen, host_options, join_options, named, own_name, sitting_of
from cli.joining.search import (
    LOOK_S,
    CodeOfAnother,
    ad_sentence,
    ask_code,
    chosen_of,
    code_of,
    find_table,
    key_teller,
)
from cli.joining.ways import joined
from cli.language import say, say_count
from cli.render.rule_sheet import offer_name, offer_of
from cli.scene import LobbyScene
from cli.screens.ending import run_trio
from cli.session.frontend import FrontEnd
from cli.session.loop import sit
from cli.session.stay import hosts_unseated
from cli.settings.chosen import chosen
from cli.settings.declared import NAME
from cli.visible import print_line
from engine.bots.levels import BotLevel
from netgame.errors import Disconnected, TimedOut
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.browse import find_tables
from netgame.io.disk.files import free_name
from netgame.io.disk.store import DataFolder
from netgame.io.node.node import Node
from netgame.io.node.opening import addresses_to_tell
from netgame.io.tables.again import opened_again, opened_anew
from netgame.io.tables.host import host_table
from netgame.io.tables.kept import SHORT_CHARS, announcers_in, kept_games
from netgame.io.tables.options import AskCode, HostOptions, JoinOptions
from netgame.io.tables.resume import resume_table
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage, TableView


def run(options: argparse.Namespace) -> ExitCode:
    """Run `play`, `host`, `join`, `resume` or `tables`, and return its exit code.

    `tables` returns `NOT_FOUND` if there is none. For a wall the options are changed. Raises
    `CommandFailed`, for what cannot be played before a screen opens.
    """
    if options.wall:
        options.no_seat, options.watch = options.command == "host", options.command == "join"
    if options.command == "tables":
        return run_trio(partial(_list_tables, data_at(None), as_json=options.json))
    table = host_options(options) if options.command in ("play", "host") else None
    return at_screen(options, lambda front: _at_table(front, options, table))


async def _at_table(
    front: FrontEnd, options: argparse.Namespace, table: HostOptions | None
) -> ExitCode:
    """Open this table, or come to one; whom others will see is asked for a name first."""
    if options.command in ("host", "join"):
        options = await named(front, options, COMMANDS)
    if table is not None:
        return await host(front, options, replace(table, name=own_name(options)))
    return await (join if options.command == "join" else resume)(front, options)


# ---- a table of one's own -------------------------------------------------------------------


async def host(
    front: FrontEnd, options: argparse.Namespace, table: HostOptions, *, was_refused: bool = False
) -> ExitCode:
    """Open a table and sit at it, or only chair it; of one to `play` at nobody else hears.

    The next tables of the same company follow here, each with a new record. Returns the exit code
    once the person leaves or no table follows; `was_refused` is as in `SessionOptions`. Raises
    `DiskTrouble` and `PortTrouble`.
    """
    if table.loopback_only:
        offer = offer_of(table.settings)
        assert offer is not None
        text, bots = "Practice game: {offer} against {bots}.", _bots_text(table.bots)
        front.say(say(text, offer=offer_name(offer), bots=bots))
    if options.seed is not None:
        text = "Seed {seed} decides everything that is dealt, so this is not fair."
        front.say(say(text, seed=options.seed))
    changes, last = Changes(pinned=table.start_at is not None), None
    while True:
        async with host_table(table) as node:
            where = _where(node)
            itself = table.start_at is not None
            sitting = sitting_of(node, options, where, starts_itself=itself, changes=changes)
            sitting = structs.replace(sitting, last=last, was_refused=was_refused)
            end = await sit(node, front, sitting)
            if isinstance(end, ExitCode):
                return end
            last, was_refused = _last_folder(node, last), end.was_refused
            if end.is_anew:
                table = opened_anew(node, table, end.bots, end.settings, end.names)
            else:
                table = opened_again(node, table, end.seats)
                text = "Another game: the seats are drawn anew, and it has a record of its own."
                front.say(say(text))
            table = replace(table, name=node.name)
        options = _for_another_game(options, table)


def _last_folder(node: Node, before: Path | None) -> Path | None:
    """Return where the game of a table is kept that is left, or that of before if none began."""
    return before if node.folder is None or node.view().table is None else node.folder.path


def _where(node: Node) -> tuple[str, ...]:
    """Return the addresses at which others can join this table; empty if its node is hidden.

    Where this computer has no network, its loopback address is the only one.
    """
    return () if node.is_hidden else addresses_to_tell(node.port)


def _hang_door(front: FrontEnd, node: Node, where: tuple[str, ...], *, watches: bool) -> None:
    """Show a wall the lobby and where others come in, as nobody tells that of a begun table."""
    code = str(node.door.code or "")
    front.tell(LobbyScene(node.view(), node.key, where, code=code, watches=watches))


def _for_another_game(options: argparse.Namespace, table: HostOptions) -> argparse.Namespace:
    """Return the options for the next game at a `table` of the same company.

    All is as before, but where its record goes, its seed, and your name.
    """
    record = None if table.record is None else str(table.record)
    facts = {"record": record, "seed": table.seed, "name": table.name}
    return argparse.Namespace(**{**vars(options), **facts})


def _bots_text(levels: Sequence[BotLevel]) -> str:
    """Say how many bots there are, and how well they play where that is not as usual."""
    bots = say_count("a bot", "{count} bots", len(levels))
    if set(levels) <= {BotLevel.NORMAL}:
        return bots
    return f"{bots} ({', '.join(level.value for level in levels)})"


# ---- somebody's table -----------------------------------------------------------------------


async def join(
    front: FrontEnd, options: argparse.Namespace, found: TableAd | None = None
) -> ExitCode:
    """Sit down at a table, or watch it: one `found`, by address, by name, or the only one.

    Returns the exit code once the person leaves that table and those that follow it. Raises
    `CommandFailed` or `NetgameError` if there is no such table, or no way to it.
    """
    where: TableAd | str | None = found
    code = ""
    if where is None:
        auto, watches = options.auto, options.watch
        members = announcers_in(data_at(options.data))
        where, code = await find_table(
            front, options.table, auto=auto, watches=watches, members=members
        )
    _say_coming(front, options, where)
    looks = front.asks_back and not (options.auto or options.yes or options.watch)
    seat = replace(
        join_options(options),
        code=code_of(options, where, code),
        ask_code=partial(ask_code, front),
        tell_key=key_teller(front),
        tell_busy=lambda s: front.say(say("The table is busy. Trying again in {s:.1f} s …", s=s)),
        looks_first=looks,
        watches=options.watch,
    )
    return await _sit_down(front, options, seat, where)


def _say_coming(front: FrontEnd, options: argparse.Namespace, where: str | TableAd) -> None:
    """Tell the person which table it is, and whether they come to play or to watch."""
    table = where if isinstance(where, str) else say("{name}'s table", name=where.name)
    text = "Coming to watch {table}." if options.watch else "Asking for a seat at {table}."
    front.say(say(text, table=table))


_ON_THE_WAY_S: Final = 15.0
"""How long a guest keeps trying the next table, which its host may just then open once more."""


async def _sit_down(
    front: FrontEnd,
    options: argparse.Namespace,
    seat: JoinOptions,
    where: str | TableAd,
    *,
    was_refused: bool = False,
) -> ExitCode:
    """Sit at that table, and at the next ones of the same company, for an evening.

    A host that does not answer is tried for some seconds where it may yet open the next table, then
    `Disconnected` or `TimedOut` is raised. Returns the exit code when no table follows;
    `was_refused` is as in `SessionOptions`.
    """
    looks, known, last = seat.looks_first, None, None
    patient_until, tries = trio.current_time() + (_ON_THE_WAY_S if seat.host else 0.0), 0
    seat = replace(seat, ask_code=_asks_once(seat.ask_code, seat.code))
    while True:
        try:
            async with joined(front, seat, where) as (node, where):
                tries, begun = 0, node.view().stage is not TableStage.LOBBY
                if looks and begun and not node.view().sits:
                    await node.take_seat()  # the rules were read before: its record is kept here
                looks = looks and not begun
                found_at = (where,) if isinstance(where, str) else where.endpoints
                sitting = sitting_of(node, options, looks_first=looks)
                sitting = structs.replace(
                    sitting,
                    host_at=found_at,
                    known=known,
                    last=last,
                    returns=node.view().step > 0,
                    watches=seat.watches,
                    was_refused=was_refused,
                )
                if options.wall:
                    _hang_door(front, node, found_at, watches=True)
                end = await sit(node, front, sitting)
                host, known, called = node.view().host_key, node.view().settings, node.name
                last = _last_folder(node, last)
                patient_until = trio.current_time() + _ON_THE_WAY_S
        except (Disconnected, TimedOut):
            if trio.current_time() >= patient_until:
                raise
            tries += 1
            await _wait_for_host(front, tries, patient_until - trio.current_time())
            continue
        except CodeOfAnother as other:
            where, seat = other.table, replace(seat, code=other.code, host=b"")
            _say_coming(front, options, where)
            continue
        if isinstance(end, ExitCode):
            return end
        was_refused = end.was_refused
        watches = options.watch and not end.sits
        where, looks = end.where, not (end.sits or watches) and front.asks_back
        record = None if seat.record is None else free_name(seat.record)
        # a code is for a stranger's first visit: now host and guest know each other's keys
        seat = replace(
            seat, host=host, name=called, looks_first=looks, watches=watches, record=record, code=""
        )
        options = argparse.Namespace(**{**vars(options), "record": record and str(record)})


async def _wait_for_host(front: FrontEnd, tries: int, left_s: float) -> None:
    """Wait 1.5 s before another try; when two have failed, first say how long is left."""
    if tries == 2:
        text = (
            "Nobody opens the table yet. You go along if it is open in the next {seconds} "
            "seconds; if not, this program ends."
        )
        front.say(say(text, seconds=round(left_s)))
    await trio.sleep(_ON_THE_WAY_S / 10)


def _asks_once(ask: AskCode | None, given: str = "") -> AskCode | None:
    """Return an `ask` that gives the last code again where the next table has its number.

    The last code is that `given` as an option, or typed after it; after trouble it is asked for
    again. None if `ask` is None.
    """
    typed = [given] if given else []

    async def again(number: int, trouble: str) -> str | None:
        assert ask is not None
        if trouble or not typed or not typed[-1].startswith(f"{number}-"):
            answer = await ask(number, trouble)
            typed.extend([] if answer is None else [answer])
            return answer
        return typed[-1]

    return None if ask is None else again


async def resume(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Come back to the game of this number, or to the only unfinished one, or ask which.

    The next tables of the same company follow. Returns the exit code once the person leaves or none
    follows. Raises `CommandFailed` or `NetgameError` if there is no such game.
    """
    front.say(say("Looking for your game, and for the others who play it ..."))
    table = await _unfinished(front, data_at(options.data), options.table)
    async with resume_table(join_options(options), table) as node:
        front.say(say("You are back at the table. Catching up …"))
        options = _as_before(options, node.view())
        sitting = structs.replace(sitting_of(node, options), returns=True)
        if hosts_unseated(node.view()) and not options.wall:
            front.say(say("To show this table as a wall again: boneyard resume --wall"))
        if options.wall and node.view().is_host:
            _hang_door(front, node, _where(node), watches=False)
        end = await sit(node, front, sitting)
        view, seat = node.view(), join_options(options)
        if not chosen(NAME, options.name or None):  # whoever sat here under a name keeps it
            seat = replace(seat, name=view.name_of(node.key) or node.name)
        if isinstance(end, ExitCode):
            return end
        again = opened_again(node, seat, end.seats) if view.is_host else None
    if again is not None:
        options = _for_another_game(options, again)
        return await host(front, options, again, was_refused=end.was_refused)
    watches = options.watch and not end.sits
    asks = partial(ask_code, front)
    tells = key_teller(front)
    seat = replace(seat, host=view.host_key, ask_code=asks, tell_key=tells, watches=watches)
    return await _sit_down(front, options, seat, end.where, was_refused=end.was_refused)


def _as_before(options: argparse.Namespace, view: TableView) -> argparse.Namespace:
    """Return the options with `watch` as it was at this table, whatever it is in them.

    It is then set only for whoever has only watched there, and is not the host.
    """
    came_to_watch = view.seat is None and view.own is OwnPlace.WATCHING and not view.is_host
    return argparse.Namespace(**{**vars(options), "watch": came_to_watch})


async def _unfinished(front: FrontEnd, data: DataFolder, wanted: str) -> str:
    """Return the folder's name of the game meant, or its beginning; empty if at most one waits.

    Of several the person chooses. Raises `CommandFailed` saying what to type where nobody is asked,
    and for a `wanted` number that no game has; what is long enough for a folder is not checked.
    """
    games = kept_games(data)
    if wanted:
        meant = [game.path.name for game in games if game.called == wanted]
        if not meant and len(wanted) < SHORT_CHARS:  # nor enough of a folder's name
            raise no_such_game(wanted)
        return meant[0] if meant else wanted
    waiting = [game for game in games if game.waits]
    if len(waiting) < 2:
        return ""
    told = await trio.to_thread.run_sync(lambda: [*told_games(data, waiting)])
    if not front.asks_back:
        known = "; ".join(f"{each.game.called}, {unnumbered(each)}" for each in told)
        text = "{count} games wait for you ({games}). Name one: boneyard resume {number}"
        facts = {"count": len(waiting), "games": known, "number": waiting[0].called}
        raise CommandFailed(ExitCode.USAGE, say(text, **facts))
    listed = {each.game.number: (unnumbered(each), each.game) for each in told}
    return (await chosen_of(front, say("Which game?"), listed)).path.name


# ---- all tables -----------------------------------------------------------------------------


async def _list_tables(data: DataFolder, *, as_json: bool) -> ExitCode:
    found = await find_tables(LOOK_S, members=announcers_in(data))
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
            "code": ad.code_number > 0,
            "watch": ad.can_watch,
            "version": ad.version,
            "addresses": [
                endpoint
                for place in (ad, *ad.others)
                if place.row == ad.row
                for endpoint in place.endpoints
            ],
        }
        if as_json:
            print(json.dumps(facts))
        else:
            print_line(ad_sentence(ad), indent="  ")
    if not found and not as_json:
        print_line(say("No tables on this network. Open one with: boneyard host"), sys.stderr)
    return ExitCode.OK if found else ExitCode.NOT_FOUND
