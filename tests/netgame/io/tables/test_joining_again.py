"""A guest who joins again continues its record: in a lobby, watching, or after leaving."""

from netgame.io.disk.store import DataFolder
from netgame.io.node.question import Granted
from netgame.io.tables.join import join_table
from netgame.io.tables.kept import announcers_in
from netgame.protocol.notices import SaidFarewell, SeatsCame, SeatsLeft
from netgame.protocol.peer.view import TableStage
from netgame.protocol.text import fingerprint
from tests.netgame.io.tables.test_tables import (
    agree,
    begun,
    finish,
    hosts,
    join_options,
    joins,
    notices_of,
    place,
    settings,
    until,
    verified,
)
from tests.netgame.io.tables.test_watching import watch_options


def record_of(tmp_path, name):
    """Return the path of the record of a player who has sat at one table only."""
    (path,) = (tmp_path / name).glob("tables/*/record")
    return path


async def test_who_may_announce_a_table_is_in_its_record(tmp_path, jumping_clock):
    """`announcers_in` finds the fingerprints of those who may announce a table in its record.

    The host's comes first. For a table without a record in this folder there are none.
    """
    async with (
        hosts(tmp_path, 2, settings=settings(3, rounds=1), pause_s=0.05) as host,
        joins(tmp_path, "ben", host, pause_s=0.05) as ben,
    ):
        await until(ben, begun)
        table, keys = host.view().table_id, [seat.key for seat in host.view().seats]
        known = announcers_in(DataFolder(tmp_path / "ben"))
        first, *others = known(table.hex())
        assert first == fingerprint(host.key)
        assert {first, *others} == set(map(fingerprint, keys))
        assert known("ab" * 64) == ()


async def test_whoever_only_watched_goes_on_from_the_record(tmp_path, jumping_clock):
    """A watcher that joins again continues its record.

    If it asks for a seat and the host allows it, it sits from the next round on.
    """
    few = settings(3, rounds=2)
    async with (
        hosts(tmp_path, 2, settings=few, pause_s=0.05) as host,
        joins(tmp_path, "ben", host, pause_s=0.05) as ben,
    ):
        await until(host, begun)
        async with join_table(watch_options(tmp_path), place(host)) as zoe:
            await until(zoe, lambda view: view.step == host.view().step)
        before = record_of(tmp_path, "zoe").read_bytes()
        seated = watch_options(tmp_path, watches=False, auto=True)
        async with join_table(seated, place(host)) as zoe:
            assert zoe.view().step > 5
            await host.allow(zoe.key)  # a stranger at this open table
            await finish(host, ben, zoe)
            assert [each.names for each in notices_of(zoe, SeatsCame)] == [("zoe",)]
            agree([host, ben, zoe])
    assert record_of(tmp_path, "zoe").read_bytes().startswith(before)
    assert verified(record_of(tmp_path, "zoe")).finished


async def test_whoever_left_for_good_watches_until_the_next_round(tmp_path, jumping_clock):
    """A player who left for good and joins again watches until the next round.

    Then the player has the old seat back. The earlier record is continued.
    """
    few = settings(3, rounds=2)
    async with (
        hosts(tmp_path, 3, settings=few, pause_s=0.05) as host,
        joins(tmp_path, "ben", host, pause_s=0.05) as ben,
    ):
        async with joins(tmp_path, "cy", host, auto=False) as cy:
            await until(cy, lambda view: view.stage is TableStage.PLAYING)
            number = cy.view().seat
            await cy.farewell()
        await until(host, lambda view: view.seats[number].left)
        assert notices_of(host, SaidFarewell) == [SaidFarewell("cy")]
        (departure,) = host.view().departures
        assert (departure.name, departure.farewell, departure.named_by) == ("cy", True, ())
        before = record_of(tmp_path, "cy").read_bytes()
        async with joins(tmp_path, "cy", host) as cy:
            assert cy.view().seat == number
            await until(cy, lambda view: view.seats[number].left)
            await finish(host, ben, cy)
            told = notices_of(cy, SeatsLeft | SeatsCame)
            agree([host, ben, cy])
            assert [each.names for each in told] == [("cy",), ("cy",)]
            assert [type(each) for each in told] == [SeatsLeft, SeatsCame]
            assert told[1].back == ("cy",)
            assert [departure.key] == [each.key for each in cy.view().departures]
    assert record_of(tmp_path, "cy").read_bytes().startswith(before)


async def test_whoever_a_lobby_has_lost_sits_down_again_from_its_record(tmp_path, jumping_clock):
    """A guest that a lobby has lost joins again, sits down by a new request, and plays."""
    async with hosts(tmp_path, 2, auto=True, start_at=None) as host:
        options = join_options(tmp_path, "ben")
        async with join_table(options, place(host)) as ben:
            await until(ben, lambda view: view.sits)
        await until(host, lambda view: len(view.seats) == 1)
        async with join_table(options, place(host)) as ben:
            await until(host, lambda view: len(view.seats) == 2)
            await until(ben, lambda view: view.sits)
            assert await host.begin() == Granted()
            await finish(host, ben)
            agree([host, ben])
