"""What a person asks of the table beside moves: to begin, for a place, to go on without."""

from cli.drawn.rule_sheet import offer_of
from cli.said.refusals import refusal_sentence
from cli.seat.answers import NOT_BEGUN
from cli.seat.frontend import FrontEnd
from engine.rules.switches import First
from netgame.io.node.node import Node
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.protocol.text import join_names


async def start(node: Node, front: FrontEnd, first: str | None) -> None:
    """Begin the game, with whoever is named `first` playing first; or say why not."""
    view = node.view()
    if view.stage is not TableStage.LOBBY:
        front.say("The game has begun already.")
    elif not view.is_host:
        front.say("Only the host can start the game.")
    elif len(view.seats) < 2:
        front.say("The game needs at least two players.")
    elif first is not None and (why_not := why_not_first(view, first)):
        front.say(why_not)
    else:
        problem = await node.begin(first)
        if problem is not None:
            front.say(refusal_sentence(problem))


def why_not_first(view: TableView, name: str) -> str | None:
    """Say why the game cannot begin with whoever has this name playing first, or None."""
    offer = None if view.settings is None else offer_of(view.settings)
    if offer is None or offer.rules.first is not First.CHOSEN_ROTATE:
        return "These rules decide who plays first; type start alone."
    if any(info.name.casefold() == name.casefold() for info in view.seats):
        return None
    return f"Nobody of that name sits here. Name one of: {', '.join(i.name for i in view.seats)}."


async def change_place(node: Node, front: FrontEnd, *, sits: bool) -> None:
    """Ask for a seat at the next round, or take that back."""
    view = node.view()
    if any(info.key == node.key for info in view.seats):
        front.say("You have a seat here; type leave to give it up.")
    elif view.is_host:
        front.say("You opened this table without a seat, so you only watch.")
    elif sits:
        await node.take_seat()
    else:
        await node.look_on()
        front.say("You only watch now, and no longer wait for a seat.")


async def go_on_without(node: Node, front: FrontEnd, names: tuple[str, ...]) -> None:
    """Vote to give these up, if every name is that of somebody else here."""
    view = node.view()
    if view.seat is None and view.table is not None:
        front.say("You only watch; the players decide that.")
        return
    chosen = away_named(view, names, node.key)
    if isinstance(chosen, str):
        front.say(chosen)
        return
    await node.go_on_without([info.key for info in chosen])
    told = join_names([info.name for info in chosen])
    front.say(f"You vote to go on without {told}. It takes the votes of all others here.")


def away_named(
    view: TableView, names: tuple[str, ...], own_key: bytes
) -> tuple[SeatInfo, ...] | str:
    """Return who is meant by these names, all of others who sit here, or what to type instead."""
    if view.table is None:
        return NOT_BEGUN
    others = [info for info in view.seats if info.key != own_key and not info.left]
    found = [
        [info for info in others if info.name.casefold().startswith(name.casefold())]
        for name in names
    ]
    if any(len(who) != 1 for who in found):
        return f"Name who is away: {', '.join(info.name for info in others)}."
    return tuple(who[0] for who in found)
