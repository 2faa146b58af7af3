"""The verb that denies somebody a seat, for the player who gives the seats.

Before the game the host uses it to take a seat back, or to send a bot away. In a game the chair
uses it to deny a watcher a seat; a seated player keeps theirs. `allow` undoes a kick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from cli.input.lexer import without_courtesies
from cli.language import either, say
from cli.scene import LobbyScene, Scene, one_named
from cli.session.until import Until
from cli.session.verbs.allow import why_gives_no_seats
from cli.session.verbs.verb import Ask, Offers, TableVerb, Where
from cli.visible import begun_so, named_so
from netgame.io.tables.again import level_of
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import Guest, SeatInfo, TableStage, TableView

if TYPE_CHECKING:
    from cli.input.lexer import Words
    from cli.session.session import Session


class Kick(Ask, frozen=True):
    """Deny somebody a seat: their key gets none any more, and newcomers need a new join code.

    Before the game the host takes a player's seat back or sends a bot away. In a game the chair
    denies a seat to a guest.
    """

    name: str
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Kick the person named; for a bot, end the session to reopen the table without it.

        Tell everybody. For a person, also change the join code, if there is one. If the name is
        unknown or one's own, or somebody else gives the seats here, only say so.
        """
        view, own_key = session.node.view(), session.node.key
        if problem := why_gives_no_seats(view, own_key):
            session.front.say(problem)
            return
        forms = view.stage is TableStage.LOBBY
        found = (_named if forms else _guest_named)(view, self.name, own_key)
        if isinstance(found, str):
            session.front.say(found)
        elif isinstance(found, SeatInfo) and found.key == own_key:
            session.answer("You cannot kick yourself; quit closes the table.")
        elif isinstance(found, SeatInfo) and found.bot:
            await _send_bot_away(session, found)
        else:
            await _kick(session, PeerKey(found.key), found.name)


async def _kick(session: Session, key: PeerKey, name: str) -> None:
    """Take this key's seat back, or deny it one; tell everybody, and change any join code."""
    node = session.node
    await node.chat(say("{name} has no seat here any more.", name=name))
    if node.door.change_code():  # with the old code they could return under another key
        session.answer("The join code of this table is now {code}.", code=str(node.door.code))
    await node.kick(key)
    session.answer("To let {name} join again, type allow {name}.", name=name)


def _guest_named(view: TableView, name: str, _own_key: bytes) -> Guest | str:
    """Return the only guest whose name is or begins with `name`; else a sentence on why not."""
    names = [guest.name for guest in view.guests]
    found = (named_so(names, name) or begun_so(names, name)) if name else ()
    if len(found) == 1:
        return view.guests[found[0]]
    seats = [info.name for info in view.here]
    if name and not found and (sits := named_so(seats, name) or begun_so(seats, name)):
        text = "{name} sits in this game. Only a vote takes that seat: type without {name}."
        return say(text, name=seats[sits[0]])
    if not names:
        return say("Nobody is here without a seat.")
    return say("Kick whom? You can name {people}.", people=either(names))


async def _send_bot_away(session: Session, gone: SeatInfo) -> None:
    """Tell everybody, and reopen the table with the other bots, which keep their names."""
    view = session.node.view()
    left = [bot for bot in session.node.bots if bot.key != gone.key]
    await session.reopen(
        say("{name} leaves the table.", name=gone.name),
        bots=tuple(map(level_of, left)),
        names=tuple(view.name_of(bot.key) for bot in left),
    )


_BOT_WORDS: Final = frozenset({"a", "the", "that", "bot", "bots", "un", "el"})
"""Words that mean a bot without naming it."""


def _named(view: TableView, name: str, own_key: bytes) -> SeatInfo | str:
    """Return the player whose name is or begins with `name`; else a sentence on whom to name.

    The person's own name counts only in full. `bot` means the only bot.
    """
    others = [info for info in view.seats if info.key != own_key]
    in_full = named_so([info.name for info in view.seats], name)
    if len(in_full) == 1:
        return view.seats[in_full[0]]
    if (found := one_named(others, name)) is not None:
        return found
    bots = [info for info in others if info.bot]
    if name and _BOT_WORDS.issuperset(name.casefold().split()):
        return bots[0] if len(bots) == 1 else _which_bot(bots)
    return _whom_to_kick([info for info in others if not info.bot], bots)


def _which_bot(bots: Sequence[SeatInfo]) -> str:
    """Return a question asking which bot to kick, or a sentence saying that there is none."""
    if not bots:
        return say("No bot sits here.")
    names = [info.name for info in bots]
    return say("Which bot? {names}: type kick {name}.", names=either(names), name=names[0])


def _whom_to_kick(people: Sequence[SeatInfo], bots: Sequence[SeatInfo]) -> str:
    """Return a sentence naming the people who can be kicked and the bots that can be sent away."""
    text = "Nobody else sits here."
    if bots:
        text = "Kick whom? Only bots sit here with you: {bots}."
    if people:
        text = "Kick whom? You can name {people}."
    if people and bots:
        text = "Kick whom? You can name {people}, or send a bot away: {bots}."
    names = (either([info.name for info in each]) if each else "" for each in (people, bots))
    return say(text, people=next(names), bots=next(names))


def _may_kick(place: Scene | LobbyScene) -> bool:
    """Return True before the game, and later while this person can deny a guest a seat."""
    return isinstance(place, LobbyScene) or (place.gives_seats and bool(place.guests))


def _offer_kick(place: Scene | LobbyScene, before: Words) -> Offers:
    """Offer all other players before the game, and the guests during it; nothing after a name."""
    if before:
        return []
    if isinstance(place, Scene):
        return [(name, say("gets no seat")) for name in place.guests]
    others = (info for info in place.view.seats if info.key != place.own_key)
    takes, sends = say("takes their seat away"), say("sends the bot away")
    return [(info.name, sends if info.bot else takes) for info in others]


KICK: Final = TableVerb(
    "kick NAME",
    "Take a player's seat away before the game, or send a bot away (kick bot, if there is just "
    "one). During the game, give somebody who watches no seat.",
    lambda words: Kick(" ".join(without_courtesies(words))),
    spanish=("echar",),
    also=("kick out", "throw out", "remove", "quita", "quitar", "echa", "echa a"),
    examples=("kick ben", "kick bot"),
    is_of_use=_may_kick,
    offers_there=_offer_kick,
    where=Where.SEATS,
    takes_text=True,
)
