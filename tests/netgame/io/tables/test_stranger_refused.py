"""Forbidden acts of a stranger, with the answers that docs/peer.md 1 to 7 demands.

The table goes on each time, unless a seat has signed two entries for one slot.
"""

import pytest
import trio

from netgame.io.node.question import Granted
from netgame.io.tables.join import join_table
from netgame.protocol.notices import FaultFound
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage
from tests.conformance import spake
from tests.conformance.channel import (
    PREFACE,
    Ended,
    Refused,
    frame,
    pack,
    prove,
    public,
    reached,
    sign,
)
from tests.conformance.reader import is_fork
from tests.conformance.stranger import SAID, visit
from tests.netgame.io.tables.test_stranger import EVE, ZOE, come, sit, table
from tests.netgame.io.tables.test_tables import (
    agree,
    finish,
    join_options,
    notices_of,
    place,
    settings,
    until,
)

OPENING = spake.Run("A", b"7-otter-violin", b"", b"", 1).message
SHORTEST, LONGER = b"\x03", b"\xcc\x03"
"""The number 3 in msgpack, and again with an octet that it does not need."""


def proof(**lies):
    """Return the octets of a `client-proof`, well formed except for the fields in `lies`."""
    said = {"key": public(EVE), "signature": bytes(64), "opening": b""}
    return pack("client-proof", *(said | lies).values())


# ---- before the verdict -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        pack("code-proof", bytes(32)),
        proof().replace(b"proof\xc4\x20", b"proof\xc5\x00\x20"),
        proof(key=bytes(31)),
        proof() + bytes(1_024),
    ],
    ids=["empty", "out-of-order", "not-shortest", "a-short-key", "too-long"],
)
async def test_what_is_no_proof_ends_the_connection_without_a_verdict(
    tmp_path, sent, jumping_clock
):
    """A bad message instead of a proof ends the connection without a verdict (3.1, 3.2)."""
    async with table(tmp_path, bots=0) as host, reached(host.port) as channel:
        await channel.send_message(channel.noise.write(lambda _signed: sent))
        with pytest.raises(Ended):
            await channel.receive("verdict")


async def test_another_version_is_answered_by_our_own_preface(tmp_path, jumping_clock):
    """A peer of another version is sent only the host's preface, which shows which is older (3.2).

    A caller that sends no preface is not served either.
    """
    other = PREFACE[:-1] + bytes([PREFACE[-1] + 1])
    async with table(tmp_path, bots=0) as host:
        tcp = await trio.open_tcp_stream("127.0.0.1", host.port)
        async with tcp:
            await tcp.send_all(other + bytes(34))
            assert [octet async for each in tcp for octet in each] == [*PREFACE]
        with pytest.raises(Ended):
            async with reached(host.port, b"GET / HTTP/1.1"):
                pytest.fail("no web server")


async def verdict(host, *, code="", **lies):
    """Return the verdict on Eve's `client-proof`: the code of the refusal, or "ok".

    `lies` are the fields to change in the proof.
    """
    async with reached(host.port) as channel:
        if lies.get("key") == "theirs":
            lies["key"] = channel.key
        try:
            await prove(channel, EVE, code, lies)
        except Refused as refused:
            return refused.code
        return "ok"


async def test_verdicts_come_in_the_order_of_the_page(tmp_path, jumping_clock):
    """If two things are wrong, the one that comes first in peer.md 1 decides the verdict."""
    async with table(tmp_path, bots=0) as host:
        assert await verdict(host, key="theirs", signature=bytes(64)) == "self"
        assert await verdict(host, signature=bytes(64), opening=OPENING) == "signature"
        assert await verdict(host, key=bytes(32)) == "signature"
        assert await verdict(host) == "code"
        assert await verdict(host, code=str(host.door.code)) == "ok"
        assert await verdict(host) == "ok"
    async with table(tmp_path / "open", bots=0, open=True) as host:
        assert await verdict(host, opening=OPENING) == "open"
        assert await verdict(host) == "ok"


async def test_three_wrong_codes_make_the_host_draw_another(tmp_path, jumping_clock):
    """After three wrong codes the host has a new one, and whoever sent them has to wait (3.6)."""
    async with table(tmp_path, bots=0) as host:
        first = host.door.code
        wrong = "1-acorn-amber" if str(first) != "1-acorn-amber" else "2-acorn-amber"
        for _ in range(3):
            assert host.door.code == first
            assert await verdict(host, code=wrong) == "wrong-code"
        assert host.door.code != first
        assert await verdict(host, code=str(host.door.code)) == "busy"


# ---- on a link ----------------------------------------------------------------------------------


def join_ask(signer, **lies):
    """Return a `join-ask` with Eve's request, signed by `signer`.

    `lies` are the fields to change in the request.
    """
    said = {"table": bytes(64), "step": 0, "key": public(EVE), "name": "eve"}
    request = pack(*(said | {"addresses": (), "played_by": 0} | lies).values())
    return pack("join-ask", request, sign(signer, "boneyard/v4/join", request))


@pytest.mark.parametrize(
    "sent",
    [
        (65_537).to_bytes(4, "big"),
        frame(pack("server-hello", 3, bytes(32), b"", 0)),
        frame(pack("pull", 3, b"", 0).replace(SHORTEST, LONGER)),
        frame(pack("hello", bytes(64), b"")),
        frame(pack("hello", b"short", b"")),
        frame(pack("entries", ((b"no body", bytes(64)),))),
        frame(pack("join-ask", b"no request", bytes(64))),
        frame(join_ask(ZOE)),
        frame(join_ask(EVE, key=bytes(32))),
        frame(pack("chat", b"no line", public(EVE), bytes(64))),
    ],
    ids=["too-long", "of-the-channel", "not-shortest", "another-table", "no-table", "no-entry",
         "no-request", "not-signed", "no-key", "no-line"],
)  # fmt: skip
async def test_what_a_link_refuses_ends_it(tmp_path, sent, jumping_clock):
    """Each forbidden message ends the link (protocol.md 3, peer.md 2).

    The table goes on, and lets the same key in again.
    """
    async with table(tmp_path, bots=0, open=True) as host:
        async with come(host, EVE) as eve:
            await eve.channel.send_octets(sent)
            await eve.ends()
        async with come(host, EVE):
            pass


async def test_an_entry_with_a_wrong_signature_ends_the_link_that_brought_it(
    tmp_path, jumping_clock
):
    """An entry with a forged signature of the host ends the link that brought it (check 7.5)."""
    async with table(tmp_path, bots=0, open=True) as host, come(host, EVE) as eve:
        await eve.follow(lambda eve: eve.is_level)
        (entry,) = eve.reader.entries_of(0)
        await eve.channel.send("entries", ((entry.body, bytes(64)),))
        await eve.ends()


async def until_pong(channel):
    """Ping; return the tags of all messages that come before the answer."""
    await channel.send("ping")
    tags = []
    while "pong" not in tags:
        tags.append((await channel.receive(*SAID)).tag)
    return tags[:-1]


async def test_before_hello_all_but_a_ping_is_ignored(tmp_path, jumping_clock):
    """Before `hello` the host ignores all but a ping; after `hello` it answers a `pull` (3.3).

    A request for future steps gets no answer.
    """
    async with table(tmp_path, bots=0, open=True) as host, reached(host.port) as channel:
        await prove(channel, EVE)
        await channel.send("pull", 0, b"", 0)
        await channel.send("chat", b"hello?", bytes(32), bytes(64))
        assert await until_pong(channel) == ["hello"]
        await channel.send("hello", b"", bytes(16))
        assert "head" in await until_pong(channel)
        await channel.send("pull", 100, b"", 0)
        assert "pulled" not in await until_pong(channel)
        await channel.send("pull", 0, b"", 0)
        assert "pulled" in await until_pong(channel)


async def test_nobody_is_let_in_on_a_strangers_word(tmp_path, jumping_clock):
    """The host ignores `guests` from a peer that is not a member (section 3.7)."""
    async with table(tmp_path, bots=0) as host, come(host, ZOE) as zoe:
        await zoe.channel.send("guests", (public(EVE),))
        await zoe.follow(lambda zoe: zoe.is_level)
        assert await verdict(host) == "code"


@pytest.mark.parametrize("kind", ["entries", "pulled", "evidence"])
async def test_what_a_watcher_makes_up_holds_nobody_up(tmp_path, kind):
    """A watcher's made-up heads and future entries delay nobody; the entries end its link (3.7)."""
    async with table(tmp_path, open=True) as host:
        async with come(host, EVE) as eve:
            assert await host.begin() == Granted()
            await eve.follow(lambda eve: eve.fold.phase == "deal")
            await eve.channel.send("head", eve.fold.step, bytes(64), b"", 0)
            await eve.channel.send("head", eve.fold.step + 500, bytes(64), b"", 0)
            # Further ahead than the game is long, because the host goes on meanwhile.
            later = eve.fold.step + 500
            made_up = pack(eve.fold.id, later, bytes(64), 0, 0, ("checked", 0))
            mine = (made_up, sign(EVE, "boneyard/v4/entry", made_up))
            await eve.channel.send(kind, (mine,))
            await eve.ends()
            assert not eve.pulls
        await finish(host)
        agree([host, *host.bots])


@pytest.mark.parametrize(("lives", "has_rival"), [((1, 2), True), ((1, 1), False), ((0, 1), False)])
async def test_the_newer_of_two_links_that_one_side_has_dialled_stays(
    tmp_path, lives, has_rival, jumping_clock
):
    """Of two links that one side has dialled, the newer stays (section 3.3).

    Over it the guest is told of a rival if the two links name different processes.
    """
    older, newer = (bytes([life]) * 16 if life else b"" for life in lives)
    async with table(tmp_path, bots=0, open=True) as host, come(host, EVE, life=older) as first:
        await first.follow(lambda eve: eve.is_level)
        async with come(host, EVE, life=newer) as second:
            await first.ends()
            await second.follow(lambda eve: eve.is_level)
            assert second.has_rival == has_rival


async def test_two_entries_for_one_slot_stop_the_table_and_are_shown_to_all(
    tmp_path, jumping_clock
):
    """Two entries for one slot halt the table, and every peer is sent the evidence (3.3).

    The host is told of the fault. A peer that connects later is sent the evidence then.
    """
    async with table(tmp_path, bots=0, open=True) as host:
        async with come(host, EVE) as eve:
            await sit(eve)
            assert await host.begin() == Granted()
            await eve.follow(lambda eve: eve.signed)
            (id_, step), _ = next(iter(eve.signed.items()))
            seat = eve.fold.seat_of(public(EVE))
            other = ("roster", bytes(64))
            body = pack(id_, step, eve.reader.heads[step], seat, 0, other)
            await eve.channel.send("entries", [(body, sign(EVE, "boneyard/v4/entry", body))])
            await eve.follow(lambda eve: eve.evidence)
            assert is_fork(*eve.evidence)
        async with come(host, ZOE) as zoe:
            await zoe.follow(lambda zoe: zoe.evidence)
            assert zoe.evidence == eve.evidence
        (fault,) = notices_of(host, FaultFound)
        assert host.view().stage is TableStage.HALTED
    assert fault.check == "fork"


async def test_a_member_lets_in_those_for_whom_another_vouches(tmp_path, jumping_clock):
    """A member's door refuses a watcher until the host has vouched for it (3.7)."""
    async with (
        table(tmp_path, auto=False, bots=0) as host,
        join_table(join_options(tmp_path, "ben", code=str(host.door.code)), place(host)) as ben,
    ):
        await until(ben, lambda view: view.sits)
        assert await verdict(ben) == "stranger"
        async with come(host, EVE) as eve:
            assert await host.begin() == Granted()
            await eve.follow(lambda eve: eve.fold.phase == "play")
            while await verdict(ben) == "stranger":
                continue  # the host's word for Eve is on its way
            async with visit(ben.port, EVE, "eve") as again:
                await again.follow(lambda eve: eve.is_level)
                both = zip(again.reader.heads, eve.reader.heads, strict=False)
                assert all(one == other for one, other in both)


# ---- asking for a seat --------------------------------------------------------------------------


async def answered(guest):
    """Wait for the next `join-answer`, and return its code."""
    seen = len(guest.answers)
    await guest.follow(lambda guest: len(guest.answers) > seen)
    return guest.answers[-1]


async def test_answers_in_the_lobby(tmp_path, jumping_clock):
    """The lobby answers `stale`, `key`, `taken` and, once the host closes it, `closed`.

    `stale` is for a future step, and `key` for a request that another key signed.
    """
    more = {"settings": settings(2), "bots": 0, "open": True}
    async with table(tmp_path, **more) as host, come(host, ZOE) as zoe, come(host, EVE) as eve:
        await zoe.follow(lambda zoe: zoe.is_level)
        await zoe.ask(step=zoe.fold.step + 5)
        assert await answered(zoe) == "stale"
        await zoe.ask(key=EVE)
        assert await answered(zoe) == "key"
        await sit(zoe)
        await eve.follow(lambda eve: len(eve.fold.members) == 2)
        await eve.ask()
        assert await answered(eve) == "taken"
        await host.say_goodbye()
        assert await answered(zoe) == "closed"
        await eve.ends()
        assert eve.answers[-1] == "closed"


async def test_a_link_that_ends_in_the_lobby_costs_the_seat(tmp_path, jumping_clock):
    """A guest whose link ends in the lobby loses its seat, and needs a new request (3.3).

    A request for the earlier step is stale, because the host has written `dismiss`.
    """
    async with table(tmp_path, bots=0, open=True) as host:
        async with come(host, ZOE) as zoe:
            asked = zoe.fold.step
            await sit(zoe)
        async with come(host, ZOE) as zoe:
            await zoe.follow(lambda zoe: zoe.is_level and not zoe.sits)
            await zoe.ask(step=asked)
            assert await answered(zoe) == "stale"
            await sit(zoe)


@pytest.mark.parametrize(("rounds", "codes"), [(1, ["last-round"]), (2, ["nobody-there", "later"])])
async def test_answers_when_the_game_has_begun(tmp_path, rounds, codes, jumping_clock):
    """Once the game has begun, a request is answered `last-round` in the last round (3.7).

    In an earlier round it is answered `nobody-there`, and `later` once the host allows the key.
    """
    more = {"settings": settings(3, rounds=rounds), "open": True, "auto": False}
    async with table(tmp_path, **more) as host:
        assert await host.begin() == Granted()
        async with come(host, ZOE) as zoe:
            await zoe.follow(lambda zoe: zoe.fold.phase == "play")
            await zoe.ask()
            assert await answered(zoe) == codes[0]
            await host.allow(PeerKey(public(ZOE)))
            await zoe.follow(lambda zoe: zoe.answers == codes)
            await zoe.ask()
            await zoe.follow(lambda zoe: zoe.answers == [*codes, codes[-1]])
