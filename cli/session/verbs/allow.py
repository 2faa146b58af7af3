"""The verb that lets somebody have a seat or a vote, before the game or during it.

Before the game the host uses it, and during the game the chair; it also undoes their `kick`. By
itself the chair's program gives no seat to some keys, such as a stranger's at an open table, or one
that had a seat and kept silent (`netgame.protocol.peer.people.chair`). Any player can also give a
vote to a latecomer whom their program does not know (`franchise`, in the same folder).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from cli.input.lexer import Words
from cli.language import joined, say
from cli.scene import LobbyScene, Scene
from cli.session.answers import ONLY_HOST
from cli.session.until import Until
from cli.session.verbs.door import half_key_text, read_key
from cli.session.verbs.verb import Ask, Offers, TableVerb, Where
from cli.visible import named_so
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import fingerprint

if TYPE_CHECKING:
    from cli.session.session import Session


_WHOM: Final = "Allow whom? Name somebody who asks for a seat, or whom you have kicked."


class Allow(Ask, frozen=True):
    """Give somebody a seat or a vote that the program does not give by itself."""

    name: str
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Give a seat or a vote to the person with this name or fingerprint.

        If there is none, say who can be named, or who gives the seats instead. If several people of
        one name ask for a seat, say their fingerprints.
        """
        view, kicked = session.node.view(), session.node.kicked
        asking = {each.key: each.name for each in view.asking}
        late = {PeerKey(each.key): each.name for each in view.here if each.no_vote}
        names = {**kicked, **asking, **(late if view.sits else {})}
        found = _meant(names, self.name)
        if not found and (half := half_key_text(self.name)):
            session.front.say(half)
        elif not found and (problem := why_gives_no_seats(view, session.node.key)):
            session.front.say(problem)
        elif not self.name:
            session.answer(_WHOM)
        elif not found:
            text = "Nobody is waiting for your yes."
            if view.stage is TableStage.LOBBY and not names:
                text = "You have kicked nobody."
            if names:
                text = "Name one of: {names}."
            session.answer(text, names=joined(list(names.values())))
        elif len(asked := [key for key in found if key in asking]) > 1:
            text = "Several are called {name}. Name one by the fingerprint: {fingerprints}."
            prints = joined([fingerprint(key) for key in asked])
            session.answer(text, name=names[asked[0]], fingerprints=prints)
        else:
            for key in found:
                await self._let_in(session, key, names[key], has_seat=key in late)

    async def _let_in(self, session: Session, key: PeerKey, name: str, *, has_seat: bool) -> None:
        """Give this key a vote if it `has_seat`, else allow it a seat; say so.

        A seat that is allowed during the game is told to everybody. In all other cases only this
        person is told.
        """
        node = session.node
        await node.allow(key)
        if has_seat:
            text = (
                "Your program gives {name} a vote when a round ends: it takes more than half of "
                "those who vote."
            )
            session.answer(text, name=name)
            return
        if node.view().stage is TableStage.LOBBY:
            session.answer("{name} may join again.", name=name)
        else:
            await node.chat(say("{name} may sit down at the next round.", name=name))


def _meant(names: Mapping[PeerKey, str], word: str) -> list[PeerKey]:
    """Return the keys whose owners have this name; if none has, those with this fingerprint."""
    keys = list(names)
    found = [keys[at] for at in named_so(list(names.values()), word)]
    return found or [key for key in keys if fingerprint(key) == word.strip().lower()]


def why_gives_no_seats(view: TableView, own_key: bytes) -> str:
    """Return a sentence on why this person cannot give seats here; empty if they can."""
    if view.stage is TableStage.LOBBY:
        return "" if view.is_host else say(ONLY_HOST)
    if view.chair == own_key:
        return ""
    chair = view.name_of(view.chair)
    text = "{name} gives the seats at this table: ask {name} to type it."
    return say(text, name=chair)


def _asks_for_yes(place: Scene | LobbyScene) -> bool:
    """Return True before the game, and later while somebody asks for a seat or has no vote."""
    return isinstance(place, LobbyScene) or bool(place.asking or place.without_vote)


def _offer_asking(scene: Scene | None, before: Words, _typing: str) -> Offers:
    """Offer the people who ask for a seat or have no vote yet; nothing after a name."""
    if before or scene is None:
        return []
    seats = [(name, say("asks for a seat")) for name in scene.asking]
    return [*seats, *((name, say("has no vote yet")) for name in scene.without_vote)]


ALLOW: Final = TableVerb(
    "allow NAME|KEY",
    "Let somebody in: a player you kicked, a stranger who asks for a seat during the game, or, "
    "by the key on their screen, a newcomer without the join code; or give a player who came late "
    "a vote on who goes on.",
    lambda words: read_key(words) or Allow(" ".join(words)),
    spanish=("admitir",),
    examples=("allow ben", "allow k3f7-2xqa-mz4c-w5ty"),
    where=Where.SEATS,
    is_of_use=_asks_for_yes,
    offers=_offer_asking,
    takes_text=True,
)
