"""Votes to go on without somebody: who may be named, and what is said before the vote is told."""

from collections.abc import Sequence
from typing import Final

from cli.language import joined, say, say_count
from cli.seat.answers import NOT_BEGUN
from cli.seat.frontend import FrontEnd
from cli.seat.hosting import one_named
from netgame.io.node.node import Node
from netgame.protocol.peer.view import SeatInfo, TableView

ONLY_WAIT: Final = "You can only wait: more than half of the players are needed to go on."


async def go_on_without(node: Node, front: FrontEnd, names: tuple[str, ...]) -> None:
    """Vote to give these up, if every name is that of somebody else here."""
    view = node.view()
    if view.seat is None and view.table is not None:
        front.say(say("You only watch; the players decide that."))
        return
    chosen = away_named(view, names, node.key)
    if isinstance(chosen, str):
        front.say(chosen)
        return
    here = [info.name for info in chosen if not node.is_missed(info.key)]
    if here:
        front.say(still_here(here))
        return
    present = [info for info in view.seats if not info.left]
    away = [info.name for info in present if not info.connected and info not in chosen]
    if 2 * (len(chosen) + len(away)) >= len(present):
        front.say(say(ONLY_WAIT))
        return
    due = {view.seats[seat].key for seat in view.due}
    if away:
        text = "{others} cannot agree, being away too. To go on without all: without {names}"
        words = " ".join([*(info.name for info in chosen), *away])
        front.say(say(text, others=joined(away), names=words))
    elif not due.issuperset(info.key for info in chosen):
        text = (
            "Your vote to go on without {names} is cast when the table waits for {names}, and "
            "lapses if {names} comes back first. All others here have to agree."
        )
        front.say(say(text, names=joined([info.name for info in chosen])))
    await node.go_on_without([info.key for info in chosen])


def still_here(names: Sequence[str]) -> str:
    """Say why nobody can vote on these."""
    here = say_count("{names} is here.", "{names} are here.", len(names), names=joined(names))
    rule = (
        "You can vote only on players who are away, or who have kept the table waiting for a "
        "minute."
    )
    return f"{here} {say(rule)}"


def away_named(
    view: TableView, names: tuple[str, ...], own_key: bytes
) -> tuple[SeatInfo, ...] | str:
    """Return who is meant, if each name is one of others who sit here; else what to type."""
    if view.table is None:
        return say(NOT_BEGUN)
    others = [info for info in view.seats if info.key != own_key and not info.left]
    found = tuple(filter(None, (one_named(others, name) for name in names)))
    if len(found) < len(names):
        return say("Name who is away: {names}.", names=", ".join(info.name for info in others))
    return found
