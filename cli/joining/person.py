"""The person at this computer, from the options: screen, name, files and seat."""

import argparse
import getpass
import os
from collections.abc import Awaitable, Callable, Container
from pathlib import Path
from typing import Final

from cli.choices.table import FIRST
from cli.exits import CommandFailed, ExitCode
from cli.house_rules.change import Changes
from cli.house_rules.choice import TableChoice, settings_for
from cli.house_rules.file import choice_of
from cli.input.phrases import said_name
from cli.joining.answering import answers
from cli.joining.habits import own_habits
from cli.language import say
from cli.program import typed_in_shell
from cli.screens.runs import AtScreen, Screen
from cli.session.frontend import REDRAW, FrontEnd
from cli.session.sitting import Sitting
from cli.session.verbs.leaving import LEAVING
from cli.session.verbs.table import WORDS, is_no_name
from cli.settings.chosen import chosen, read_settings
from cli.settings.declared import LEVEL, NAME, PACE, PLAIN
from cli.settings.file import set_typed
from cli.settings.place import hold
from cli.streams import can_draw, has_terminal, standard_error
from cli.visible import print_line
from netgame.io.disk.identity import default_data_dir
from netgame.io.disk.store import DataFolder
from netgame.io.door.codes import looks_like_code
from netgame.io.tables.kept import name_sat_under
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.text import clean_text

_BOTS_USUAL: Final = 3
_NAMELESS: Final = "player"


def at_screen(
    options: argparse.Namespace, main: Callable[[FrontEnd], Awaitable[ExitCode]]
) -> AtScreen:
    """Return `main` with the screen that options, settings and terminal call for.

    Prints mistakes in the settings first. Raises `CommandFailed` for `--json` with `--plain`, and
    for a wall that cannot be drawn or is asked for with one of these options.
    """
    for mistake in read_settings().mistakes:
        print_line(mistake, standard_error())
    if options.json and options.plain:
        text = "Choose --json or --plain: not both."
        raise CommandFailed(ExitCode.USAGE, say(text))
    plain = chosen(PLAIN, options.plain or None)
    if options.wall and (options.json or options.plain or not can_draw()):
        text = "A wall needs a terminal that can draw: no pipe, TERM=dumb, --plain or --json."
        raise CommandFailed(ExitCode.USAGE, say(text))
    if options.wall:
        return AtScreen(Screen.WALL, main)
    if options.json:
        return AtScreen(Screen.JSON, main)
    if plain or os.environ.get("ACCESSIBLE") or not can_draw():
        return AtScreen(Screen.PLAIN, main)
    return AtScreen(Screen.TERMINAL, main)


def _pace_s(options: argparse.Namespace) -> float:
    """Return the seconds that a bot takes for a move: as typed, else as set, else 0.

    The setting counts only for a person at a terminal, not with `--json` or `--auto`.
    """
    if options.pace is not None:
        return float(options.pace)
    return chosen(PACE) if has_terminal() and not (options.json or options.auto) else 0.0


def own_name(options: argparse.Namespace) -> str:
    """Return the name to sit under: the known one, or else the login name.

    The name is cleaned and never empty. A wall that joins somebody else's table belongs to nobody,
    so it is called `Wall` unless the options name it.
    """
    if options.command == "join" and options.wall:
        return clean_text(options.name or say("Wall"), NAME_CELLS_MAX, _NAMELESS)
    return clean_text(known_name(options) or _login(), NAME_CELLS_MAX, _NAMELESS)


def known_name(options: argparse.Namespace) -> str:
    """Return the name from the option, the settings or the last table with others; else empty."""
    given: str = chosen(NAME, options.name or None)
    if given:
        return given
    return NAME.kind.read(name_sat_under(_folder(options))) or ""


def _folder(options: argparse.Namespace) -> DataFolder:
    return DataFolder(Path(options.data) if options.data else default_data_dir())


async def named(
    front: FrontEnd, options: argparse.Namespace, commands: Container[str]
) -> argparse.Namespace:
    """Return the options with a name to sit under; ask the person for it if it is not known.

    The options are unchanged with `--auto`, for a watcher, if the name is known, or if nobody can
    be asked. Otherwise `ask_name` supplies the name. Raises `CommandFailed` if the person leaves.
    """
    if options.auto or _watches(options):
        return options
    if not front.asks_back or known_name(options):
        return options
    return argparse.Namespace(
        **{**vars(options), "name": await ask_name(front, commands, _folder(options))}
    )


async def ask_name(
    front: FrontEnd, commands: Container[str] = (), folder: DataFolder | None = None
) -> str:
    """Ask for a name, keep it and return it; Enter takes the last name used, or else the login.

    Refuses one of the `commands`, `boneyard` with more words, and anything that cannot be a name,
    and then reads the next line. At the end of the input, returns the name that Enter would take,
    and does not keep it. Words around a typed name are left out; the name is not cleaned. Raises
    `CommandFailed` if the person leaves.
    """
    last = name_sat_under(folder or DataFolder(default_data_dir()), at_any=True)
    usual = NAME.kind.read(last) or clean_text(_login(), NAME_CELLS_MAX, _NAMELESS)
    front.scene_is(None, say("your name"))
    front.say(say("Welcome to Boneyard. What is your name? Enter takes {name}.", name=usual))
    while (line := await front.next_line()) is not None:
        name = said_name(line) or usual
        hint = say("First, your name: type it, or press Enter for {name}.", name=usual)
        if line == REDRAW:
            continue
        if answers(front, line, behind_menu=False):
            front.say(hint)
            continue
        if name.lower() in LEAVING:
            raise CommandFailed(ExitCode.REFUSED, say("Nothing was chosen."))
        first, *more = name.split()  # a whole command counts as one, though it could be a name
        typed = first if more and first.casefold() in WORDS else name
        typed = line.strip() if "?" in line else typed  # a question is nobody's name
        is_command = first.casefold() in commands or (more and first.casefold() == "boneyard")
        if NAME.kind.read(typed) is not None and not (is_command or "?" in line):
            keep_name(front, name)
            return name
        front.say(f"{NAME.why_not(typed)} {hint}")
    return usual


def keep_name(front: FrontEnd, name: str) -> None:
    """Write the name into the settings and say so; or say why that is impossible.

    Once written, the name applies in this program even if the environment sets another.
    """
    try:
        known = set_typed(NAME, name)
    except CommandFailed as failed:
        front.say(failed.sentence)
    else:
        hold(NAME.key, known)
        front.say(say("You are {name}. Change it with: name NAME", name=known))


def _login() -> str:
    try:
        login = getpass.getuser().capitalize()
    except (KeyError, OSError, ImportError):
        return _NAMELESS
    return _NAMELESS if is_no_name(login) else login


def join_options(options: argparse.Namespace) -> JoinOptions:
    """Return the options for a seat at somebody else's table, or for resuming one."""
    return JoinOptions(
        name=own_name(options),
        data_dir=Path(options.data) if options.data else None,
        record=Path(options.record) if options.record else None,
        auto=options.auto,
        pause_s=_pace_s(options),
        on_wall=options.wall,
        watches=_watches(options),
        shown_code=_shown_code(options),
        page=options.page or None,
    )


def _shown_code(options: argparse.Namespace) -> str:
    """Return the join code given to a wall, which shows it; empty for any other screen."""
    given = [options.code or "", getattr(options, "table", "") or ""]
    return next(filter(looks_like_code, given), "") if options.wall else ""


def _watches(options: argparse.Namespace) -> bool:
    """Return True if the person joins without a seat: to watch, or to show the table as a wall."""
    return bool(options.watch or (options.wall and options.command == "join"))


def host_options(options: argparse.Namespace, choice: TableChoice | None = None) -> HostOptions:
    """Return the options for opening a table; for `play`, bots take the other seats.

    The rules are those of `choice`, or else of the options. Raises `CommandFailed` saying what to
    change, for example if the bots of `play` leave seats free, because nobody else can come.
    """
    choice = choice or choice_of(options, options.rules)
    seats, bots, practice = choice.size("seats"), options.bots, options.command == "play"
    seated = not (options.no_seat or (options.wall and not practice))
    if practice:
        if bots is None:
            bots = (chosen(LEVEL),) * (_BOTS_USUAL if seats is None else seats - 1)
        if not bots:
            text = "Nobody plays alone: have at least one bot (bots)."
            raise CommandFailed(ExitCode.USAGE, say(text))
        if seats is None:
            seats = len(bots) + 1
        if seats > len(bots) + 1:
            text = (
                "Nobody else can come to a practice game: have {bots} bots for {seats} seats "
                "(seats, bots), or let people in with: {command}"
            )
            facts = {"bots": seats - 1, "seats": seats, "command": typed_in_shell("host")}
            raise CommandFailed(ExitCode.USAGE, say(text, **facts))
        choice = choice.with_value("seats", str(seats))
    bots = bots or ()
    if seats is not None and seats < len(bots) + seated:
        text = "{bots} bots and you do not fit on {seats} seats (seats, bots)."
        raise CommandFailed(ExitCode.USAGE, say(text, bots=len(bots), seats=seats))
    return HostOptions(
        name=own_name(options),
        settings=settings_for(choice),
        data_dir=Path(options.data) if options.data else None,
        record=Path(options.record) if options.record else None,
        bots=bots,
        start_at=seats,
        lead=choice.values.get(FIRST.key),
        auto=options.auto,
        pause_s=_pace_s(options),
        on_wall=options.wall,
        page=False if options.no_page else None,
        port=options.port,
        reach=ReachedBy.PROGRAM if practice else ReachedBy.NETWORK,
        seated=seated,
        seed=options.seed,
    )


def sitting_of(options: argparse.Namespace, seat: HostOptions | JoinOptions) -> Sitting:
    """Return this person's sitting at the first table of an evening, from options and settings."""
    habits = own_habits()
    watches = isinstance(seat, JoinOptions) and seat.watches
    return Sitting(
        seat, habits, came_to_watch=watches, on_wall=options.wall, change=Changes().changed
    )
