"""Votes to go on without somebody: who may be named, and what the voter is told first."""

from collections.abc import Sequence
from typing import Final

from cli.input.readers import listed_names
from cli.input.resolution import NotFound, could_be_text
from cli.language import either, joined, say, say_count
from cli.scene import one_named
from cli.session.answers import NOT_BEGUN
from cli.session.frontend import FrontEnd
from cli.visible import begun_so
from cli.wording.departures import price_text
from netgame.io.node.node import Node
from netgame.protocol.notices import NetworkState
from netgame.protocol.peer.view import SeatInfo, TableView

_WHO_MAY_GO: Final = (
    "You can vote only on players who are away, who have kept the table waiting for a minute, "
    "or who have stopped the game three times for a vote that changed nothing."
)


async def go_on_without(node: Node, front: FrontEnd, names: tuple[str, ...]) -> None:
    """Vote to go on without the players named, if each may be voted on; else say why not.

    The vote also includes the players this person voted on earlier. It cannot be cast without
    names, before the game, by a watcher, or by a player without a vote. Nor can it be cast while
    too few players are here to decide, or while this computer is cut off.
    """
    view = node.view()
    if not _decides(view, front):
        return
    if view.network is not NetworkState.WORKS:
        front.say(say("Your own computer is cut off, so nobody would hear your vote."))
        return
    others = [info for info in view.here if info.key != node.key]
    chosen = seats_named(others, names, [info for info in view.seats if info not in view.here])
    if isinstance(chosen, NotFound) or not chosen:
        advice = whom_to_name([info for info in others if node.is_missed(info.key)])
        front.say(f"{chosen.hint} {advice}" if isinstance(chosen, NotFound) else advice)
        return
    here = [info.name for info in chosen if not node.is_missed(info.key)]
    if here:
        front.say(still_here(here))
        return
    if wait := must_wait(view):
        front.say(wait)  # once enough players are back, advice says that one can vote
        return
    if text := _others_away(view, chosen):
        front.say(text)
    own = view.name_of(node.key)
    voted = [info for info in others if own in info.missed_by and info not in chosen]
    await node.go_on_without([info.key for info in (*voted, *chosen)])


def _decides(view: TableView, front: FrontEnd) -> bool:
    """Return True if this person plays in a game and has a vote; if not, tell them why."""
    if view.table is None:
        front.say(say(NOT_BEGUN))
    elif not view.sits:
        front.say(say("You only watch; the players decide that."))
    elif view.has_no_vote_yet:
        text = (
            "You came late and have no vote yet: you get one after a round, once more than half "
            "of those who vote would give it to you."
        )
        front.say(say(text))
    return view.table is not None and view.sits and not view.has_no_vote_yet


async def stay_with(node: Node, front: FrontEnd, names: tuple[str, ...]) -> None:
    """Take back this person's votes on the players named, or all votes; everybody hears of it.

    If a name fits none of the players voted on, list those players and change nothing. For each
    player who may have to go all the same, say why.
    """
    view = node.view()
    if not _decides(view, front):
        return
    own = view.name_of(node.key)
    voted = [info for info in view.here if own in info.missed_by]
    chosen = seats_named(voted, names) if names else tuple(voted)
    if isinstance(chosen, NotFound) or not chosen:
        text = "You have no vote open. To vote somebody out, type without and their name."
        if voted:
            text = "You have voted on {names}: type with and a name to take that back."
        front.say(say(text, names=joined([info.name for info in voted])))
        return
    await node.go_on_without([info.key for info in voted if info not in chosen])
    keys = [info.key for info in chosen]
    after = [info for info in node.view().here if info.key in keys]
    for info in after:
        if text := _still_counts(info, own):
            front.say(text)


def _still_counts(info: SeatInfo, own: str) -> str:
    """Return why a player may still go after a vote was taken back; empty if they may not."""
    text = ""
    if own in info.missed_by:
        text = "{name} has been away for as long as the table waits, which counts as your vote."
    if info.promised:
        text = "Your program has signed that vote and cannot undo it: if it is enough, {name} goes."
    return say(text, name=info.name) if text else ""


def _others_away(view: TableView, chosen: Sequence[SeatInfo]) -> str:
    """Return who else is away, and how to go on without all of them; empty if nobody is."""
    away = [info.name for info in view.here if not info.in_reach and info not in chosen]
    words = " ".join([*(info.name for info in chosen), *away])
    text = "{others} is away too. To go on without all: without {names}"
    if len(away) > 1:
        text = "{others} are away too. To go on without all: without {names}"
    return say(text, others=joined(away), names=words) if away else ""


def must_wait(view: TableView) -> str:
    """Return a text on who must come back before anybody can be voted out.

    Return "" if enough players are here to decide, or if nobody is away.
    """
    deciding = [info for info in view.seats if info.decides]
    away = [info.name for info in deciding if not info.in_reach]
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
        if len(deciding) == len(view.here) == 2:
            text = (
                "You can only wait for {names} to come back: at a table of two, both must agree "
                "to go on without somebody."
            )
    wait = say(text, names=names, count=lacking, needed=view.needed, all=len(deciding))
    late = [info.name for info in view.here if info.no_vote]
    return f"{wait} {say('{names} cannot vote yet.', names=joined(late))}" if late else wait


def vote_advice(view: TableView, away: Sequence[str]) -> str:
    """Return an invitation to vote on the players `away`, and what it would cost them.

    A player who has no vote yet reads that the others can vote.
    """
    if view.has_no_vote_yet:
        text = "The others can vote to go on without {names}. You have no vote yet."
        return say(text, names=joined(away))
    deciding = sum(info.decides for info in view.seats)
    text = "Rather than wait, you can vote: without {names} ({needed} of {all} must agree)."
    vote = say(text, names=" ".join(away), needed=view.needed, all=deciding)
    return f"{vote} {price_text(view, away)}".rstrip()


def still_here(names: Sequence[str]) -> str:
    """Return a text saying that these players are here, and which players can be voted on."""
    here = say_count("{names} is here.", "{names} are here.", len(names), names=joined(names))
    return f"{here} {say(_WHO_MAY_GO)}"


def seats_named(
    others: Sequence[SeatInfo], words: Sequence[str], gone: Sequence[SeatInfo] = ()
) -> tuple[SeatInfo, ...] | NotFound:
    """Return the seats among the `others` that the words name, each once, in the order typed.

    Return () if there are no words. Return `NotFound` if a word names no seat, several seats, or
    one that is `gone`.
    """
    names = [info.name for info in others]
    found: dict[bytes, SeatInfo] = {}
    for name in listed_names(words, names):
        info = one_named(others, name)
        if info is None:
            several = [names[at] for at in begun_so(names, name)]
            nobody = say("Nobody else here is called {name}.", name=name)
            if (left := one_named(gone, name)) is not None:
                text = "{name} has gone already: nobody needs to vote on that."
                nobody = say(text, name=left.name)
            return NotFound(could_be_text(name, several) if several else nobody)
        found[info.key] = info
    return tuple(found.values())


def whom_to_name(missed: Sequence[SeatInfo]) -> str:
    """Return a text on who can be voted on and what to type, or saying that nobody is away."""
    names = [info.name for info in missed]
    if not names:
        return f"{say('Nobody is away.')} {say(_WHO_MAY_GO)}"
    text = "You can vote on {names}: type without {words}"
    return say(text, names=joined(names), words=" ".join(names))
