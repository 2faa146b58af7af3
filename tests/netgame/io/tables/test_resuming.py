"""A returning player finds the latest unfinished game, and its table is as it was."""

import os
from unittest.mock import AsyncMock

import pytest
import trio

from netgame.errors import DiskTrouble, Refused
from netgame.io.disk import store
from netgame.io.disk.store import DataFolder
from netgame.io.node import opening
from netgame.io.tables import announce
from netgame.io.tables.again import opened_again
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.kept import kept_games, name_sat_under
from netgame.io.tables.notes import NOTES_FILE, TableNotes, leave_for_good, note, read_notes
from netgame.io.tables.options import ReachedBy
from netgame.io.tables.resume import resume_table
from netgame.protocol.notices import Announcing, TroubleKind
from netgame.protocol.peer.view import TableStage
from netgame.wire.messages import Settings
from tests.netgame.io.tables.test_tables import (
    begun,
    finish,
    host_options,
    hosts,
    join_options,
    place,
    settings,
    stay,
    until,
)


async def leave_in_the_middle(tmp_path, *, for_good=False, **more):
    """Host a game with a bot and leave it in the middle; return the name of its folder.

    With `for_good` the host leaves for good, and otherwise may come back.
    """
    defaults = {"settings": settings(2, rounds=3), "bots": 1, "pause_s": 0.05}
    async with hosts(tmp_path, 2, **defaults | more) as host:
        await until(host, begun)
        if for_good:
            await leave_for_good(host)
        return host.folder.path.name


async def finish_one(tmp_path):
    """Host a game to its end; return the name of its folder."""
    async with hosts(tmp_path, 2, bots=1) as host:
        await finish(host)
        return host.folder.path.name


def break_off(tmp_path, table):
    """Flip a bit among the first entries of a record."""
    record = tmp_path / "ann" / "tables" / table / "record"
    octets = bytearray(record.read_bytes())
    octets[100] ^= 4
    record.write_bytes(octets)


def back(tmp_path, **more):
    """Return the options of the returning host."""
    return join_options(tmp_path, "ann", auto=False, **more)


async def resumed(tmp_path, table=""):
    """Resume this table, or the latest, and leave it again; return the name of its folder."""
    async with resume_table(back(tmp_path), table) as node:
        return node.folder.path.name


async def refusal(tmp_path, table=""):
    """Try to resume a table; return the sentence with which that is refused."""
    with pytest.raises(Refused) as caught:
        await resumed(tmp_path, table)
    assert caught.value.code == "no-table"
    return str(caught.value)


async def test_a_finished_game_is_not_come_back_to(tmp_path, jumping_clock):
    """A finished game is not resumed; an older unfinished game is, if there is one."""
    over = await finish_one(tmp_path)
    assert "no table" in await refusal(tmp_path)
    assert "is over" in await refusal(tmp_path, over[:8])
    open_game = await leave_in_the_middle(tmp_path)
    over = await finish_one(tmp_path)
    assert await resumed(tmp_path) == open_game
    assert "is over" in await refusal(tmp_path, over)


async def test_a_finished_game_without_notes_is_told_from_its_record(tmp_path, jumping_clock):
    """A finished game without notes is recognised by its record, and then noted as finished.

    Programs of earlier versions left games without notes.
    """
    over = await finish_one(tmp_path)
    path = DataFolder(tmp_path / "ann").path / "tables" / over
    (path / NOTES_FILE).unlink()
    assert "no table" in await refusal(tmp_path)
    assert read_notes(path).ended == "over"


async def test_a_table_left_for_good_is_not_come_back_to(tmp_path, jumping_clock):
    """A table left for good is not resumed, even if the program ended right after."""
    left = await leave_in_the_middle(tmp_path, for_good=True)
    assert "no table" in await refusal(tmp_path)
    assert "left table" in await refusal(tmp_path, left)
    assert not any(game.waits for game in kept_games(DataFolder(tmp_path / "ann")))


async def test_a_player_is_known_by_the_name_of_their_last_seat(tmp_path, jumping_clock):
    """A player keeps the name of their last table with others, even after leaving it for good.

    Practice and watching give no name.
    """
    data = DataFolder(tmp_path / "ann")
    folder = data.path / "tables" / await leave_in_the_middle(tmp_path)
    assert name_sat_under(data) == ""
    note(folder, reach=ReachedBy.NETWORK)
    assert name_sat_under(data) == "Ann"
    note(data.path / "tables" / await finish_one(tmp_path), reach=ReachedBy.NETWORK, name="Bea")
    assert name_sat_under(data) == "Ann"
    note(folder, ended="left")
    assert name_sat_under(data) == "Ann"


def test_a_table_that_was_left_stays_so_when_its_game_ends(tmp_path):
    """A table that was left counts as left, even if its game is noted as over afterwards."""
    note(tmp_path, ended="left")
    note(tmp_path, ended="over")
    assert read_notes(tmp_path).ended == "left"


def test_a_game_from_a_seed_stays_that_when_it_is_left(tmp_path):
    """A game from a seed counts as a demonstration, even after it is left.

    The player's key comes from the seed and is kept nowhere else.
    """
    note(tmp_path, ended="demonstration")
    note(tmp_path, ended="left")
    assert read_notes(tmp_path).ended == "demonstration"


async def test_of_several_the_newest_is_taken_and_the_others_can_be_named(tmp_path, jumping_clock):
    """The newest game is resumed; others can be chosen by the start of their folder's name."""
    first = await leave_in_the_middle(tmp_path)
    second = await leave_in_the_middle(tmp_path)
    listed = [game for game in kept_games(DataFolder(tmp_path / "ann")) if game.waits]
    assert [each.path.name for each in listed] == [second, first]
    assert set(listed[0].notes.players) == {"Ann", "Ada"}
    assert await resumed(tmp_path) == second
    assert await resumed(tmp_path, first[:8]) == first


async def test_a_game_keeps_its_number(tmp_path, jumping_clock):
    """A game keeps its number when later games come; with damaged notes it has none."""
    data = DataFolder(tmp_path / "ann")
    first = await leave_in_the_middle(tmp_path)
    numbers = {game.path.name: game.called for game in kept_games(data)}
    assert numbers == {first: "1"}
    second, third = [await leave_in_the_middle(tmp_path) for _ in range(2)]
    damaged = data.path / "tables" / second / NOTES_FILE
    damaged.write_text("number = [")
    numbers = {game.path.name: game.called for game in kept_games(data)}
    assert numbers == {first: "1", second: second[:8], third: "2"}
    assert damaged.read_text() == "number = ["


async def test_a_table_that_never_began_is_no_game(tmp_path, jumping_clock):
    """A table whose game never began is not listed as a game, with notes or without."""
    options = host_options(tmp_path, 3, bots=1, start_at=3)
    async with host_table(options):
        pass
    data = DataFolder(tmp_path / "ann")
    (folder,) = data.tables()
    assert kept_games(data) == ()
    (folder / NOTES_FILE).unlink()
    assert kept_games(data) == ()
    assert not (folder / NOTES_FILE).exists()


async def test_a_game_without_notes_is_told_by_its_record(tmp_path, jumping_clock):
    """A game without notes is recognised by its record, and gets a number."""
    folder = tmp_path / "ann" / "tables" / await leave_in_the_middle(tmp_path)
    (folder / NOTES_FILE).unlink()
    (game,) = kept_games(DataFolder(tmp_path / "ann"))
    assert (game.path, game.number, read_notes(folder).number) == (folder, 1, 1)


async def test_a_record_cut_before_its_game_is_told_from_a_table_that_never_began(
    tmp_path, jumping_clock
):
    """A record that breaks off before its game began is an error, each time it is resumed.

    A table that never began is refused as such.
    """
    async with host_table(host_options(tmp_path, 3, bots=1, start_at=3)) as host:
        never_began = host.folder.path.name
    assert "never began" in await refusal(tmp_path, never_began)
    break_off(tmp_path, await leave_in_the_middle(tmp_path))
    for _ in range(2):
        with pytest.raises(DiskTrouble, match="breaks off before the game in it began"):
            await resumed(tmp_path)


async def test_of_a_damaged_game_one_hears_though_a_later_one_is_over(tmp_path, jumping_clock):
    """Resuming reports a damaged game, even if a later game is finished."""
    break_off(tmp_path, await leave_in_the_middle(tmp_path))
    over = await finish_one(tmp_path)
    with pytest.raises(DiskTrouble, match="breaks off before the game in it began"):
        await resumed(tmp_path)
    assert "is over" in await refusal(tmp_path, over)


async def test_a_table_that_another_process_plays_is_passed_over(tmp_path, jumping_clock):
    """If another process has the latest table locked, the one before it is resumed."""
    first = await leave_in_the_middle(tmp_path)
    second = await leave_in_the_middle(tmp_path)
    held = store.TableFolder(DataFolder(tmp_path / "ann").path / "tables" / second)
    try:
        assert await resumed(tmp_path) == first
    finally:
        held.close()


async def test_a_demonstration_cannot_be_resumed(tmp_path, jumping_clock):
    """A game from a seed cannot be resumed, because the player's key is kept nowhere."""
    table = await leave_in_the_middle(tmp_path, seed=7)
    assert "no table" in await refusal(tmp_path)
    assert "seed" in await refusal(tmp_path, table)


async def test_who_joins_again_with_damaged_files_is_told_of_both(tmp_path, jumping_clock):
    """A guest with a damaged record and a damaged journal joins as if new, and is told of both."""
    ben = join_options(tmp_path, "ben")
    async with hosts(tmp_path, 2, auto=False, settings=settings(4, rounds=3)) as host:
        async with join_table(ben, place(host)) as guest:
            await until(guest, lambda view: view.table is not None)
            path = guest.folder.path
        for name in ("record", "journal"):
            octets = bytearray((path / name).read_bytes())
            octets[100] ^= 4
            (path / name).write_bytes(octets)
        async with join_table(ben, place(host)) as guest:
            kinds = set()
            while not {TroubleKind.RECORD_DAMAGED, TroubleKind.JOURNAL_DAMAGED} <= kinds:
                kinds.add(getattr(await guest.notices.receive(), "kind", None))


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_door_is_as_it_was(tmp_path, is_open, jumping_clock):
    """A resumed table has the same door as before: open, or with the same code.

    A newcomer with that code comes in. One without it is refused, unless the table is open.
    """
    options = host_options(
        tmp_path, 2, auto=False, settings=settings(4, rounds=3), start_at=2, open=is_open
    )
    async with trio.open_nursery() as nursery:
        async with host_table(options) as host:
            code = str(host.door.code or "")
            guest = join_options(tmp_path, "ben", code=code)
            await nursery.start(stay, guest, place(host))
            await until(host, lambda view: view.stage is TableStage.PLAYING)
        async with resume_table(back(tmp_path)) as host:
            assert str(host.door.code or "") == code
            eve, zoe = (
                join_options(tmp_path, name, watches=True, code=known)
                for name, known in (("eve", ""), ("zoe", code))
            )
            if not is_open:
                with pytest.raises(Refused):
                    async with join_table(eve, place(host)):
                        pytest.fail("not reached")
            async with join_table(zoe, place(host)) as watcher:
                await until(watcher, lambda view: view.table is not None)
        nursery.cancel_scope.cancel()


async def test_who_was_kicked_gets_no_seat_from_a_host_that_came_back(tmp_path, jumping_clock):
    """A kicked guest gets no seat from a host that came back.

    It is still listed as kicked when the host opens its next table.
    """
    options = host_options(
        tmp_path, 3, auto=False, settings=settings(3), bots=1, start_at=None, pause_s=0.05
    )
    zoe, came_back = join_options(tmp_path, "zoe"), join_options(tmp_path, "ann", pause_s=0.05)
    async with host_table(options) as host:
        async with join_table(zoe, place(host)) as guest:
            await until(host, lambda view: len(view.seats) == 3)
            await host.kick(guest.key)
            await until(host, lambda view: len(view.seats) == 2)
        await host.begin()
        await until(host, lambda view: view.table is not None)
    async with resume_table(came_back) as host, join_table(zoe, place(host)) as guest:
        await finish(host, guest)
        assert opened_again(host, came_back).kicked == {guest.key: "zoe"}
        assert guest.view().seat is None


async def test_a_practice_table_stays_hidden(tmp_path, jumping_clock):
    """A practice table stays hidden when it is resumed, whatever the options say."""
    await leave_in_the_middle(tmp_path)
    options = join_options(tmp_path, "ann", auto=False, reach=ReachedBy.NETWORK)
    async with resume_table(options) as node:
        assert all(each.startswith("127.0.0.1:") for each in node._core.context.addresses)
        assert node.is_hidden


async def test_a_table_on_a_computer_by_itself_is_announced_again(
    tmp_path, monkeypatch, jumping_clock
):
    """A table opened without a network is announced on resuming, with the same code."""
    monkeypatch.setattr(opening, "lan_hosts", lambda: ())
    monkeypatch.setattr(announce, "announce", AsyncMock())
    shown = {"reach": ReachedBy.NETWORK, "open": False, "auto": False}
    options = host_options(tmp_path, 2, settings=settings(2, rounds=3), bots=1, **shown)
    async with host_table(options) as host:
        await until(host, lambda view: view.table is not None)
        code = str(host.door.code)
    async with resume_table(back(tmp_path, reach=ReachedBy.NETWORK)) as host:
        assert not host.is_hidden
        while not isinstance(notice := await host.notices.receive(), Announcing):
            pass
        assert (notice.host, notice.code) == ("", code)


async def test_a_copy_of_the_record_is_still_made(tmp_path, jumping_clock):
    """A resumed table still copies its record to where the host wanted it."""
    copy = tmp_path / "game.rec"
    await leave_in_the_middle(tmp_path, record=copy)
    size = copy.stat().st_size
    copy.unlink()
    await resumed(tmp_path)
    assert copy.stat().st_size >= size


async def test_whom_the_host_named_still_plays_first(tmp_path, jumping_clock):
    """After a resume the player whom the host chose still plays first.

    The log contains the choice.
    """
    chosen = Settings("standard", ("first=chosen-rotate",), 6, 2, 3, 6)
    await leave_in_the_middle(tmp_path, settings=chosen, lead="ada")
    async with resume_table(back(tmp_path)) as host:
        view = host.view()
        assert view.table.round_number == 0
        assert view.seats[view.table.first].name == "Ada"


@pytest.mark.parametrize(
    "text", [b"", b"not toml", b"\xff", b"open = 3\nplayers = 'x'", b"port = " + b"9" * 5_000,
             b"a = " + b"[" * 9_000]
)  # fmt: skip
def test_damaged_notes_are_as_if_there_were_none(tmp_path, text):
    """Damaged notes are read as if there were none, so that the host asks for a code."""
    (tmp_path / NOTES_FILE).write_bytes(text)
    assert read_notes(tmp_path) == TableNotes()


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("loopback_only = true\nalone = true", ReachedBy.PROGRAM),
        ("loopback_only = true\nalone = false", ReachedBy.COMPUTER),
        ("loopback_only = true", ReachedBy.COMPUTER),
        ("loopback_only = false", ReachedBy.NETWORK),
        ("loopback_only = true\nreach = 'network'", ReachedBy.NETWORK),
        ("", ReachedBy.NETWORK),
    ],
)
def test_a_practice_game_of_an_earlier_program_stays_one(tmp_path, text, reach):
    """`loopback_only` and `alone`, in notes of an earlier version, are read as the right `reach`.

    A `reach` in the notes takes precedence.
    """
    (tmp_path / NOTES_FILE).write_text(text)
    assert read_notes(tmp_path).reach is reach


def test_notes_of_any_letters_are_read_back(tmp_path):
    """Notes in any script are read back as written.

    Octets of a path that are not text become `?`, and the other notes are kept.
    """
    notes = TableNotes(
        "7-otter-violin", 4747, ReachedBy.COMPUTER, "/a b/\U0001f600", ("\U0001f600", "e\u0301")
    )
    note(tmp_path, **{name: getattr(notes, name) for name in TableNotes.__struct_fields__})
    assert read_notes(tmp_path) == notes
    note(tmp_path, record=os.fsdecode(b"/x/\xff"))
    assert read_notes(tmp_path).record == "/x/?"
    assert read_notes(tmp_path).reach is ReachedBy.COMPUTER
