"""The verbs about newcomers, for the player who announces the table.

They block an address, and let a key in without a join code. They help when strangers keep trying
join codes, so that newcomers have to wait. They apply to this table, and to the next ones that this
program opens for the same company.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.input.lexer import Words
from cli.language import joined, say
from cli.scene import LobbyScene, Scene
from cli.session.verbs.verb import Ask, Offers, TableVerb, Where
from netgame.io.network.addresses import number_of
from netgame.io.network.interfaces import own_addresses
from netgame.io.network.streams import HERE
from netgame.protocol.text import long_fingerprint, read_long_fingerprint

if TYPE_CHECKING:
    from cli.session.session import Session

_NOT_YOURS: Final = (
    "Newcomers cannot come in at your computer now, only where the table is announced."
)
_HALF: Final = re.compile(r"[a-z2-7]{4}-?[a-z2-7]{4}")

# ---- block ----------------------------------------------------------------------------------


class Block(Ask, frozen=True):
    """Let no newcomer in from an address; without one, list blocked and suspicious addresses."""

    address: str = ""

    async def do(self, session: Session) -> None:
        """Block the address, lift all blocks (`none`), or list blocks and wrong join codes.

        Blocking also ends the links from the address, except those of players.
        """
        if session.desk.door() is None:
            session.answer(_NOT_YOURS)
        elif not self.address:
            session.front.say(_listed(session))
        elif self.address.lower() in ("none", "ninguno"):
            session.node.door.blocked.clear()
            session.answer("No address is blocked any more.")
        else:
            session.front.say(_blocked(session, self.address))


def _listed(session: Session) -> str:
    """Return sentences on where wrong join codes came from, and on which addresses are blocked."""
    door = session.node.door
    tries = joined([f"{source} ({count})" for source, count in door.wrong_tries().items()])
    text = "Wrong join codes came from {addresses}." if tries else "No wrong join code has come."
    said = say(text, addresses=tries)
    if door.blocked:
        text = "Blocked: {addresses}. To take that back type: block none"
        said = f"{said} {say(text, addresses=joined(sorted(door.blocked)))}"
    return said


def _blocked(session: Session, address: str) -> str:
    """Block an address; return a sentence saying so, or why it cannot be blocked."""
    number = number_of(address)
    is_own = address == HERE or (number is not None and number.is_loopback)
    if is_own or any(number == each.number for each in own_addresses()):
        return say("{address} is your own computer.", address=address)
    if number is None:
        text = "{word} is no address. Type block alone to see from where wrong join codes came."
        return say(text, word=address)
    view = session.node.view()
    names = [view.name_of(key) for key in session.node.pool.block(str(number))]
    text = "Nobody can join from {address} any more. To take that back type: block none"
    if names:
        text = "Nobody else can join from {address} any more. Those already here stay: {names}."
    return say(text, address=number, names=joined(names))


def _offer_addresses(place: Scene | LobbyScene, before: Words) -> Offers:
    """Offer the addresses that wrong join codes came from, and `none` if any is blocked."""
    if place.door is None or before:
        return []
    offers = [(address, say("wrong join codes came from there")) for address in place.door.tried]
    lifted = [("none", say("let everybody try again"))] if place.door.blocked else []
    return [*offers, *lifted]


_BLOCK: Final = TableVerb(
    "block [ADDRESS]",
    "Let nobody in from an address while this table is open; players who sit here stay.",
    lambda words: Block(" ".join(words)),
    spanish=("bloquear",),
    examples=("block", "block 192.168.1.7", "block none"),
    where=Where.DOOR,
    is_of_use=lambda place: place.door is not None,
    offers_there=_offer_addresses,
    takes_text=True,
)

# ---- allow, of a key ------------------------------------------------------------------------


class AllowKey(Ask, frozen=True):
    """Let the key with this long fingerprint in without a join code."""

    key: str

    async def do(self, session: Session) -> None:
        """Let the key in from now on, even if it was kicked, and say what its owner has to type."""
        node = session.node
        if session.desk.door() is None:
            session.answer(_NOT_YOURS)
            return
        for out in [each for each in node.kicked if long_fingerprint(each) == self.key]:
            await node.allow(out)
        node.door.allowed.add(self.key)
        text = "{key} can come in without the join code. In its place they type your key: {own}"
        if node.door.anybody:
            text = "At this table nobody needs a join code: {key} can come in."
        session.answer(text, key=self.key, own=long_fingerprint(node.key))


def read_key(words: Words) -> AllowKey | None:
    """Read a long fingerprint, in any case and grouping; return None for anything else."""
    key = read_long_fingerprint("".join(words))
    return None if key is None else AllowKey(key)


def half_key_text(typed: str) -> str:
    """Return an explanation if half a long fingerprint was typed; empty for any other text.

    Empty too for letters alone, which may be a name.
    """
    if typed.isalpha() or not _HALF.fullmatch(typed.lower()):
        return ""
    text = (
        "That is half a key, and a stranger could make one with the same beginning: type all "
        "16 letters and digits shown on the newcomer's screen."
    )
    return say(text)


VERBS: Final = (_BLOCK,)
