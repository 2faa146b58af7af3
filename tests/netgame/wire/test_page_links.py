"""The lists and numbers in sections 1 to 7 of docs/peer.md are those of the code."""

import ast
import re
from typing import get_args

import pytest
from spake2.spake2 import DefaultParams

from netgame import limits
from netgame.io.discovery.advert import TableAd, TablePhase, instance_name, parse_txt, txt_of
from netgame.io.door import admission as door
from netgame.io.door import forwarding, pake
from netgame.io.door.codes import CODE_WORDS
from netgame.protocol import forwarding as streams
from netgame.protocol.peer import linked
from netgame.protocol.peer.people import mesh
from netgame.protocol.peer.sync import pulls
from netgame.protocol.seating import CLOSED, LATER, Giver, WhyNoSeat
from tests.conformance import spake
from tests.netgame.wire.pages import PEER, table_under, words
from tests.netgame.wire.test_page_words import calls, named

SECTION = PEER[PEER.index("\n## 1. ") : PEER.index("\n## 8. ")]
PROSE = " ".join(SECTION.split())


def listed(number, first):
    """Return the first word in backticks of each row of a table in docs/peer.md.

    The table is in section `number`, and its header begins with the cell `first`.
    """
    return [words(row[0])[0] for row in table_under(number, first, PEER)]


def test_the_page_lists_every_verdict():
    """The page lists exactly the codes of verdicts that the code makes, except `ok`."""
    made = {
        call.args[0].value
        for _, call in calls()
        if named(call) == "Verdict" and isinstance(call.args[0], ast.Constant)
    }
    assert set(listed("1", "code")) == made - {door.OK.code}


def test_the_page_lists_every_answer_to_a_joiner():
    """The page lists the codes of `join-answer`.

    For each reason to refuse a seat, it also says who sends it and whether a number comes with it.
    """
    told = {words(row[0])[0]: row for row in table_under("2", "code", PEER)}
    reasons = {why.value: why for why in WhyNoSeat if why is not WhyNoSeat.UNKNOWN}
    assert set(told) == {*reasons, CLOSED, LATER}
    for code, why in reasons.items():
        _, sender, numbers, _ = told[code]
        assert sender == {Giver.HOST: "host", Giver.CHAIR: "chair"}.get(why.giver, "host, chair")
        assert bool(numbers) is why.has_number, code


def test_the_page_lists_every_refusal_of_a_stream():
    """The page lists every code with which a forwarder or the wanted peer refuses a stream."""
    names = {
        node.id
        for _, call in calls()
        if named(call) in ("refuse", "StreamRefused")
        for node in ast.walk(call)
        if isinstance(node, ast.Name) and node.id.isupper()
    }
    codes = vars(streams) | vars(forwarding)
    assert set(listed("2", "code in `stream-refused`")) == {codes[name] for name in names}


AD = TableAd("Ann", "ab" * 64, "abcdefgh", "standard", 9, 1, 4, "lobby", ("10.0.0.1",), 4747)


def test_the_page_lists_every_key_of_an_advertisement():
    """The page lists the keys of an advertisement in order; all but the name are required.

    It also lists the values of `phase`, and says how the instance's name is made.
    """
    txt = txt_of(AD)
    assert listed("3", "key") == list(txt)
    for absent in txt:
        rest = {key.encode(): value.encode() for key, value in txt.items() if key != absent}
        read = parse_txt(rest, AD.addresses, AD.port)
        assert (read is not None) == (absent == "name"), absent
    told = {row[0].strip("`"): row[1] for row in table_under("3", "key", PEER)}
    assert set(words(told["phase"])) == set(get_args(TablePhase))
    assert instance_name(AD) == f"{AD.table_id[:12]}-{AD.fingerprint}._boneyard._tcp.local."
    assert 'first 12 digits of id || "-" || fp' in PROSE


def test_the_page_lists_every_word_of_a_join_code():
    """The page lists the 256 words of join codes, in the order of `CODE_WORDS`."""
    section = SECTION[SECTION.index("two of these 256 words") :]
    block = re.search(r"\n\n((?:    [a-z ]+\n)+)", section)
    assert block[1].split() == list(CODE_WORDS)


def test_the_page_has_the_points_of_the_join_code():
    """The page gives the points M and N of SPAKE2 and the domain from which keys are derived.

    The points are those of the program's library and of the second implementation.
    """
    for name in "MN":
        point = spake.encode(getattr(spake, name))
        assert f"= {point.hex()}\n" in SECTION
        assert getattr(DefaultParams, name).to_bytes() == point
    assert f'info = "{pake._DOMAIN.decode()}" || 00 ||' in SECTION


def mib(octets):
    """Return a number of octets in whole MiB, as the page writes it."""
    return f"{octets // 2**20} MiB"


@pytest.mark.parametrize(
    "sentence",
    [
        f"{limits.FRAME_BYTES_MAX_UNAUTHENTICATED:,} up to the verdict `ok` (§1), "
        f"{limits.FRAME_BYTES_MAX:,} behind it",
        f"a frame MUST be whole within {limits.FRAME_TIMEOUT_S:.0f} s",
        f"All of this MUST be done within {limits.HANDSHAKE_TIMEOUT_S:.0f} s",
        f"at most {limits.UNAUTHENTICATED_LINKS_MAX} connections that have not proved a key yet, "
        f"and serves {limits.DOOR_TURNS_MAX} of them at a time, {limits.DOOR_TURNS_PER_ADDRESS} "
        "from one address",
        f"a turn ends after {limits.UNAUTHENTICATED_GRACE_S} s",
        f"A client that has waited for {limits.DOOR_WAIT_S} s",
        f"When all {limits.UNAUTHENTICATED_LINKS_MAX} places are taken",
        f"has said nothing for {limits.DOOR_SILENT_S} s",
        f"ended less than {limits.FLOOD_BAN_S:.0f} s ago because it flooded it",
        f"send {limits.NEEDLESS_BURST:,} of them at once and {limits.NEEDLESS_PER_S} a second",
        f"{limits.NEEDLESS_GUEST_BURST:,} at once and {limits.NEEDLESS_GUEST_PER_S} a second",
        f"the server has {limits.LINKS_MAX} links, or {limits.LINKS_MAX - limits.LINKS_KEPT} where",
        f"ends a link on which no `hello` has come for {limits.HELLO_S:.0f} s",
        f"takes port {limits.PORT_DEFAULT} where none is named",
        f"or on the first of the next {limits.PORTS_TRIED - 1} that is free",
        f"{limits.HEAD_DELAY_S * 1000:.0f} ms after a change; again every second to one whose own",
        f"statements; and every {limits.HEAD_QUIET_S:.0f} s to the others",
        f"it was not for {limits.HEAD_S / 2} s",
        f"the log is at {limits.LOBBY_STEPS_MAX:,} steps",
        f"{limits.WATCHERS_MAX} watch already",
        f"we send a `ping` every {limits.PING_S:.0f} s; where none is to come, "
        f"{limits.PING_QUIET_S:.0f} s after the last",
        f"nothing has come for {limits.DROP_S:.0f} s",
        "shows as away at all that had a link to them "
        f"{limits.DROP_S + limits.CLOCK_CHECK_S:.0f} s after their last frame",
        f"a watcher after {limits.PING_QUIET_S + limits.DROP_S + limits.CLOCK_CHECK_S:.0f}",
        f"without that link for {limits.DROP_S:.0f} s",
        f"more than {limits.SEND_QUEUE_FRAMES_MAX} frames or {mib(limits.SEND_QUEUE_BYTES_MAX)}",
        f"at most {limits.LINK_FRAMES_PER_S} frames and {mib(limits.LINK_BYTES_PER_S)} a second",
        f"at once {limits.LINK_FRAMES_BURST:,} frames and {mib(limits.LINK_BYTES_BURST)}",
        f"less {limits.FLOOD_SHARE} of all time that passes",
        f"slowed without a break ends after {limits.FLOOD_S:.0f} s",
        f"after at most {limits.DRAIN_TIMEOUT_S:.0f} s the rest",
        f"the older one is more than {limits.LINK_SETTLED_S:.0f} s old",
        f"{limits.RACE_DELAY_S} s apart",
        f"pause of {limits.DIAL_BACKOFF_MIN_S} s that doubles up to "
        f"{limits.DIAL_BACKOFF_MAX_S:.0f} s",
        f"after {mesh.HIGHER_KEY_WAITS_S} s if not",
        f"each end may send {limits.STREAM_WINDOW_BYTES:,} octets",
        f"more than {limits.STREAM_REPLIES_MAX} answers that its sender does not take",
        f"still no link {limits.FORWARD_AFTER_S} s later",
        f"all of them again after {limits.FORWARD_AGAIN_S:.0f} s",
        f"by which {limits.FORWARDER_ENDS_MAX} links to that peer have failed",
        f"every {1 / limits.FORWARDER_ENDS_PER_S:.0f} s one of them is forgiven",
        f"goes on dialling it, every {limits.DIRECT_AGAIN_S:.0f} s",
        f"the link has {limits.STREAMS_PER_LINK_MAX} streams",
        f"{limits.STREAM_OPENS_BURST} were asked for at once, or {limits.STREAM_OPENS_PER_S:.0f} a "
        f"second; or {limits.UNPROVED_PER_FORWARDER_MAX} by this forwarder",
        f"at most {limits.STREAM_FRAMES_PER_S} frames and {mib(limits.STREAM_BYTES_PER_S)}",
        f"at most {limits.ADDRESSES_MAX} of which are read",
        f"A value has at most {limits.ADVERT_VALUE_BYTES_MAX} octets",
        f"tried every {limits.PROBE_S:.0f} s",
        f"{limits.NAME_CELLS_MAX} columns for a name",
        f"into {limits.PULL_BYTES_MAX:,} octets",
        f"counted as its body and {linked._ENVELOPE_BYTES} octets",
        f"another after {pulls.PULL_ELSEWHERE_S} s",
        f"asked again only after {linked.PULL_PATIENCE_S:.0f} s",
        f"at most {limits.HELD_ENTRIES_MAX} of them and {limits.HELD_PER_PEER_MAX} of one sender",
        f"a whole number of {limits.CODE_ANSWER_S * 1000:.0f} ms",
        f"After {limits.CODE_TRIES_PER_ADDRESS} wrong tries from one address, or "
        f"{limits.CODE_TRIES_MAX} in all",
        f"the last try waits {limits.CODE_WAIT_S:.0f} s",
        f"begin {limits.CODE_RUNS_BURST} runs at once",
        f"{limits.CODE_WRONG_BURST} at once and one in {1 / limits.CODE_WRONG_PER_S:.0f} s",
        f"the last {limits.LIVES_HEARD_MAX} processes are kept in mind",
        f"no members the last {limits.STRANGERS_HEARD_MAX}",
        f"serves at most {limits.WATCHERS_MAX} watchers",
        f"stays up to {limits.WATCHERS_GRACE_S:.0f} s for watchers",
        f"no link to the host for {limits.HOST_GONE_S:.0f} s",
    ],
)
def test_what_the_prose_says_of_a_limit_is_the_limit(sentence):
    """Sentences in sections 1 to 7 give the limits and delays that are in the code."""
    assert sentence in PROSE
