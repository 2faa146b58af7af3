"""Sentences about seats that have gone: who decided it, and what it means for those seats."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cli.language import joined, say, say_count
from cli.program import typed_in_shell
from cli.scene import count_text
from cli.wording.seats import no_seat_text
from engine.play.leavers import forfeit
from engine.rules.switches import HandPoints
from engine.table.table import ENDED, Table
from engine.table.trains import Seat
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.peer.view import SeatInfo, TableView
from netgame.protocol.seating import NoSeat


def departure_text(departure: GoneSeat) -> str:
    """Return a text on how and when a player left the game, according to the record."""
    facts = {"name": departure.name, "step": departure.step}
    if departure.farewell:
        parts = [say("{name}: gone at step {step}. {name} left for good.", **facts)]
    else:
        parts = [say("{name}: gone at step {step}.", **facts), _without_text(departure)]
        if departure.promised:
            parts.append(say("{name} had taken part in that vote.", name=departure.name))
    return " ".join([*parts, *owing_texts([departure])])


def whereabouts_text(view: TableView, info: SeatInfo, *, here: bool) -> str:
    """Return a sentence saying that a player has left, was voted out, is away, or is here.

    A player who has gone and watches now gets a second sentence. `here` is False if they are away.
    """
    facts = {"name": info.name, "number": 0, "names": ""}
    gone = [each for each in view.departures if each.key == info.key]
    text = "{name} is here."
    if info.left and gone:
        facts |= {"number": gone[-1].round_number + 1, "names": joined(gone[-1].named_by)}
        text = "{names} went on without {name} in round {number}."
        if gone[-1].farewell:
            text = "{name} left for good in round {number}."
    elif info.left or (info.parted and not info.connected):
        text = "{name} has left for good."
    elif not here:
        text = "{name} is away, not connected: the table waits whenever their turn comes."
        if view.table is None:
            text = "{name} is not connected."
    said = say(text, **facts)
    return f"{said} {say('{name} watches now.', name=info.name)}" if info.watches else said


def owing_texts(departures: Iterable[GoneSeat], least: int = 1) -> Iterator[str]:
    """Yield a sentence on each player who left while others waited for their shares.

    The sentence says how often, unless it was once. A player who did so fewer than `least` times
    is left out. Sentences about the dealing of hands come first, then those about tiles drawn.
    """
    gone = list(departures)
    names = {each.key: each.name for each in gone}
    dealing = Counter(each.key for each in gone if each.while_dealing)
    drawing = Counter(each.key for each in gone if each.while_drawing)
    for key, count in _often(dealing, least):
        one = "{name} left while the hands were being dealt."
        many = "{name} left while the hands were being dealt, {count} times."
        yield say_count(one, many, count, name=names[key])
    for key, count in _often(drawing, least):
        one = "{name} left while somebody waited to see a tile."
        many = "{name} left while somebody waited to see a tile, {count} times."
        yield say_count(one, many, count, name=names[key])


def _often(times: Counter[bytes], least: int) -> Iterator[tuple[bytes, int]]:
    return (each for each in times.items() if each[1] >= least)


def _without_text(departure: GoneSeat) -> str:
    """Return a sentence on who went on without this seat, and whose agreement was not needed."""
    by, others = joined(departure.named_by), joined(departure.not_needed)
    if not departure.not_needed:
        return say("{names} went on without {name}.", names=by, name=departure.name)
    text = "{names} went on without {name}; {others} did not have to agree."
    return say(text, names=by, name=departure.name, others=others)


def price_text(view: TableView, names: Sequence[str]) -> str:
    """Return what being voted out now costs these players, and whether they get their seats back.

    The points are as of now, and fall as tiles are laid. Return "" if there are no names, or no
    table yet.
    """
    table = view.table
    if table is None or not names:
        return ""
    seats = zip(range(len(table.hands)), view.seats, strict=False)
    prices = {info.name: _price(table, Seat(at)) for at, info in seats if info.name in names}
    returns, price = view.closed is None, prices.get(names[0], 0)
    if len(names) > 1:
        return _prices_text(prices, returns=returns)
    if price:
        text = "{name} would take about {points}, and gets no seat back in this game."
        if returns:
            text = "{name} would take about {points}, and gets the seat back at the next round."
    else:
        text = "{name} gets no seat back in this game."
        if returns:
            text = "{name} gets the seat back at the next round."
    return say(text, name=names[0], points=count_text(price))


def _prices_text(prices: Mapping[str, int], *, returns: bool) -> str:
    """Return the text of `price_text` for several players; prices of 0 are not mentioned."""
    costs = [
        say("{name} about {points}", name=name, points=count_text(price))
        for name, price in prices.items()
        if price
    ]
    back = "They get no seats back in this game."
    if returns:
        back = "They get their seats back at the next round."
    if not costs:
        return say(back)
    return f"{say('That would cost {prices}.', prices=joined(costs))} {say(back)}"


def _price(table: Table, seat: Seat) -> int:
    """Return the points a seat would take for leaving now.

    It is 0 between rounds, and under rules by which the winner takes the points.
    """
    if table.phase in ENDED or table.rules.scoring is HandPoints.WINNER_TAKES:
        return 0
    return forfeit(table, seat)


def own_departure_text(departure: GoneSeat, no_seat: NoSeat | None) -> str:
    """Return a text for a player who has left: when and why, and the way back, if there is one."""
    text = (
        "{names} went on without you in round {number} (step {step}): you were away, or kept them "
        "waiting."
    )
    if departure.farewell:
        text = "You left this table for good in round {number} (step {step})."
    number, names = departure.round_number + 1, joined(departure.named_by)
    said = say(text, names=names, number=number, step=departure.step)
    if no_seat is not None:
        return f"{said} {no_seat_text(no_seat)}"
    back = (
        "You watch now, and get your seat back at the next round; the record is kept. If you quit "
        "first, come back with: {command}"
    )
    return f"{said} {say(back, command=typed_in_shell('join'))}"


def departures_text(names: Sequence[str], departures: Sequence[GoneSeat], own: str) -> str:
    """Return a sentence on whom the table goes on without, and who agreed to that.

    Return "" if one of the `names` left by themselves or is not among the departures, or if
    different players agreed on different departures. `own` is the reader's name.
    """
    newest = {each.name: each for each in departures if each.name in names}
    by = {each.named_by for each in newest.values()}
    left = any(each.farewell for each in newest.values())
    if left or len(by) != 1 or len(newest) < len(names):
        return ""
    agreed = joined([say("you") if name == own else name for name in by.pop()])
    text = "The table goes on without {others}, as {names} agreed."
    return say(text, others=joined(names), names=agreed)
