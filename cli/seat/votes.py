"""Votes to go on without somebody: who may be named, and what is said before the vote is told."""

from collections.abc import Sequence

from cli.language import either, joined, say, say_count
from cli.seat.answers import NOT_BEGUN
from cli.seat.frontend import FrontEnd
from cli.seat.hosting import one_named
from netgame.io.node.node import Node
from netgame.protocol.peer.view import SeatInfo, TableView


async def go_on_without(node: Node, front: FrontEnd, names: tuple[str, ...]) -> None:
    """Vote to give these up, if every name is that of somebody else here."""
    view = node.view()
    own = next((info for info in view.seats if info.key == node.key), None)
    if view.table is not None and (own is None or own.left):
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
    if wait := must_wait(view):
        front.say(wait)
        if sum(info.decides and info not in chosen for info in view.seats) < view.needed:
            return  # not even if all others come back
    else:
        present = [info for info in view.seats if not (info.left or info.parted)]
        away = [info.name for info in present if not info.connected and info not in chosen]
        if away:
            words = " ".join([*(info.name for info in chosen), *away])
            text = "{others} is away too. To go on without all: without {names}"
            if len(away) > 1:
                text = "{others} are away too. To go on without all: without {names}"
            front.say(say(text, others=joined(away), names=words))
    await node.go_on_without([info.key for info in chosen])


def must_wait(view: TableView) -> str:
    """Say who must come back, if too few are here to go on without anybody; else empty."""
    deciding = [info for info in view.seats if info.decides]
    away = [info.name for info in deciding if not info.connected]
    lacking = view.needed - (len(deciding) - len(away))
    if lacking <= 0 or not away:
        return ""
    text = (
        "You can only wait until {count} of {names} come back: to go on without somebody, "
        "{needed} of the {all} players must agree."
    )
    names = joined(away)
    if lacking == 1 and len(away) > 1:
        names = either(away)
        text = (
            "You can only wait until {names} comes back: to go on without somebody, {needed} of "
            "the {all} players must agree."
        )
    elif lacking == len(away):
        text = (
            "You can only wait for {names} to come back: to go on without somebody, {needed} of "
            "the {all} players must agree."
        )
        if len(deciding) == 2:
            text = (
                "You can only wait for {names} to come back: at a table of two, both must agree "
                "to go on without somebody."
            )
    facts = {"count": lacking, "needed": view.needed, "all": len(deciding)}
    return say(text, names=names, **facts)


def vote_advice(view: TableView, away: Sequence[str]) -> str:
    """Say what one can do about these, who are away: vote, or wait for whom."""
    if wait := must_wait(view):
        return wait
    deciding = sum(info.decides for info in view.seats)
    text = "Rather than wait, you can vote: without {names} ({needed} of {all} must agree)."
    return say(text, names=" ".join(away), needed=view.needed, all=deciding)


def still_here(names: Sequence[str]) -> str:
    """Say why nobody can vote on these."""
    here = say_count("{names} is here.", "{names} are here.", len(names), names=joined(names))
    rule = (
        "You can vote only on players who are away, who have kept the table waiting for a minute, "
        "or who have stopped the game three times for a decision that came to nothing."
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
        away = [info.name for info in others if not info.connected]
        away = away or [info.name for info in others]
        return say("Name who is away: {names}.", names=", ".join(away))
    return found
