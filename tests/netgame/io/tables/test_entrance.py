"""Strangers are admitted by the code, friends by their key, and impostors not at all."""

import shutil
from contextlib import asynccontextmanager

import pytest
import trio
from msgspec.structs import replace

from netgame.errors import Refused
from netgame.io.disk.identity import load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.door.admission import BUSY
from netgame.io.tables.again import opened_again
from netgame.io.tables.announce import advert_of
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.resume import resume_table
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.view import TableStage
from netgame.protocol.text import fingerprint, long_fingerprint
from tests.netgame.io.tables.test_tables import (
    host_options,
    hosts,
    join_options,
    notices_of,
    place,
    until,
)


def code_host(tmp_path, **more):
    """Open a table whose host asks newcomers for a code."""
    more = {"start_at": None, "auto": False, "open": False} | more
    return hosts(tmp_path, 4, **more)


def guest_options(tmp_path, name="ben", **more):
    """Return the options of a guest whose seat no bot plays."""
    return join_options(tmp_path, name, auto=False, **more)


@asynccontextmanager
async def seated(tmp_path, host, **more):
    """Seat a guest for the block, by the host's code or by `ask_code`; yield its node."""
    if "ask_code" not in more:
        more = {"code": str(host.door.code or "")} | more
    async with join_table(guest_options(tmp_path, **more), place(host)) as guest:
        await until(guest, lambda view: view.sits)
        yield guest


def wrong(code):
    """Return a code that differs in its last word."""
    return f"{code.number}-{code.first}-{'otter' if code.second != 'otter' else 'violin'}"


def asking(*answers):
    """Return an `ask_code` function that gives these answers, and the list of its questions.

    A callable answer is called, and its result is given. After the last answer the function gives
    None. Each question is the number of the code and the trouble that it was asked with.
    """
    asked, left = [], list(answers)

    async def ask(number, trouble):
        asked.append((number, trouble))
        answer = left.pop(0) if left else None
        return answer() if callable(answer) else answer

    return ask, asked


async def noted(known, key):
    """Wait until this list of known peers trusts a key."""
    while key not in known.trusted():  # noqa: ASYNC110 - another program may write the file
        await trio.sleep(0.01)


async def code_of_refusal(options, where):
    """Join, and return the refusal that ends it, which may come after sitting down.

    Fail if none comes within 10 seconds.
    """
    with trio.fail_after(10), pytest.raises(Refused) as caught:
        async with join_table(options, where):
            await trio.sleep_forever()
    return caught.value


async def test_stranger_sits_down_by_code_and_then_by_key(tmp_path, jumping_clock):
    """A stranger needs the code only once: then both sides know each other's key."""
    async with code_host(tmp_path) as host, seated(tmp_path, host) as guest:
        await noted(KnownPeers(tmp_path / "ben"), host.key)
        await noted(KnownPeers(tmp_path / "ann"), guest.key)
    async with code_host(tmp_path) as host:
        ask, asked = asking()
        async with seated(tmp_path, host, ask_code=ask):
            pass
        assert not asked


async def test_a_watcher_who_has_shown_the_code_needs_none_again(tmp_path, jumping_clock):
    """A watcher who has shown the code needs none at the host's next table."""
    watching = guest_options(tmp_path, watches=True)
    async with code_host(tmp_path) as host:
        options = replace(watching, code=str(host.door.code))
        async with join_table(options, place(host)) as guest:
            await noted(KnownPeers(tmp_path / "ben"), host.key)
            await noted(KnownPeers(tmp_path / "ann"), guest.key)
    async with code_host(tmp_path) as host:
        ask, asked = asking()
        async with join_table(replace(watching, ask_code=ask), place(host)):
            await until(host, lambda view: view.watchers == ("ben",))
        assert not asked


async def test_a_code_with_another_number_is_no_guess(tmp_path, jumping_clock):
    """A code with a different number does not count as a guess: it may be an older code."""
    async with code_host(tmp_path) as host:
        number = host.door.number
        other = f"{number % 99 + 1}-lizard-raven"

        def drawn():
            host.door.change_code()
            return str(host.door.code)

        ask, asked = asking(other, drawn)
        async with seated(tmp_path, host, ask_code=ask):
            pass
        assert [trouble for _, trouble in asked] == [
            "",
            "the join code of this table begins with another number; "
            "ask its host for the code shown now",
        ]
        assert not notices_of(host, Trouble)


async def test_third_wrong_code_is_the_last(tmp_path, jumping_clock):
    """After the third wrong code the guest is refused, and the host is told its new code.

    The host is also told the address that the tries came from.
    """
    async with code_host(tmp_path) as host:
        code = host.door.code
        ask, asked = asking(*[wrong(code)] * 9)
        refusal = await code_of_refusal(guest_options(tmp_path, ask_code=ask), place(host))
        assert refusal.code == "wrong-code"
        assert "the host has another now" in str(refusal)
        assert [number for number, _ in asked] == [code.number] * 3
        assert ["wrong" in trouble for _, trouble in asked] == [False, True, True]
        assert host.door.code != code
        *before, notice = notices_of(host, Trouble)
        assert before == [Trouble(TroubleKind.WRONG_CODE, ("loopback",))] * 2
        told = ("loopback", str(host.door.code))
        assert notice == Trouble(TroubleKind.CODE_CHANGED, told)


async def test_code_as_an_option_is_tried_once(tmp_path, jumping_clock):
    """A wrong code given as an option is tried only once if nobody can be asked for another."""
    async with code_host(tmp_path) as host:
        options = guest_options(tmp_path, code=wrong(host.door.code))
        assert (await code_of_refusal(options, place(host))).code == "wrong-code"
        assert notices_of(host, Trouble) == [Trouble(TroubleKind.WRONG_CODE, ("loopback",))]


async def test_a_person_may_correct_a_code_given_as_an_option(tmp_path, jumping_clock):
    """A person may correct a wrong code that was given as an option."""
    async with code_host(tmp_path) as host:
        ask, asked = asking(str(host.door.code))
        async with seated(tmp_path, host, code=wrong(host.door.code), ask_code=ask):
            pass
        assert [number for number, _ in asked] == [host.door.number]


async def test_host_that_forgot_us_asks_again(tmp_path, jumping_clock):
    """A host that lost its list of known peers asks a guest for the code again, then lets it in."""
    async with code_host(tmp_path) as host:
        options = guest_options(tmp_path, code=str(host.door.code))
        async with join_table(options, place(host)):
            await noted(KnownPeers(tmp_path / "ben"), host.key)
    KnownPeers(tmp_path / "ann").path.unlink(missing_ok=True)
    async with code_host(tmp_path) as host:
        ask, asked = asking(lambda: str(host.door.code))
        async with seated(tmp_path, host, ask_code=ask):
            pass
        assert len(asked) == 1


async def test_member_comes_back_without_any_list(tmp_path, jumping_clock):
    """A seated player comes back without a list of known peers and without a code.

    The log names the keys of the host and the player.
    """
    async with code_host(tmp_path, bots=1) as host:
        async with seated(tmp_path, host) as guest:
            await host.begin()
            await until(guest, lambda view: view.stage is TableStage.PLAYING, 20)
        for name in ("ann", "ben"):
            KnownPeers(tmp_path / name).path.unlink(missing_ok=True)
        ask, asked = asking()
        async with join_table(guest_options(tmp_path, ask_code=ask), place(host)) as guest:
            await until(guest, lambda view: view.stage is TableStage.PLAYING, 20)
        assert not asked
        assert host.key not in KnownPeers(tmp_path / "ben").trusted()


async def test_advertised_code_that_nobody_asks_for_is_refused(tmp_path, jumping_clock):
    """A guest refuses a host that asks for no code although its advertisement says that it does.

    Either somebody else answers there, or the host has stopped asking.
    """
    async with code_host(tmp_path, open=True) as host:
        ad = advert_of(host.view(), "Ann", host.port, 7, host.key)
        ad = replace(ad, addresses=("127.0.0.1",))
        refusal = await code_of_refusal(guest_options(tmp_path), ad)
        assert refusal.code == "no-code-there"


async def test_man_in_the_middle_of_an_advertised_table_is_named(tmp_path, jumping_clock):
    """A guest refuses a key other than the advertised one, in a sentence with both fingerprints."""
    async with code_host(tmp_path) as host:
        ad = replace(
            advert_of(host.view(), "Ann", host.port, 7, host.key), addresses=("127.0.0.1",)
        )
        async with join_table(guest_options(tmp_path, code=str(host.door.code)), ad) as guest:
            await until(guest, lambda view: view.sits)
        lied = replace(ad, fingerprint=fingerprint(b"z" * 32))
        refusal = await code_of_refusal(guest_options(tmp_path, code="7-otter-violin"), lied)
        assert refusal.code == "key"
        assert ad.fingerprint in str(refusal)
        assert lied.fingerprint in str(refusal)


@pytest.mark.parametrize("is_open", [True, False])
async def test_changed_key_of_a_known_host_stops_loudly(
    tmp_path, free_port, is_open, jumping_clock
):
    """A guest refuses a known host whose key has changed.

    Its list of known peers stays as it was.
    """
    more = {"port": free_port, "open": is_open}
    known = KnownPeers(tmp_path / "ben")
    async with code_host(tmp_path, **more) as host, seated(tmp_path, host):
        while not known.read():  # noqa: ASYNC110
            await trio.sleep(0.01)
    before = known.path.read_text()
    shutil.rmtree(tmp_path / "ann")
    async with code_host(tmp_path, **more) as host:
        code = "" if is_open else str(host.door.code)
        refusal = await code_of_refusal(guest_options(tmp_path, code=code), place(host))
        assert refusal.code == "changed-key"
        assert "a different key from before" in str(refusal)
        assert len(host.view().seats) == 1
    assert known.path.read_text() == before


async def test_changed_key_of_an_advertised_table_stops_before_anything_is_said(
    tmp_path, jumping_clock
):
    """A guest refuses an advertised table whose host has a new key, before it asks for a code."""
    async with code_host(tmp_path) as host:
        KnownPeers(tmp_path / "ben").meet("Ann", place(host), b"k" * 32, "code")
        ad = advert_of(host.view(), "Ann", host.port, host.door.number, host.key)
        ask, asked = asking()
        refusal = await code_of_refusal(
            guest_options(tmp_path, ask_code=ask), replace(ad, addresses=("127.0.0.1",))
        )
        assert refusal.code == "changed-key"
        assert not asked


async def test_stranger_gets_no_link_to_a_guest(tmp_path, jumping_clock):
    """A stranger gets no link to a guest, because only the host lets newcomers in."""
    async with code_host(tmp_path) as host, seated(tmp_path, host) as guest:
        refusal = await code_of_refusal(guest_options(tmp_path, "eve"), place(guest))
        assert refusal.code == "stranger"


@pytest.fixture
def free_port():
    """Return a port that nobody listens on."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


async def test_a_damaged_file_of_known_peers_ends_neither_hosting_nor_joining(
    tmp_path, jumping_clock
):
    """A damaged list of known peers stops neither hosting nor joining, and both players are told.

    Each damaged file is kept under another name, and a new one names the other player.
    """
    damaged = 'name = "\\ud83d\\ude00'
    for name in ("ann", "ben"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "known-peers.toml").write_text(damaged)
    async with code_host(tmp_path) as host, seated(tmp_path, host) as guest:
        await noted(KnownPeers(tmp_path / "ann"), guest.key)
        await noted(KnownPeers(tmp_path / "ben"), host.key)
        for node in (host, guest):
            async for notice in node.notices:
                if isinstance(notice, Trouble) and "damaged" in "".join(map(str, notice.facts)):
                    break
    for name in ("ann", "ben"):
        assert (tmp_path / name / "known-peers.broken-1.toml").read_text() == damaged


# ---- without the code, by a key that the host has allowed ---------------------------------------


def worn_out(door):
    """Use up all wrong tries that a door accepts, as if each came from a new address."""
    now = trio.current_time()
    while door.begin_try("10.0.0.9", now) != BUSY:
        door.was_wrong("10.0.0.9", now)
        door._tries.clear()


async def test_a_newcomer_at_a_worn_out_door_comes_in_by_both_keys(tmp_path, jumping_clock):
    """When no more codes may be tried, a guest gets in once each side has typed the other's key.

    A code, a key not allowed yet and a wrong key all fail first. The guest is told its own key.
    Afterwards the guest trusts the host, because it typed the host's key. The host notes no known
    peer, because it let the guest in at this table only.
    """
    async with code_host(tmp_path) as host:
        worn_out(host.door)
        told = []

        def allow():
            host.door.allowed.add(told[0])
            return long_fingerprint(host.key).upper()

        ask, asked = asking(
            str(host.door.code), long_fingerprint(host.key), long_fingerprint(b"z" * 32), allow
        )
        more = {"ask_code": ask, "tell_key": told.append}
        async with seated(tmp_path, host, **more) as guest:
            assert set(told) == {long_fingerprint(guest.key)}
            await noted(KnownPeers(tmp_path / "ben"), host.key)
            assert guest.key not in KnownPeers(tmp_path / "ann").trusted()
        assert [trouble for _, trouble in asked] == [
            "",
            "somebody has tried too many join codes there; wait a minute",
            "the player who announces that table has not allowed your key yet",
            "the program that answers there has another key",
        ]


async def test_a_key_given_as_an_option_is_tried_once(tmp_path, jumping_clock):
    """A key given as an option is tried once; the guest is told its own key before the refusal."""
    async with code_host(tmp_path) as host:
        told = []
        options = guest_options(tmp_path, code=long_fingerprint(host.key), tell_key=told.append)
        refusal = await code_of_refusal(options, place(host))
        assert (refusal.code, len(told)) == ("code", 1)
        assert "has not allowed your key" in str(refusal)
        host.door.allowed.add(told[0])
        async with seated(tmp_path, host, code=options.code):
            pass


async def test_who_poses_as_the_host_is_not_believed_for_letting_all_in(tmp_path, jumping_clock):
    """A guest that typed a key refuses a host with another key, even one that would let it in."""
    async with code_host(tmp_path) as host:
        ben = load_or_create(tmp_path / "ben").public
        host.door.allowed.add(long_fingerprint(ben))
        options = guest_options(tmp_path, code=long_fingerprint(b"h" * 32))
        assert (await code_of_refusal(options, place(host))).code == "other-key"
        assert len(host.view().seats) == 1


async def test_what_is_blocked_and_allowed_holds_at_the_next_table_and_after_a_restart(
    tmp_path, jumping_clock
):
    """Blocked addresses and allowed keys are kept at the next table and after a restart."""
    options = host_options(tmp_path, 4, start_at=None, auto=False, open=False, bots=1)
    async with host_table(options) as host:
        host.door.blocked.add("10.0.0.6")
        host.door.allowed.add(long_fingerprint(b"g" * 32))
        again = opened_again(host, options)
        await host.begin()
        await until(host, lambda view: view.table is not None)
    async with host_table(replace(again, bots=())) as host:
        assert (host.door.blocked, host.door.allowed) == (
            {"10.0.0.6"},
            {long_fingerprint(b"g" * 32)},
        )
    came_back = join_options(tmp_path, "ann", auto=False)
    async with resume_table(came_back) as host:
        assert host.door.blocked == {"10.0.0.6"}
        assert host.door.is_allowed(b"g" * 32)


async def test_who_is_kicked_is_no_longer_known_and_who_is_allowed_again_is(
    tmp_path, jumping_clock
):
    """A kicked guest is no longer a known peer; if the host allows it again, it needs no code."""
    known = KnownPeers(tmp_path / "ann")
    async with code_host(tmp_path) as host:
        with trio.fail_after(20):
            async with seated(tmp_path, host) as guest:
                await noted(known, guest.key)
                await host.kick(guest.key)
                while known.read():  # noqa: ASYNC110 - another program may write the file
                    await trio.sleep(0.01)
            await host.allow(guest.key)
            async with seated(tmp_path, host, code=""):
                await noted(known, guest.key)


async def test_a_conviction_is_noted_for_later_tables_until_the_host_says_yes(
    tmp_path, jumping_clock
):
    """A conviction is noted for later tables until the host allows the key.

    Then the key is trusted again.
    """
    known = KnownPeers(tmp_path / "ann")
    async with code_host(tmp_path) as host:
        with trio.fail_after(20):
            async with seated(tmp_path, host) as guest:
                await noted(known, guest.key)
                host.parts.context.guilty[guest.key] = 1
                await host.chat("look at that")
                while not known.convicted():  # noqa: ASYNC110 - another program may write the file
                    await trio.sleep(0.01)
                assert known.trusted() == frozenset()
            assert host.parts.chair.is_convicted(guest.key)
    async with code_host(tmp_path) as again:
        with trio.fail_after(20):
            while not again.parts.chair.is_convicted(guest.key):  # noqa: ASYNC110
                await trio.sleep(0.01)
            await again.allow(guest.key)
            while known.convicted():  # noqa: ASYNC110 - another program may write the file
                await trio.sleep(0.01)
            assert known.trusted() == {guest.key}
