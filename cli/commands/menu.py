"""`boneyard` alone: the tables found on this network, and what else one can do."""

import argparse
from typing import Final

from cli.arguments.parser import read_arguments
from cli.arrival.person import at_screen, host_options
from cli.arrival.search import ad_sentence, numbered
from cli.commands.tables import host, join
from cli.drawn.palette import Span
from cli.exits import CommandFailed, ExitCode, sentence_of
from cli.house_rules.file import choice_of
from cli.house_rules.menu import Hosting, answered, sheet, shown
from cli.seat.frontend import FrontEnd
from netgame.errors import NetgameError
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.browse import find_tables
from netgame.io.network.addresses import parse_address

_LOOK_S: Final = 0.7
"""Long enough for a table on the same network (0.1 s), short enough not to be a wait."""

_STATUS: Final = "p play, h host, q leave"

_PRACTICE: Final = ("p", "play", "practise", "practice")

_HELP: Final = ("help", "?", "board")
"""What the keys of a terminal may send; the choice is shown again."""


def run(options: argparse.Namespace) -> ExitCode:
    """Run the menu."""
    return at_screen(options, menu)


def menu_lines(found: tuple[TableAd, ...]) -> tuple[str, ...]:
    """Write the menu: one line a table, then the other choices."""
    tables = [
        f" {number}: {'join' if ad.is_open else 'watch'} {ad_sentence(ad)}"
        for number, ad in enumerate(found, 1)
    ]
    return (
        " Boneyard: Mexican Train dominoes for a LAN party",
        *(tables or [" No open table on this network yet."]),
        " p: play here against bots",
        " p NAME: play by other rules, such as p walnut",
        " h: host a table for others",
        " HOST:PORT: join a table by its address",
        " l: look again    q: leave",
    )


async def menu(front: FrontEnd) -> ExitCode:
    """Show what there is until something is chosen."""
    found = await _look(front)
    while (line := await front.next_line()) is not None:
        word = line.strip().lower()
        if word in ("q", "quit", "exit"):
            break
        if word in ("l", "look", ""):
            found = await _look(front)
        elif (code := await _chosen(front, line, found)) is not None:
            return code
    return ExitCode.OK


def _draw(front: FrontEnd, found: tuple[TableAd, ...]) -> None:
    front.scene_is(None, _STATUS)
    front.show(tuple((Span(text),) for text in menu_lines(found)))


async def _look(front: FrontEnd) -> tuple[TableAd, ...]:
    front.scene_is(None, "looking for tables")
    try:
        found = await find_tables(_LOOK_S)
    except NetgameError as error:
        front.say(sentence_of(str(error)))
        found = ()
    found = tuple(ad for ad in found if ad.is_open or ad.can_watch)
    _draw(front, found)
    return found


async def _host(front: FrontEnd) -> ExitCode | None:
    """Have the rules chosen and open the table; None if it was thought better of."""
    state = Hosting()
    front.scene_is(None, "choose what to play")
    front.show(shown(state, front.canvas()))
    while (line := await front.next_line()) is not None:
        step = answered(state, line)
        if step.state is None:
            return None
        changed, state = step.state != state, step.state
        if step.opens and state.choice is not None:
            options = read_arguments(["host"])
            return await host(front, options, host_options(options, state.choice))
        if step.said and line.strip() not in _HELP:
            front.say(step.said)
        if step.sheet and state.choice is not None:
            front.show(sheet(state.choice, front.canvas()))
        if changed or line.strip() in _HELP:
            front.show(shown(state, front.canvas()))
    return ExitCode.OK


async def _practice(front: FrontEnd, rules: list[str]) -> ExitCode | None:
    """Play against bots, by `standard` if no rules are named; None if there are no such rules."""
    options = read_arguments(["play", *(f"--rules={name}" for name in rules[:1])])
    try:
        table = host_options(options, choice_of(options, options.rules))
    except CommandFailed as failure:
        front.say(failure.sentence)
        return None
    return await host(front, options, table)


async def _chosen(front: FrontEnd, line: str, found: tuple[TableAd, ...]) -> ExitCode | None:
    """Do what was chosen; None if it was not understood."""
    word = line.strip().lower()
    if word.split()[0] in _PRACTICE:
        return await _practice(front, line.split()[1:])
    if word in ("h", "host"):
        code = await _host(front)
        if code is None:
            _draw(front, found)
        return code
    if (ad := numbered(word, found)) is not None:
        return await join(front, read_arguments(["join", ad.endpoints[0]]))
    if ":" in word:
        try:
            parse_address(word)
        except NetgameError as error:
            front.say(sentence_of(str(error)))
            return None
        return await join(front, read_arguments(["join", "--", word]))
    front.say("Type a table's number, p, h, an address such as 192.168.1.4:4747, l or q.")
    return None
