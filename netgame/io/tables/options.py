"""How a player wants to sit at a table, and where a process takes its randomness from."""

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from engine.bots.levels import BotLevel
from netgame.crypto.group import Entropy
from netgame.crypto.transcript import SEED_BYTES, expand
from netgame.frozen import FrozenStruct
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import Settings

AskCode: TypeAlias = Callable[[int, str], Awaitable[str | None]]


class SeatOptions(FrozenStruct, kw_only=True):
    """The options of every seat.

    `data_dir` None is the system's place; `record` gets a copy of the record when the table is
    left; `auto`: a bot plays this seat; `pause_s` seconds pass before each move of this program's
    bots, for people to follow; `port` None is the next free one from the default on;
    `loopback_only` hides the seat from the network.
    """

    name: str
    data_dir: Path | None = None
    record: Path | None = None
    auto: bool = False
    pause_s: float = 0.0
    port: int | None = None
    loopback_only: bool = False


class JoinOptions(SeatOptions, kw_only=True):
    """How to sit down at somebody's table, or to come back to one.

    `code` is the table's join code as typed. Without one `ask_code(number, trouble)` may ask the
    player; it returns None for no answer, and `trouble` says what was wrong with the last one.
    `tell_busy` is told in how many seconds we try again at a table that has no room at its door.
    With `looks_first` or `watches` no seat is asked for before `Node.take_seat`, and the others are
    told that somebody is there. If `host` is given, no other key is accepted. In place of a code
    the long fingerprint of whoever announces the table will do, where that has allowed ours, of
    which `tell_key` is told before the player is asked. Without `insists` a door that hangs up is
    not tried again, as the same table is announced elsewhere, too.
    """

    code: str = ""
    ask_code: AskCode | None = None
    tell_key: Callable[[str], None] = lambda _key: None
    tell_busy: Callable[[float], None] = lambda _seconds: None
    looks_first: bool = False
    watches: bool = False
    host: bytes = b""
    insists: bool = True


class HostOptions(SeatOptions, kw_only=True):
    """How to open a table.

    There is a bot for each level of `bots`, named by `bot_names` where these are free. The game
    begins by itself when `start_at` players sit; `lead` names the first player, where the rules let
    the table choose; with `announce` the table is advertised; with `seated` False the host has no
    seat; with `seed` nothing is random and the deal is not fair. The join code is `code`, or drawn,
    unless the settings ask for none. The `kicked` keys, with their names, get no seat; those of
    `by_code`, each with its source, showed the code at the last table of the same company, and need
    none. So do those whose long fingerprints were `allowed` there; from the addresses that were
    `blocked` nobody comes in.
    """

    settings: Settings
    bots: tuple[BotLevel, ...] = ()
    bot_names: tuple[str, ...] = ()
    start_at: int | None = None
    lead: str | None = None
    announce: bool = True
    seated: bool = True
    seed: int | None = None
    code: str = ""
    kicked: Mapping[PeerKey, str] = {}
    by_code: Mapping[bytes, str] = {}
    blocked: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()


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
            return secrets.token_bytes
        return expand(self._seed, "demonstration", *purpose)

    def secret(self, *purpose: int | str) -> bytes:
        """32 octets for one purpose; with a seed, always the same."""
        return self.source("secret", *purpose)(SEED_BYTES)
