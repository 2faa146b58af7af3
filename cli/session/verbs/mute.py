"""The verbs that hide somebody's talk and show it again; nobody else learns of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cli.language import joined, say
from cli.scene import LobbyScene, Scene
from cli.session.verbs.verb import Ask, Offers, TableVerb, Where
from cli.visible import begun_so, named_so
from netgame.protocol.text import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.input.lexer import Words
    from cli.session.session import Session


class Mute(Ask, frozen=True):
    """Hide somebody's talk from now on; without a name, list whose talk is hidden."""

    name: str = ""

    async def do(self, session: Session) -> None:
        """Mute everybody with this name, because several watchers may have the same one.

        Without a name, say who is muted. If the name fits nobody, say who can be named.
        """
        muted, node = session.sitting.muted, session.node
        if not self.name:
            session.front.say(_listed(muted.names))
            return
        others = muted.others(node.view(), node.key)
        found = _meant(others, self.name)
        if not found:
            session.front.say(_whom(others))
        elif all(key in muted.names for key in found):
            text = "{name} is muted already. To see what {name} says type unmute {name}."
            session.answer(text, name=others[found[0]])
        else:
            muted.names.update({key: others[key] for key in found})
            text = "What {name} says is hidden from you now. To see it again type unmute {name}."
            session.answer(text, name=others[found[0]])


class Unmute(Ask, frozen=True):
    """Show somebody's talk again, or, without a name, everybody's."""

    name: str = ""

    async def do(self, session: Session) -> None:
        """Unmute everybody, or the people with this name; if there are none, say who is muted."""
        names = session.sitting.muted.names
        found = _meant(names, self.name) if self.name else list(names)
        if not found:
            session.front.say(_listed(names))
            return
        said = joined(list(dict.fromkeys(names.pop(key) for key in found)))
        session.answer("Shown again: what is said by {names}.", names=said)


def _meant(names: Mapping[bytes, str], word: str) -> list[bytes]:
    """Return the keys of the people called `word`, or else of those whose name begins with it.

    Return none if different names begin with it. If no name does, `word` may be a fingerprint.
    """
    keys, called = list(names), list(names.values())
    found = [keys[at] for at in named_so(called, word) or begun_so(called, word)]
    if len({names[key] for key in found}) > 1:
        return []
    return found or [key for key in keys if fingerprint(key) == word.strip().lower()]


def _listed(names: Mapping[bytes, str]) -> str:
    """Return a sentence on who is muted, and on what to type to change that."""
    text = "You have muted nobody. To hide what somebody says type mute and their name."
    if names:
        text = "Muted: {names}. To see what they say type unmute and a name."
    return say(text, names=joined(list(dict.fromkeys(names.values()))))


def _whom(names: Mapping[bytes, str]) -> str:
    """Return a sentence that lists whom one can mute."""
    text = "Name one of: {names}." if names else "Nobody else is here who could talk."
    return say(text, names=joined(list(dict.fromkeys(names.values()))))


def _offer_others(place: Scene | LobbyScene, before: Words) -> Offers:
    """Offer the others who can talk and are not muted; nothing after a name."""
    if before:
        return []
    return [(name, say("hides what they say")) for name in place.talkers if name not in place.muted]


def _offer_muted(place: Scene | LobbyScene, before: Words) -> Offers:
    """Offer the muted people; nothing after a name."""
    return [] if before else [(name, say("shows what they say again")) for name in place.muted]


_MUTE: Final = TableVerb(
    "mute [NAME]",
    "Hide what somebody says, from you alone, for the whole evening; without a name, list whom you "
    "have muted.",
    lambda words: Mute(" ".join(words)),
    spanish=("silenciar",),
    also=("ignore", "ignorar", "silence"),
    examples=("mute ben", "mute"),
    where=Where.ALWAYS,
    is_of_use=lambda place: bool(place.talkers or place.muted),
    offers_there=_offer_others,
    takes_text=True,
)
_UNMUTE: Final = TableVerb(
    "unmute [NAME]",
    "Show what somebody you have muted says again; without a name, what everybody says.",
    lambda words: Unmute(" ".join(words)),
    spanish=("escuchar",),
    also=("unignore",),
    examples=("unmute ben", "unmute"),
    where=Where.ALWAYS,
    is_of_use=lambda place: bool(place.muted),
    offers_there=_offer_muted,
    takes_text=True,
)

VERBS: Final = (_MUTE, _UNMUTE)
