"""Sentences about players proved to have cheated, and about a game that ends because of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cli.language import joined, say
from cli.scene import Convict, Scene, count_text, rounds_text
from engine.scoring import best_seats, totals
from netgame.protocol.log.fault import Offence

_DID: Final[Mapping[Offence, str]] = {
    Offence.ENTRY: "{name} signed a false entry (round {round}).",
    Offence.SCORE: "{name} signed a wrong score (round {round}).",
    Offence.TWICE: "{name} signed two versions of one entry (round {round}).",
    Offence.VOTE: "{name} lied in a vote (round {round}).",
    Offence.DEAL: "{name} cheated in the deal (round {round}).",
}
"""A sentence for each offence, with the round in which it was found out."""


def convict_texts(convicts: Iterable[Convict], *, is_over: bool) -> Iterator[str]:
    """Yield a text on each cheat's offence and what followed.

    A cheat who is still at the table is said to have played on, but only if the game `is_over`.
    """
    for each in convicts:
        did = say(_DID[each.offence], name=each.name, round=each.found_in + 1)
        then = "{name} played on." if is_over else ""
        if each.is_gone:
            then = "The table went on without {name}."
            if each.farewell:
                then = "{name} left for good."
        yield " ".join(filter(None, (did, say(then, name=each.name) if then else "")))


def stopped_texts(scene: Scene | None, convicts: Sequence[Convict]) -> Iterator[str]:
    """Yield a sentence saying that the game ends early and who cheated, and then the standings.

    The standings are those after the last scored round. They are left out before the first deal,
    when there is no `scene`.
    """
    names = [each.name for each in convicts]
    if not names:
        yield say("The game ends here: nobody can play on.")
    else:
        text = "The game ends here: {names} cheated, and nobody can play on."
        yield say(text, names=joined(names))
    if scene is not None:
        yield _stood_text(scene)


def _stood_text(scene: Scene) -> str:
    """Return sentences on who led after the last scored round, and on everybody's points.

    If no round was scored, the only sentence says so.
    """
    table, names = scene.table, scene.names
    number = len(table.past)
    if not number:
        return say("No round was scored, so nobody leads.")
    total, own = totals(table), scene.seat
    best = best_seats(table.rules, table.past, table.spec.seats, table.game.gone)
    you = own in best
    leaders = [names[seat] for seat in best if seat != own]
    if you:
        leaders = [say("you"), *leaders]
    text = "After round {number} of {rounds}, the last that was scored, {names} lead with {points}."
    if len(best) == 1 and not you:
        text = (
            "After round {number} of {rounds}, the last that was scored, {names} leads with "
            "{points}."
        )
    led = say(
        text,
        number=number,
        rounds=rounds_text(table.spec),
        names=joined(leaders),
        points=count_text(total[best[0]]),
    )
    rest = [seat for seat in range(table.spec.seats) if seat not in best]
    others = [f"{say('you') if seat == own else names[seat]} {total[seat]}" for seat in rest]
    if not others:
        return led
    return f"{led} {say('The others: {points}.', points=joined(others))}"
