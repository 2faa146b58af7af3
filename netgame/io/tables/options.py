"""How a player wants to sit at a table, and where a process takes its randomness from."""

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
    """Wait for nothing."""


class ReachedBy(StrEnum):
    """The reach of a seat: from where others can come to it."""

    NETWORK = "network"
    """Everybody on the networks of this computer."""
    COMPUTER = "computer"
    """Other programs of this computer: it listens on loopback."""
    PROGRAM = "program"
    """Nobody but the bots of this process: no port is opened."""


class SeatOptions(FrozenStruct, kw_only=True):
    """The options of every seat."""

    name: str
    data_dir: Path | None = None
    """None is the system's place."""
    record: Path | None = None
    """Gets a copy of the record when the table is left."""
    auto: bool = False
    """A bot plays this seat."""
    pause_s: float = 0.0
    """So many seconds pass before each move of this program's bots, for people to follow."""
    port: int | None = None
    """None is the next free one from the default on."""
    reach: ReachedBy = ReachedBy.NETWORK
    """From where others can come to the seat, whatever the door then says to them."""
    on_wall: bool = False
    """A room sees the table; a note for whoever comes back to it."""
    page: bool | None = None
    """The page for browsers is served here, where this install has one. With None a host serves it
    where the network reaches the seat, and a guest once it is asked for."""
    page_place: PagePlace | None = None
    """Where it was served at the last table of the same company, whose browsers know no other."""


class JoinOptions(SeatOptions, kw_only=True):
    """How to sit down at somebody's table, or to come back to one.

    In place of a code the long fingerprint of the announcer will do, where that has allowed ours.
    """

    code: str = ""
    """The table's join code, as typed."""
    ask_code: AskCode | None = None
    """Called with the code's number and the trouble with the last answer, if any: asks the player.
    Returns None for no answer."""
    tell_key: Callable[[str], None] = lambda _key: None
    """Told of our long fingerprint before the player is asked."""
    tell_busy: Callable[[float], None] = lambda _seconds: None
    """Told in how many seconds we try again at a table that has no room at its door."""
    looks_first: bool = False
    """No seat is asked for before `Node.take_seat`."""
    watches: bool = False
    """No seat is asked for either, and the others are told that somebody is there."""
    host: bytes = b""
    """If given, no other key is accepted."""
    shown_code: str = ""
    """A join code that the screen of this seat shows to a room, as long as it holds."""
    insists: bool = True
    """A door that hangs up is tried again. Not where the same table is announced elsewhere, too."""


class HostOptions(SeatOptions, kw_only=True):
    """How to open a table."""

    settings: Settings
    bots: tuple[BotLevel, ...] = ()
    """There is a bot for each of these levels."""
    bot_names: tuple[str, ...] = ()
    """Their names, where these are free."""
    start_at: int | None = None
    """The game begins by itself when so many players sit."""
    lead: str | None = None
    """The name of the first player, where the rules let the table choose."""
    may_move: Callable[[], Awaitable[None]] = at_once
    """Awaited by each of these bots before it moves: somebody may be reading."""
    announce: bool = True
    """The table is advertised."""
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
    need none."""
    blocked: frozenset[str] = frozenset()
    """Addresses from which nobody comes in."""
    allowed: frozenset[str] = frozenset()
    """Long fingerprints of keys that were let in there, and need no code either."""


class Randomness:
    """Gives the system's random octets, or with a seed those of a demonstration, always the same.

    The nodes of a demonstration share `aliases` for their addresses; None without a seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = None if seed is None else hashlib.sha256(str(seed).encode()).digest()
        self.aliases: dict[str, str] | None = None if seed is None else {}

    @property
    def is_fixed(self) -> bool:
        """Whether all octets follow from a seed."""
        return self._seed is not None

    def same(self, *purpose: int | str) -> Entropy:
        """Octets for uses in no certain order: with a seed, every call of it gives the same ones.

        Without one they are fresh each time.
        """
        return lambda octets: self.source(*purpose)(octets)

    def source(self, *purpose: int | str) -> Entropy:
        """A stream of octets for one purpose; with a seed, each stream for it begins the same."""
        if self._seed is None:
            return fresh_octets
        return expand(self._seed, "demonstration", *purpose)

    def secret(self, *purpose: int | str) -> bytes:
        """32 octets for one purpose; with a seed, always the same."""
        return self.source("secret", *purpose)(SEED_BYTES)
