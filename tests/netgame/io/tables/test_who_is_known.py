"""The keys that a computer knows when it gives seats: from its door, bots and known peers."""

from netgame.crypto.signing import make_signing_key
from netgame.io.disk.known_peers import KnownPeers
from tests.netgame.io.tables.test_tables import hosts, joins, until

FRIEND, PASSER_BY = (make_signing_key(bytes([n]) * 32).public_bytes for n in (1, 2))


def met(folder) -> None:
    """Note a friend met by a join code, and another peer met at an open table."""
    known = KnownPeers(folder)
    known.meet("Zoe", "192.168.1.9:4747", FRIEND, "code")
    known.meet("Yan", "192.168.1.8:4747", PASSER_BY, "open")


async def test_whom_a_join_code_has_proved_is_no_stranger_at_an_open_table(tmp_path, jumping_clock):
    """A key that has shown a join code is known at an open table, to a host and to a guest.

    A key met without a code is not known.
    """
    met(tmp_path / "ann")
    met(tmp_path / "ben")
    async with hosts(tmp_path, 3, auto=False) as host, joins(tmp_path, "ben", host) as ben:
        for node in (host, ben):
            assert node.parts.chair.knows(FRIEND)
            assert not node.parts.chair.knows(PASSER_BY)
        assert not ben.door.is_ours(FRIEND), "which opens no door that was shut"


async def test_who_shows_the_code_is_known_at_once(tmp_path, jumping_clock):
    """A key is known to the chair as soon as it has shown the code."""
    async with hosts(tmp_path, 3, open=False) as host:
        assert not host.parts.chair.knows(FRIEND)
        host.door.was_right(FRIEND, "192.168.1.9")
        assert host.parts.chair.knows(FRIEND)


async def test_a_bot_knows_whom_its_host_knows(tmp_path, jumping_clock):
    """A bot knows the keys that its host knows: it may be the chair if the host has no seat."""
    met(tmp_path / "ann")
    async with hosts(tmp_path, 3, bots=1, auto=False, seated=False) as host:
        await until(host, lambda view: view.seats)
        (bot,) = host.bots
        assert bot.parts.chair.knows(FRIEND)
        assert not bot.parts.chair.knows(PASSER_BY)
        assert host.parts.chair.knows(bot.key)
