"""An evening: a person sits at one table after another, with the same people.

    step            what it is                           what it leads to
    TableOpening    they open a table                    TableOpening: they open the next
    Resuming        they come back to a table            TableOpening: they are its host
                                                         Following: somebody else is
    Coming          they come to somebody's table        Following: somebody opens the next
                                                         TableOpening: they are its host
                                                         Coming: to another, by its code
    Following       they follow a host, whose next       Following: to the next, or once more
                    table may not be open yet            TableOpening: they are its host
                                                         Coming: to another, by its code

Any step leads to an exit code once the person leaves or no table follows; a failure that the table
above does not mention ends the evening with its error. The function of a step returns the step that
follows. Each step includes the person's `Sitting`, from which that of the next step is made.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, assert_never

import trio
from msgspec import Struct
from msgspec.structs import replace

from cli.exits import ExitCode
from cli.house_rules.change import Changes
from cli.joining.search import CodeOfAnother, ask_code, key_teller
from cli.joining.ways import joined
from cli.language import say, say_count
from cli.program import typed_in_shell
from cli.render.rule_sheet import offer_name, offer_of
from cli.scene import LobbyScene
from cli.session.frontend import FrontEnd
from cli.session.loop import sit
from cli.session.sitting import Sitting, Visit
from cli.session.stay import Anew, GoTo, NextTableOffer, Rematch, hosts_unseated
from cli.session.verbs.page import PAGE_TEXT
from cli.settings.declared import NAME
from cli.settings.place import hold
from engine.bots.levels import BotLevel
from netgame.errors import Disconnected, TimedOut
from netgame.io.discovery.advert import TableAd
from netgame.io.disk.storage import free_name
from netgame.io.node.node import Node
from netgame.io.node.opening import addresses_to_tell
from netgame.io.tables.again import opened_again, opened_anew
from netgame.io.tables.host import host_table
from netgame.io.tables.options import AskCode, HostOptions, JoinOptions, ReachedBy, SeatOptions
from netgame.io.tables.resume import resume_table
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import long_fingerprint

_ON_THE_WAY_S: Final = 15.0
"""How long a guest keeps trying to reach the next table, which its host may not have open yet."""


class TableOpening(Struct, frozen=True):
    """The step in which the person opens the table of this `sitting`."""

    sitting: Sitting


class Resuming(Struct, frozen=True):
    """The step in which the person comes back to a table.

    It is the table whose folder name begins with `folder`, or the only unfinished one.
    """

    sitting: Sitting
    folder: str
    is_named: bool
    """True if the person has chosen a name; else they keep the name they had at that table."""


class Coming(Struct, frozen=True):
    """The step in which the person comes to a table; if nobody answers, the evening ends."""

    sitting: Sitting
    where: str | TableAd


class Following(Struct, frozen=True):
    """The step in which the person follows a host to the next table, perhaps not open yet."""

    sitting: Sitting
    where: str
    until: float
    """The time at which the person gives up, in seconds of trio's clock."""

    tries: int = 0
    """The number of attempts without an answer."""


Step: TypeAlias = TableOpening | Resuming | Coming | Following


async def spend(front: FrontEnd, step: Step) -> ExitCode:
    """Sit at the table of this step, and then at the next tables of the same people.

    Returns the exit code once the person leaves or no table follows. Raises `CommandFailed` or
    `NetgameError` if there is no such table, or if it cannot be reached.
    """
    now: Step | ExitCode = step
    while not isinstance(now, ExitCode):
        now = await take_step(front, now)
    return now


async def take_step(front: FrontEnd, step: Step) -> Step | ExitCode:
    """Take one step; return the next one, or the exit code if no step follows."""
    match step:
        case TableOpening():
            return await _open(front, step.sitting)
        case Resuming():
            return await _resume(front, step)
        case Coming() | Following():
            return await _visit(front, step)
        case _:
            assert_never(step)


async def _sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode | NextTableOffer:
    """Sit at a table, and return the exit code or the offer of the next table.

    A new name taken there stays in force as long as this program runs.
    """
    before = node.name
    end = await sit(node, front, sitting)
    if node.name != before:
        hold(NAME.key, node.name)
    return end


# ---- a table of one's own -------------------------------------------------------------------


def opening(front: FrontEnd, sitting: Sitting) -> TableOpening:
    """Return the step that opens the table of this sitting, with new `Changes` for its lobby.

    Tells the person if it is a practice game, or a game from a seed.
    """
    table = _own_table(sitting)
    if table.reach is not ReachedBy.NETWORK:
        offer = offer_of(table.settings)
        assert offer is not None
        text, bots = "Practice game: {offer} against {bots}.", _bots_text(table.bots)
        front.say(say(text, offer=offer_name(offer), bots=bots))
    if table.seed is not None:
        text = (
            "Seed {seed} decides everything that is dealt, so this is not fair, and nobody can "
            "come back to it: a game from a seed is not resumed."
        )
        front.say(say(text, seed=table.seed))
    changes = Changes(pinned=table.start_at is not None)
    return TableOpening(replace(sitting, change=changes.changed))


def _own_table(sitting: Sitting) -> HostOptions:
    assert isinstance(sitting.seat, HostOptions), "who opens a table has its options"
    return sitting.seat


def _bots_text(levels: Sequence[BotLevel]) -> str:
    """Return how many bots there are, and the level of each unless all are normal."""
    bots = say_count("a bot", "{count} bots", len(levels))
    if set(levels) <= {BotLevel.NORMAL}:
        return bots
    return f"{bots} ({', '.join(level.value for level in levels)})"


async def _open(front: FrontEnd, sitting: Sitting) -> TableOpening | ExitCode:
    """Open a table and host it until the person leaves it; return what follows.

    Another game leads to a table with a new record. Raises `DiskTrouble` and `PortTrouble`.
    """
    table = _own_table(sitting)
    async with host_table(table) as node:
        visit = replace(sitting.visit, addresses=_where(node))
        end = await _sit(node, front, replace(sitting, visit=visit))
        if isinstance(end, ExitCode):
            return end
        # a host has no other host to follow
        assert not isinstance(end.to, GoTo)
        again = _opened(node, table, end.to)
        if isinstance(end.to, Rematch):
            text = "Another game: the seats are drawn anew, and it has a record of its own."
            front.say(say(text))
        visit = Visit(
            company=_company(node), last=_last_folder(node, sitting), was_refused=end.was_refused
        )
        return TableOpening(replace(sitting, seat=replace(again, name=node.name), visit=visit))


def _opened(node: Node, seat: SeatOptions, to: Rematch | Anew) -> HostOptions:
    """Return the options with which the person opens the table after this one.

    They are those of a rematch at these seats, or of the new table that `to` describes.
    """
    match to:
        case Rematch(seats):
            return opened_again(node, seat, seats)
        case Anew(bots, settings, names):
            table = seat if isinstance(seat, HostOptions) else opened_again(node, seat)
            return opened_anew(node, table, bots, settings, names)
        case _:
            assert_never(to)


def _last_folder(node: Node, sitting: Sitting) -> Path | None:
    """Return the folder of the game at the table being left, or the previous one if none began."""
    if node.folder is None or node.view().table is None:
        return sitting.visit.last
    return node.folder.path


def _company(node: Node) -> frozenset[bytes]:
    """Return the keys of the other people at a table whose game has not begun; else empty."""
    view = node.view()
    if view.table is not None:
        return frozenset()
    return frozenset(info.key for info in view.seats if not info.bot and info.key != node.key)


def _where(node: Node) -> tuple[str, ...]:
    """Return the addresses at which others can join this table; empty if its node is hidden.

    If this computer has no network, its loopback address is the only one.
    """
    return () if node.is_hidden else addresses_to_tell(node.port)


def _hang_door(front: FrontEnd, node: Node, where: tuple[str, ...], *, watches: bool) -> None:
    """On a wall, show the lobby and how to join, because a game in play shows neither."""
    code = str(node.door.shown or "")
    front.tell(LobbyScene(node.view(), node.key, where, code=code, watches=watches))


# ---- somebody's table -----------------------------------------------------------------------


def say_coming(front: FrontEnd, where: str | TableAd, *, watches: bool) -> None:
    """Tell the person which table they are coming to, and whether they will play or watch."""
    table = where if isinstance(where, str) else say("{name}'s table", name=where.name)
    text = "Coming to watch {table}." if watches else "Asking for a seat at {table}."
    front.say(say(text, table=table))


def _say_back(front: FrontEnd) -> None:
    front.say(say("You are back at the table. Catching up …"))


def _seat_there(sitting: Sitting) -> JoinOptions:
    assert isinstance(sitting.seat, JoinOptions), "who comes to a table has how they join it"
    return sitting.seat


async def _visit(
    front: FrontEnd, step: Coming | Following
) -> TableOpening | Coming | Following | ExitCode:
    """Sit at somebody's table and return the next step, or the exit code.

    If nobody answers, a `Following` step is returned to be tried again; but a `Coming` step, or a
    `Following` one whose time is up, raises `Disconnected` or `TimedOut`. If the person types the
    code of another table, the next step leads there.
    """
    sitting = step.sitting
    try:
        async with joined(front, _seat_there(sitting), step.where) as (node, where):
            return await _sit_there(front, sitting, node, where)
    except (Disconnected, TimedOut):
        if isinstance(step, Coming) or trio.current_time() >= step.until:
            raise
        await _wait_for_host(front, step)
        return replace(step, tries=step.tries + 1)
    except CodeOfAnother as other:
        seat = replace(_seat_there(sitting), code=other.code, host=b"")
        say_coming(front, other.table, watches=sitting.came_to_watch)
        return Coming(replace(sitting, seat=seat), other.table)


async def _sit_there(
    front: FrontEnd, sitting: Sitting, node: Node, where: str | TableAd
) -> TableOpening | Following | ExitCode:
    """Sit at the table of this node until the person leaves it; return what follows.

    `where` is the place at which the node found the table.
    """
    seat, visit = _seat_there(sitting), sitting.visit
    begun = node.view().stage is not TableStage.LOBBY
    if seat.looks_first and begun and not node.view().sits:
        await node.take_seat()  # they have read the rules before: the record is here
    elif begun and node.view().sits:
        _say_back(front)
    found_at = (where,) if isinstance(where, str) else where.endpoints
    here = replace(
        sitting,
        seat=replace(seat, looks_first=seat.looks_first and not begun),
        visit=replace(visit, host_at=found_at, returns=node.view().step > 0),
    )
    if sitting.on_wall:
        _hang_door(front, node, found_at, watches=True)
    if begun:
        _say_page(front, node)
    end = await _sit(node, front, here)
    if isinstance(end, ExitCode):
        return end
    if not isinstance(end.to, GoTo):  # their own table, which somebody has announced for them
        visit = Visit(last=_last_folder(node, sitting), was_refused=end.was_refused)
        table = _opened(node, seat, end.to)
        return opening(front, replace(sitting, seat=table, visit=visit))
    watches = sitting.came_to_watch and not end.to.sits
    seat = replace(
        seat,
        host=end.to.host,
        name=node.name,
        looks_first=not (end.to.sits or watches) and front.asks_back,
        watches=watches,
        record=None if seat.record is None else free_name(seat.record),
        **_page_of(node),
        code=_code_at(end.to, node.view()),
    )
    visit = Visit(
        known=node.view().settings,
        company=_company(node),
        last=_last_folder(node, sitting),
        was_refused=end.was_refused,
    )
    return _following(replace(sitting, seat=seat, visit=visit), end.to)


def _code_at(to: GoTo, view: TableView) -> str:
    """Return the code with which to join the next table; empty if it has the same host.

    A join code is only for a stranger's first visit, and the same host knows this person's key
    already. If another player opens the table, they know the key too, and the code is the long
    fingerprint of the opener's key.
    """
    return "" if to.host == view.host_key else long_fingerprint(to.host)


def _say_page(front: FrontEnd, node: Node) -> None:
    """Say where the page for browsers is, if this node serves one.

    A lobby shows the address itself, but a game in play does not.
    """
    if node.page_address:
        front.say(say(PAGE_TEXT, page=node.page_address))


def _page_of(node: Node) -> dict[str, Any]:
    """Return the options for the page served here, so that the next table serves it too."""
    return {} if node.page is None else {"page": True, "page_place": node.page.place}


def _following(sitting: Sitting, to: GoTo) -> Following:
    return Following(sitting, to.where, trio.current_time() + _ON_THE_WAY_S)


async def _wait_for_host(front: FrontEnd, step: Following) -> None:
    """Wait 1.5 s before another try; after the second failure, first say how much time is left."""
    if step.tries == 1:
        text = (
            "The table is not open yet. If it opens within {seconds} seconds you are back at it; "
            "if not, this program ends."
        )
        front.say(say(text, seconds=round(step.until - trio.current_time())))
    await trio.sleep(_ON_THE_WAY_S / 10)


def asks_once(ask: AskCode, given: str = "") -> AskCode:
    """Return a function that asks for a join code as `ask` does, but not twice for the same one.

    At a table whose code has the same number as the last one, that code is returned unasked. The
    last code is the one typed last, or else the one `given` as an option. If it was refused, the
    person is asked again.
    """
    typed = [given] if given else []

    async def again(number: int, trouble: str) -> str | None:
        if trouble or not typed or not typed[-1].startswith(f"{number}-"):
            answer = await ask(number, trouble)
            typed.extend([] if answer is None else [answer])
            return answer
        return typed[-1]

    return again


# ---- an earlier table -----------------------------------------------------------------------


async def _resume(front: FrontEnd, step: Resuming) -> TableOpening | Following | ExitCode:
    """Sit at a table where the person sat before; return what follows.

    They may have been its host or a guest.
    """
    seat = _seat_there(step.sitting)
    async with resume_table(seat, step.folder) as node:
        _say_back(front)
        _say_page(front, node)
        view = node.view()
        watched = view.seat is None and view.own is OwnPlace.WATCHING and not view.is_host
        sitting = replace(
            step.sitting,
            seat=replace(seat, watches=watched),
            visit=Visit(returns=True),
            came_to_watch=watched,
        )
        if hosts_unseated(view) and not sitting.on_wall:
            text = "To show this table as a wall again: {command}"
            front.say(say(text, command=typed_in_shell("resume", "--wall")))
        if sitting.on_wall and view.is_host:
            _hang_door(front, node, _where(node), watches=False)
        end = await _sit(node, front, sitting)
        if isinstance(end, ExitCode):
            return end
        view = node.view()
        if not step.is_named:
            seat = replace(seat, name=view.name_of(node.key) or node.name)
        table = None if isinstance(end.to, GoTo) else _opened(node, seat, end.to)
    sitting = replace(sitting, visit=Visit(was_refused=end.was_refused))
    if not isinstance(end.to, GoTo):
        return opening(front, replace(sitting, seat=table))
    seat = replace(
        seat,
        host=end.to.host,
        code=_code_at(end.to, view),
        ask_code=asks_once(partial(ask_code, front)),
        tell_key=key_teller(front),
        **_page_of(node),
        watches=watched and not end.to.sits,
    )
    return _following(replace(sitting, seat=seat), end.to)
