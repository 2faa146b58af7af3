"""Another table for the same players: the host opens it at the same address, and guests find it.

No message tells a guest of it. The guest looks at the address of the host that it knows, as anybody
may without saying who they are, until the host's key answers there for another table. Then it joins
like any newcomer, without a code if it has shown the host one before. The new table has an id, a
coin and a record of its own. If the host is gone, another player may open the table in the same way
(`again`, docs/peer.md 2), and lets in, by their keys, the players who were at the last one.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.bots.levels import BotLevel
from engine.rules.spec import TableSpec
from netgame.io.disk.storage import free_name
from netgame.io.door.dial import look
from netgame.io.network.addresses import Address
from netgame.io.node.node import Node
from netgame.io.tables.notes import TableNotes, read_notes
from netgame.io.tables.options import HostOptions, ReachedBy, SeatOptions
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.lobby import spec_of
from netgame.protocol.text import long_fingerprint
from netgame.wire.messages import Settings


async def another_table_at(addresses: Sequence[Address], host: PeerKey, before: bytes) -> str:
    """Return the address where `host` has a table other than `before`; empty if none is there yet.

    Raises `Disconnected`, `TimedOut`, `Malformed` or `Refused` if no table can be seen there.
    """
    seen = await look(addresses)
    return str(seen.address) if seen.key == host and seen.table not in (b"", before) else ""


def opened_anew(
    node: Node,
    options: HostOptions,
    bots: tuple[BotLevel, ...] | None = None,
    settings: Settings | None = None,
    bot_names: tuple[str, ...] = (),
) -> HostOptions:
    """Return the options to reopen a table at which no game began, with other bots or settings.

    If `bots` or `settings` is None, the table keeps those it had; `bot_names` counts only if `bots`
    is given. Record and seed stay those of `options`, because nothing has been played.
    """
    again = opened_again(node, options)
    played = settings or again.settings
    return replace(
        again,
        bots=again.bots if bots is None else bots,
        bot_names=again.bot_names if bots is None else bot_names,
        settings=played,
        start_at=None if again.start_at is None else played.seats,
        record=options.record,
        seed=options.seed,
    )


def opened_again(node: Node, options: SeatOptions, seats: int = 0) -> HostOptions:
    """Return the options to open the table of `node` again, with the same rules, bots and door.

    Its port and page stay the same, too. It has at least `seats` seats, if the rules allow that. If
    the last one began by itself, the new one does too, once all seats are taken. The seat order is
    drawn anew. A demonstration goes on with the next seed. A player who opens the table instead of
    its host lets in everybody who is connected or wants another game.
    """
    view = node.view()
    settings = view.settings
    assert settings is not None, "a host knows what is played at its table"
    settings = _widened(settings, seats)
    if not isinstance(options, HostOptions):  # this seat had resumed or joined the table
        known = {name: getattr(options, name) for name in SeatOptions.__struct_fields__}
        hidden = ReachedBy.COMPUTER if node.port else ReachedBy.PROGRAM
        known["reach"] = hidden if node.is_hidden else ReachedBy.NETWORK
        seated = view.seat is not None
        noted = TableNotes() if node.folder is None else read_notes(node.folder.path)
        itself = node.is_hidden or noted.starts_itself
        start_at = settings.seats if itself else None
        options = HostOptions(**known, settings=settings, start_at=start_at, seated=seated)
    itself = options.start_at is not None
    allowed = frozenset(node.door.allowed)
    if not view.is_host:  # the host, who is gone, had let these in
        here = {info.key for info in view.here if info.connected} | view.again
        allowed |= {long_fingerprint(key) for key in here}
    return replace(
        options,
        settings=settings,
        start_at=settings.seats if itself else None,
        bots=tuple(map(level_of, node.bots)),
        bot_names=tuple(filter(None, (view.name_of(bot.key) for bot in node.bots))),
        port=node.port or None,
        code="" if node.door.code is None else str(node.door.code),
        kicked=dict(node.kicked),
        by_code=node.door.by_code,
        blocked=frozenset(node.door.blocked),
        allowed=allowed,
        page_place=None if node.page is None else node.page.place,
        record=None if options.record is None else free_name(options.record),
        seed=None if options.seed is None else options.seed + 1,
    )


def _widened(settings: Settings, seats: int) -> Settings:
    """Return the same settings with the most seats that the rules allow, up to `seats`.

    There are never fewer seats than before.
    """
    wider = (replace(settings, seats=most) for most in range(seats, settings.seats, -1))
    playable = (offer for offer in wider if isinstance(spec_of(offer, offer.seats), TableSpec))
    return next(playable, settings)


def level_of(bot: Node) -> BotLevel:
    """Return the level of a bot of this computer: the one in its notes, or else the usual one."""
    return BotLevel.NORMAL if bot.folder is None else read_notes(bot.folder.path).bot_level
