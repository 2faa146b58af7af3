"""A player's options for a seat at a table, and the random octets that the seat uses."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from engine.bots.levels import BotLevel
from netgame.crypto.group import Entropy
from netgame.crypto.transcript import SEED_BYTES, expand
from netgame.frozen import FrozenStruct
from netgame.io.entropy import fresh_octets
from netgame.io.page.place import PagePlace
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import Settings

AskCode: TypeAlias = Callable[[int, str], Awaitable[str | None]]


async def at_once() -> None:
    """Return at once: the `may_move` of a bot that need not wait."""


class ReachedBy(StrEnum):
    """The reach of a seat: from where others can come to it."""

    NETWORK = "network"
    """Everybody on the networks of this computer."""
    COMPUTER = "computer"
    """Other programs of this computer: it listens on loopback."""
    PROGRAM = "program"
    """Nobody but the bots of this process: no port is opened."""


class SeatOptions(FrozenStruct, kw_only=True):
    """The options that every seat has, however it was taken."""

    name: str
    data_dir: Path | None = None
    """None for the system's usual data folder."""
    record: Path | None = None
    """A file that gets a copy of the record when the player leaves the table."""
    auto: bool = False
    """A bot plays this seat."""
    pause_s: float = 0.0
    """Seconds that pass before each move of this program's bots, for people to follow."""
    port: int | None = None
    """None for the next free one from the default on."""
    reach: ReachedBy = ReachedBy.NETWORK
    """From where others can come to the seat, whatever the door then tells them."""
    on_wall: bool = False
    """A room sees the table; noted for a later return to it."""
    page: bool | None = None
    """True to serve the page for browsers here, if this install has one. With None, a host serves
    it if the network reaches the seat, and a guest once its player asks for it.
    """
    page_place: PagePlace | None = None
    """The page's place at the last table of the same company, whose browsers know no other."""


class JoinOptions(SeatOptions, kw_only=True):
    """The options for sitting down at somebody's table, or coming back to one.

    If the announcer has allowed this player's key, `code` may be the announcer's long fingerprint
    instead of a join code.
    """

    code: str = ""
    """The table's join code, as typed."""
    ask_code: AskCode | None = None
    """Asks the player; called with the code's number and the trouble with the last answer, if any.
    Returns None for no answer.
    """
    tell_key: Callable[[str], None] = lambda _key: None
    """Called with our long fingerprint before the player is asked."""
    tell_busy: Callable[[float], None] = lambda _seconds: None
    """Called with the seconds until the next try at a table that has no room at its door."""
    looks_first: bool = False
    """Ask for no seat before `Node.take_seat`."""
    watches: bool = False
    """Ask for no seat, and tell the others that somebody watches."""
    host: bytes = b""
    """The only key that is accepted, if given."""
    shown_code: str = ""
    """A join code that the screen of this seat shows to a room, as long as it is valid."""
    insists: bool = True
    """Try again at a door that hangs up; false if the same table is announced elsewhere, too."""


class HostOptions(SeatOptions, kw_only=True):
    """The options for opening a table."""

    settings: Settings
    bots: tuple[BotLevel, ...] = ()
    """The levels of the bots, one for each."""
    bot_names: tuple[str, ...] = ()
    """The bots' names, if these are free."""
    start_at: int | None = None
    """The number of seated players at which the game begins by itself; None if it does not."""
    lead: str | None = None
    """The name of the first player, where the rules let the table choose."""
    may_move: Callable[[], Awaitable[None]] = at_once
    """Awaited by each of these bots before it moves, because somebody may be reading."""
    announce: bool = True
    """Advertise the table."""
    seated: bool = True
    """The host has a seat."""
    seed: int | None = None
    """If given, nothing is random, and the deal is not fair."""
    code: str = ""
    """The join code; one is drawn if this is empty, unless the settings ask for none."""
    kicked: Mapping[PeerKey, str] = {}
    """Keys that get no seat, with their names."""
    by_code: Mapping[bytes, str] = {}
    """Keys that showed the code at the last table of the same company, each with its source: they
    need no code.
    """
    blocked: frozenset[str] = frozenset()
    """Addresses from which only members come in."""
    allowed: frozenset[str] = frozenset()
    """Long fingerprints of keys that were let in at the last table, and need no code either."""


class Randomness:
    """Random octets: the system's or, with a seed, those of a demonstration, always the same.

    `aliases` is the mapping of addresses that the nodes of a demonstration share; None without a
    seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = None if seed is None else hashlib.sha256(str(seed).encode()).digest()
        self.aliases: dict[str, str] | None = None if seed is None else {}

    @property
    def is_fixed(self) -> bool:
        """True if all octets follow from a seed."""
        return self._seed is not None

    def same(self, *purpose: int | str) -> Entropy:
        """Return a function that, with a seed, returns the same octets at every call.

        It is for uses whose order is not fixed. Without a seed its octets are fresh each time.
        """
        return lambda octets: self.source(*purpose)(octets)

    def source(self, *purpose: int | str) -> Entropy:
        """Return a function that draws octets; with a seed, always the same ones for a purpose."""
        if self._seed is None:
            return fresh_octets
        return expand(self._seed, "demonstration", *purpose)

    def secret(self, *purpose: int | str) -> bytes:
        """Return 32 octets for one purpose; with a seed, always the same."""
        return self.source("secret", *purpose)(SEED_BYTES)
