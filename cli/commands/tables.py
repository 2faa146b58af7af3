"""The commands about tables: `play`, `host`, `join`, `resume`, and `tables`, which lists them."""

import argparse
from functools import partial

from msgspec.structs import replace

from cli.arguments.parser import COMMANDS
from cli.commands.page import page_folder
from cli.exits import CommandFailed, ExitCode
from cli.history.listing import told_games, unnumbered
from cli.history.naming import data_at, no_such_game
from cli.joining.choosing import chosen_of
from cli.joining.evening import Coming, Resuming, asks_once, opening, say_coming, spend
from cli.joining.person import at_screen, host_options, join_options, named, own_name, sitting_of
from cli.joining.search import LOOK_S, ad_sentence, ask_code, code_of, find_table, key_teller
from cli.language import say
from cli.program import typed_in_shell
from cli.screens.ending import run_trio
from cli.screens.runs import AtScreen
from cli.session.frontend import FrontEnd
from cli.settings.chosen import chosen
from cli.settings.declared import NAME
from cli.streams import can_draw
from cli.visible import print_json, print_line
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.clock import unix_time
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.browse import find_tables
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import SHORT_CHARS, announcers_in, kept_games, offered_games, waits_at
from netgame.io.tables.options import HostOptions
from netgame.io.work import apart


def run(options: argparse.Namespace) -> AtScreen | ExitCode:
    """Return `play`, `host`, `join` or `resume` to be run at a screen, or run `tables`.

    `tables` returns `NOT_FOUND` if there is no table, and raises `Unable` where tables cannot be
    looked for. Before a screen opens, raises `CommandFailed` if the arguments make no possible
    table, or if there is no page to serve.
    """
    if options.command == "tables":
        if not ABILITIES.get().discovers:
            text = "tables cannot be looked for from here; join one by its address: join HOST:PORT"
            raise Unable(text)
        return run_trio(partial(_list_tables, data_at(None), as_json=options.json))
    if options.command == "resume" and _hung_on_wall(options):
        options = argparse.Namespace(**{**vars(options), "wall": True})
    if options.page:
        page_folder()  # fail at once if there is no page
    table = host_options(options) if options.command in ("play", "host") else None
    return at_screen(options, lambda front: _at_table(front, options, table))


def _hung_on_wall(options: argparse.Namespace) -> bool:
    """Return True if the game to resume was shown as a wall, and a wall can be drawn here too."""
    if options.plain or options.json or not can_draw():
        return False
    waiting = [game for game in kept_games(data_at(options.data)) if game.waits]
    meant = [game for game in waiting if options.table in ("", game.called)]
    return len(meant) == 1 and meant[0].notes is not None and meant[0].notes.on_wall


async def _at_table(
    front: FrontEnd, options: argparse.Namespace, table: HostOptions | None
) -> ExitCode:
    """Host `table`, or join or resume one if that is None; return the exit code.

    Before `host` and `join`, the person is asked for a name if it is not known.
    """
    if options.command in ("host", "join"):
        options = await named(front, options, COMMANDS)
    if table is not None:
        return await host(front, options, replace(table, name=own_name(options)))
    return await (join if options.command == "join" else resume)(front, options)


async def host(front: FrontEnd, options: argparse.Namespace, table: HostOptions) -> ExitCode:
    """Open a table, and the tables that follow it; return the exit code once the person leaves."""
    return await spend(front, opening(front, sitting_of(options, table)))


async def join(
    front: FrontEnd, options: argparse.Namespace, found: TableAd | None = None
) -> ExitCode:
    """Sit at a table, or watch it: the one `found`, else the one that is typed, else the only one.

    Returns the exit code once the person leaves that table and the tables that follow it. Raises
    `CommandFailed` or `NetgameError` if there is no such table, or no way to it.
    """
    seat = join_options(options)
    where = found or ""
    code = ""
    if found is None:
        members = announcers_in(data_at(options.data))
        where, code = await find_table(
            front, options.table, auto=seat.auto, watches=seat.watches, members=members
        )
    if not seat.watches and waits_at(data_at(options.data), where):
        _say_looking(front)
    else:
        say_coming(front, where, watches=seat.watches)
    code = code_of(options, where, code)
    seat = replace(
        seat,
        code=code,
        ask_code=asks_once(partial(ask_code, front), code),
        tell_key=key_teller(front),
        tell_busy=lambda s: front.say(say("The table is busy. Trying again in {s:.1f} s …", s=s)),
        looks_first=front.asks_back and not (seat.auto or options.yes or seat.watches),
    )
    return await spend(front, Coming(sitting_of(options, seat), where))


async def resume(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Return to the game of this number, or to the only unfinished one, or ask which.

    After it, the person goes on to the next tables of the same people. Returns the exit code
    once the person leaves or no table follows. Raises `CommandFailed` or `NetgameError` if there is
    no such game.
    """
    _say_looking(front)
    folder = await _unfinished(front, data_at(options.data), options.table)
    is_named = bool(chosen(NAME, options.name or None))
    sitting = sitting_of(options, join_options(options))
    return await spend(front, Resuming(sitting, folder, is_named))


def _say_looking(front: FrontEnd) -> None:
    """Tell a returning player that the program is looking for their game."""
    front.say(say("Looking for your game, and for the others who play it ..."))


async def _unfinished(front: FrontEnd, data: DataFolder, wanted: str) -> str:
    """Return the name, or its beginning, of the folder of the game meant; "" if at most one waits.

    If several are offered, the person chooses. Raises `CommandFailed` saying what to type if nobody
    can be asked, and for a `wanted` number that no game has. A word long enough for a folder is not
    checked.
    """
    games = kept_games(data)
    if wanted:
        meant = [game.path.name for game in games if game.called == wanted]
        if not meant and len(wanted) < SHORT_CHARS:  # too short for a folder's name, too
            raise no_such_game(wanted)
        return meant[0] if meant else wanted
    waiting = [game for game in games if game.waits]
    if len(waiting) < 2:
        return ""
    waiting = [*offered_games(games, unix_time())] or waiting[:1]
    if len(waiting) == 1:
        return waiting[0].path.name
    told = await apart(lambda: [*told_games(data, waiting)])
    if not front.asks_back:
        known = "; ".join(f"{each.game.called}, {unnumbered(each)}" for each in told)
        text = "{count} games wait for you ({games}). Name one: {command}"
        command = typed_in_shell("resume", waiting[0].called)
        told_all = say(text, count=len(waiting), games=known, command=command)
        raise CommandFailed(ExitCode.USAGE, told_all)
    listed = {each.game.number: (unnumbered(each), each.game) for each in told}
    return (await chosen_of(front, say("Which game?"), listed)).path.name


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
            print_json(facts)
        else:
            print_line(ad_sentence(ad), indent="  ")
    if not found and not as_json:
        text = "No tables on this network. Open one with: {command}"
        print_line(say(text, command=typed_in_shell("host")))
    return ExitCode.OK if found else ExitCode.NOT_FOUND
