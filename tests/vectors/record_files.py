"""Files as vectors: records that break off or are damaged, and evidence that is good or is not.

A case is the first octets of one of the files and what follows them, and what a verifier says of
that (protocol.md 6). The files are short logs written by hand; what is said of a case is found by
the program, and by the reader in `tests/conformance` from the page.
"""

import json
import re
import zlib
from pathlib import Path

from msgspec.structs import replace

from netgame.crypto.shuffle import derive_shuffle_secret
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.verdict import VerdictKind, witness_octets
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import WITNESS_DOMAIN, frame_payload, read_entry, read_frames
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import bit
from tests.netgame.simtable import full_table
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import entropy, frames_of, signed_in
from tests.vectors.writing import text

FOLDER = Path(__file__).parent / "files"
HEADER = frame_payload(encode(wire.RecordHeader(PROTOCOL_VERSION)))


def frame_of(signed):
    """Give the frame of a record for an entry or a statement."""
    is_entry = isinstance(signed, wire.SignedEntry)
    return frame_payload(
        encode(wire.RecordEntry(signed) if is_entry else wire.RecordStatement(signed))
    )


def closing(check, *shown, sender=b"", witness=b"", testimony=b""):
    """Give the closing frame of an evidence file."""
    entries = tuple(each for each in shown if isinstance(each, wire.SignedEntry))
    statements = tuple(each for each in shown if isinstance(each, wire.SignedStatement))
    return frame_payload(
        encode(wire.EvidenceFrame(check, entries, sender, witness, testimony, statements))
    )


class Files:
    """Files by name, and cases, in which each is some of a file and what follows that."""

    def __init__(self):
        self.made, self.cases, self.keys = {}, [], {}

    def keep(self, name, signed, last=b""):
        """Keep a file of these, and `last` behind them; it is a case itself."""
        self.made[name] = HEADER + b"".join(map(frame_of, signed)) + last
        return name

    def case(self, says, name, octets=None, more=b"", accused=None):
        """Note what the program says of the first octets of a file, and more behind them."""
        whole = self.made[name] if name else b""
        size = len(whole) if octets is None else octets
        found = verdict_on(whole[:size] + more, accused)
        self.cases.append({"name": says, "file": name, "octets": size, "more": more, **found})

    def closed(self, says, name, more, accused=None):
        """Note the same with another closing frame."""
        at = len(self.made[name]) - size_of_last(self.made[name])
        self.case(says, name, at, more, accused)


def size_of_last(octets):
    """Give the octets of the last frame of a file."""
    payloads, damage = read_frames(octets)
    assert damage is None
    return len(frame_payload(payloads[-1]))


def verdict_on(octets, accused):
    """Give what the program says of a file: what it is, and where it is refused or who is named."""
    verdict = verify_record(octets, entropy())
    if verdict.kind is VerdictKind.RECORD:
        return {"verdict": "record"}
    if verdict.kind is not VerdictKind.REFUSED:
        assert fingerprint(accused) in verdict.accused, verdict.sentence
        return {"verdict": verdict.kind.value, "check": verdict.check, "accused": accused}
    if verdict.sentence.startswith("Not verified"):
        return {"verdict": "other version"}
    at = re.search(r"frame (\d+) at octet (\d+) \(step (\d+)\)", verdict.sentence)
    if at:
        where = dict(zip(("frame", "octet", "step"), map(int, at.groups()), strict=True))
    elif at := re.search(r"octet (\d+)", verdict.sentence):
        where = {"octet": int(at.group(1))}
    else:
        where = {"octet": None} if "empty" in verdict.sentence else None
    return {"verdict": "refused", "at": where}


# ---- records ----------------------------------------------------------------------------------


def _crc_32c(payload):
    """Give the other CRC-32, of Castagnoli."""
    value = 0xFFFFFFFF
    for octet in payload:
        value ^= octet
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def _framed(payload, checksum, order="big"):
    return len(payload).to_bytes(4, "big") + checksum.to_bytes(4, order) + payload


def _records(files):
    log = ByHand("record").sit().form().commit()
    name = files.keep("record.bin", log.signed)
    whole, first = files.made[name], len(HEADER)
    last = len(whole) - size_of_last(whole)
    header = encode(wire.RecordHeader(PROTOCOL_VERSION))
    files.case("all of it", name)
    files.case("nothing", "")
    files.case("the header alone", name, first)
    for version in (PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1, 65_535):
        other = frame_payload(encode(wire.RecordHeader(version)))
        files.case(f"the header of version {version}, and what nobody can read",
                   "", more=other + frame_payload(b"\xc1"))  # fmt: skip
    for says, payload in {
        "a header with a field more": b"\x93" + header[1:] + b"\x00",
        "a header whose version takes an octet more": header[:-1] + b"\xcc" + header[-1:],
        "no header in front": encode(wire.RecordEntry(log.signed[0])),
    }.items():
        files.case(says, "", more=frame_payload(payload))
    for says, frame in {
        "CRC-32C": _framed(header, _crc_32c(header)),
        "a checksum with its low octet first": _framed(header, zlib.crc32(header), "little"),
        "the checksum of a frame with its length": _framed(header, zlib.crc32(HEADER[:4] + header)),
    }.items():
        files.case(f"the header with {says}", "", more=frame)
    files.case("cut at a frame border", name, last)
    files.case("cut in the length of a frame", name, last + 3)
    files.case("cut behind the length and the checksum of a frame", name, last + 8)
    files.case("cut one octet before the end", name, len(whole) - 1)
    flipped = bytes([whole[last + 20] ^ 1])
    rest = whole[last + 21 :]
    files.case("one bit flipped in the last frame", name, last + 20, flipped + rest)
    payloads, _ = read_frames(whole)
    middle = len(b"".join(map(frame_payload, payloads[:9])))
    spoilt = bytes([whole[middle + 20] ^ 1]) + whole[middle + 21 :]
    files.case("one bit flipped, and good frames behind it", name, middle + 20, spoilt)
    files.case("zeros behind the last frame", name, more=bytes(16))
    files.case("a frame of no octets, with its checksum", name, last, bytes(8) + whole[last:])
    longest = (65_537).to_bytes(4, "big") + bytes(4)
    files.case("a frame of 65,537 octets is said to come", name, more=longest)
    files.case("a frame of 4 GiB is said to come", name, more=b"\xff" * 8)
    _behind(files, log, name, last)


def _behind(files, log, name, last):
    """What may not stand where it stands, in whole frames."""
    whole, signed = files.made[name], log.signed
    other = ByHand("another record").sit()
    said = next(each for each in signed if isinstance(each, wire.SignedStatement))
    border = len(HEADER) + len(frame_of(signed[0]))
    for says, at, more in (
        ("a second header", len(whole), HEADER),
        ("the last entry once more", len(whole), whole[last:]),
        ("an entry of another table", len(whole), frame_of(other.signed[0])),
        ("a message that stands in no file", len(whole), frame_payload(encode(wire.Ping()))),
        ("an entry in an array of its own", len(whole), frame_payload(b"\x91" + whole[last + 8 :])),
        ("an entry left out", border, whole[border + len(frame_of(signed[1])) :]),
        ("a statement that has helped to decide, once more", len(whole), frame_of(said)),
        ("a statement in front of every entry", len(HEADER), frame_of(said)),
        ("a statement of a poll to come", border, frame_of(said)),
        ("a bad entry in front of a damaged frame", len(whole),
         frame_of(signed[-1]) + b"\0\0\0\x05"),
    ):  # fmt: skip
        files.case(says, name, at, more)


# ---- evidence ---------------------------------------------------------------------------------


def _forks(files):
    log = ByHand("fork").sit()
    host = log.host.public_bytes
    one, other = log.entry(255, wire.Close(b"")), log.entry(255, wire.Dismiss(host))
    name = files.keep("evidence-fork.bin", log.signed, closing("fork", one, other))
    files.case("two entries of a slot that is due", name, accused=host)
    files.closed("the same, the other first", name, closing("fork", other, one), host)
    files.closed("one of them alone", name, closing("fork", one))
    files.closed("the same one twice", name, closing("fork", one, one))
    files.closed("said to be out of turn", name, closing("turn", one, other))
    files.case("the evidence twice", name, more=closing("fork", one, other))
    files.case("an entry behind the evidence", name, more=frame_of(one))
    files.closed("without the evidence", name, b"")
    recorded = [*log.signed, one]
    name = files.keep("evidence-second-story.bin", recorded, closing("fork", other))
    files.case("the second of two entries of which the first stands", name, accused=host)
    files.closed("both, of which one stands", name, closing("fork", one, other), host)
    files.closed("with an entry besides that convicts nobody", name,
                 closing("fork", log.signed[0], other))  # fmt: skip
    promise = _promise(log_formed := ByHand("fork").sit().form(), 0, 1)
    files.closed("with a statement besides", name, closing("fork", other, promise))
    _two_tables(files, log, log_formed)
    opened = log.signed[0]
    again = ByHand("fork").entry(255, wire.OpenTable(host, log.nonce, replace(PLAIN, pip_max=9)))
    name = files.keep("evidence-two-openings.bin", (), closing("fork", opened, again))
    files.case("two offers of one table, without a record", name, accused=host)
    files.closed("of which one is named", name, closing("fork", opened))


def _two_tables(files, log, formed):
    """What one key has signed at two tables, and what is of another table altogether."""
    name = "evidence-fork.bin"
    there = ByHand("another fork").sit()
    here = log.entry(255, wire.Close(b""))
    one, other = there.entry(255, wire.Close(b"")), there.entry(255, wire.Dismiss(bytes(32)))
    files.closed("a fork of another table", name, closing("fork", one, other))
    files.closed("an entry that breaks a rule at another table", name, closing("shape", other))
    same = log.entry(255, wire.Dismiss(bytes(32)), id=there.state.log_id)
    files.closed("entries of one key at two tables", name, closing("fork", here, same))
    later = formed.entry(0, wire.KeyCommit(0, bytes(64), b""))
    files.closed("an entry of an epoch that the log has not come to", name,
                 closing("fork", later, here))  # fmt: skip
    files.closed("no entry at all", name, closing("fork"))


def _single(files):
    """An entry that is judged by itself: one for checks of each kind."""
    log = ByHand("single").sit().form().commit()
    key = log.state.seats[0].key
    bad = log.entry(0, wire.KeyOpen(0, bytes(130)))
    good = log.entry(1, log.opening(1))
    name = files.keep("evidence-shape.bin", log.signed, closing("shape", bad))
    files.case("an entry that does not decode", name, accused=key)
    files.closed("said to fail another check", name, closing("proof", bad))
    files.closed("said to fail no check that there is", name, closing("no-such", bad))
    files.closed("beside an entry of another seat that holds", name, closing("shape", good, bad))
    files.closed("beside an entry that stands", name, closing("shape", bad, log.signed[0]))
    files.closed("the entry of another seat, which holds", name, closing("shape", good))
    files.closed("an entry that stands", name, closing("shape", log.signed[-1]))
    files.closed("with a witness who is not needed", name,
                 closing("shape", bad, witness=key, testimony=bytes(64)))  # fmt: skip
    early = log.signed[:-1]
    files.closed("a step before that is whole", name, b"")
    other = ByHand("single").sit().form().commit()
    turned = other.opening(0)
    spoilt = wire.KeyOpen(0, turned.opening[:-1] + bytes([turned.opening[-1] ^ 1]))
    name = files.keep("evidence-proof.bin", log.signed, closing("proof", log.entry(0, spoilt)))
    files.case("an entry whose proof does not hold", name, accused=key)
    cut = len(HEADER) + sum(len(frame_of(each)) for each in early)
    files.case("the same with a record that ends before its step", name, cut,
               closing("proof", log.entry(0, spoilt)))  # fmt: skip
    closed = ByHand("rules", replace(PLAIN, pip_max=7)).sit()
    bad = closed.entry(255, wire.Close(b""))
    name = files.keep("evidence-rules.bin", closed.signed, closing("rules", bad))
    files.case("an entry that the rules do not allow", name, accused=closed.host.public_bytes)


def _standing(files):
    """Faults in what stands in the record: equal keys, a bad proof of a link."""
    log = ByHand("equal").sit().form().commit({0: 5, 1: 5})
    first, second = (log.entry(seat, log.opening(seat)) for seat in (0, 1))
    stands = [*log.signed, second, first]
    key = log.state.seats[1].key
    name = files.keep("evidence-equal-keys.bin", stands, closing("proof", second))
    files.case("the key that another seat has", name, accused=key)
    files.closed("the key that is another seat's too", name, closing("proof", first))
    files.closed("both", name, closing("proof", first, second))
    files.closed("not closed", name, b"")
    files.closed("a fork of the seat that is at fault, behind what stands", name,
                 closing("fork", second, log.entry(1, wire.Checked(0))), key)  # fmt: skip

    log = ByHand("link").sit().form().commit()
    log.all_write(log.opening)
    proofs = log.mixed()
    bad = wire.Proof(0, proofs[1].proof[:-1] + bytes([proofs[1].proof[-1] ^ 1]))
    entries = [log.entry(0, proofs[0]), log.entry(1, bad)]
    key = log.state.seats[1].key
    name = files.keep(
        "evidence-shuffle.bin", [*log.signed, *entries], closing("shuffle", entries[1])
    )
    files.case("a proof of a link that does not hold", name, accused=key)
    files.closed("the proof of another seat", name, closing("shuffle", entries[0]))
    files.closed("both proofs", name, closing("shuffle", *entries))
    files.closed("the deck that it is of", name, closing("shuffle", log.signed[-1]))
    _behind_a_bad_link(files, log, name, entries, key)


def _behind_a_bad_link(files, log, name, entries, key):
    """Entries of `checked` close no step there; nothing else is taken."""
    good = log.fork()
    for each in entries:
        good.ledger.settle(good.ledger.judge(each).entry)
    checked = [good.entry(seat, wire.Checked(0)) for seat in (0, 1)]
    frames = list(map(frame_of, checked))
    files.closed("signed off by one", name, frames[0] + closing("shuffle", entries[1]), key)
    files.closed("signed off by both", name,
                 b"".join(frames) + closing("shuffle", entries[1]), key)  # fmt: skip
    files.closed("signed off, and no evidence", name, frames[0])


def _audited(files):
    """Links that their seeds do not give, though they are proved: the first of the chain counts."""
    settings = wire.Settings("standard", (), 6, 2, 1, 1, ("audit=seeds",))
    table = full_table(("Ann", "Ben"), settings, seed=bytes([21]) * 32)
    ann = table.sitters[0]
    for sitter in table.sitters:
        sitter.core.author._keyring.shuffle_secret = _from_elsewhere
    table.run(lambda: sum(b"\xa4keys" in payload for payload in ann.record) == len(table.sitters))
    signed = list(map(signed_in, frames_of(ann.record_octets)))
    keys = {read_entry(each).seat: each for each in signed[-2:]}
    key = ann.core.state.seats[0].key
    name = files.keep("evidence-audit.bin", signed, closing("audit", keys[0]))
    files.case("the first link that its seed does not give", name, accused=key)
    files.closed("the second", name, closing("audit", keys[1]))
    files.closed("without the evidence", name, b"")


def _from_elsewhere(_committed, ctx, given):
    return derive_shuffle_secret(expand(bytes(32), "other")(32), ctx, given)


# ---- evidence of polls ------------------------------------------------------------------------


def _promise(log, seat, counter, without=0):
    """Give a promise of a seat in a ballot of the first."""
    return log.promise(seat, (counter, 0), without)


def _polls(files):
    log = ByHand("poll", replace(PLAIN, seats=3)).sit().form()
    key = log.state.seats[1].key
    pair = _promise(log, 1, 1), _promise(log, 1, 1, without=bit(2))
    name = files.keep("evidence-cut-pair.bin", log.signed, closing("cut", *pair))
    files.case("two promises of one ballot", name, accused=key)
    files.closed("the same, the other first", name, closing("cut", *pair[::-1]), key)
    third = _promise(log, 0, 1)
    files.closed("with the promise of another seat besides", name, closing("cut", *pair, third))
    files.closed("one of them", name, closing("cut", pair[0]))
    files.closed("the same one twice", name, closing("cut", pair[0], pair[0]))
    files.closed("of two seats", name, closing("cut", third, pair[0]))
    entry = log.entry(1, wire.KeyCommit(0, bytes(64), b""))
    files.closed("with an entry besides", name, closing("cut", entry, *pair))

    bound = _promise(log, 1, 1)
    name = files.keep("evidence-cut-entry.bin", log.signed, closing("cut", entry, bound))
    files.case("an entry after the last step that was promised", name, accused=key)
    files.closed("beside the promise of another seat", name, closing("cut", entry, third))
    files.closed("with a second promise besides", name, closing("cut", entry, bound, third))
    files.closed("the entry alone", name, closing("cut", entry))
    _accepted(files, log)


def _accepted(files, log):
    """What takes a proposal to be shown, and a proposal that does not follow."""
    *promises, proposal, accept, _ = log.decided()
    hidden = _promise(log, 0, 2)
    first = log.state.seats[0].key
    shown = accept, hidden, proposal
    name = files.keep("evidence-cut-accept.bin", log.signed, closing("cut", *shown))
    files.case("an accept that a later promise hides, and the proposal", name, accused=first)
    files.closed("without the proposal", name, closing("cut", accept, hidden))
    files.closed("with what the proposal counts", name, closing("cut", *shown, *promises))
    false = log.proposal((1, 0), bit(2), promises)
    whole = *promises, false
    name = files.keep("evidence-cut-value.bin", log.signed, closing("cut", *whole))
    files.case("a proposal that does not follow, behind what it counts", name, accused=first)
    files.closed("what it counts in another order", name,
                 closing("cut", *promises[::-1], false), first)  # fmt: skip
    files.closed("not as the last", name, closing("cut", false, *promises))
    files.closed("without one that it counts", name, closing("cut", *promises[1:], false))
    stranger = _promise(log, 1, 7)
    files.closed("with a promise that it does not count", name,
                 closing("cut", stranger, *whole))  # fmt: skip


# ---- testimony --------------------------------------------------------------------------------


def _heard(files):
    log = ByHand("heard").sit()
    ann, ben = log.people
    good = log.entry(255, wire.Close(b""))
    bad = wire.SignedEntry(good.body, bytes(64))
    sender = ben.public_bytes
    said = ann.sign(WITNESS_DOMAIN, witness_octets(bad, sender))
    told = {"sender": sender, "witness": ann.public_bytes, "testimony": said}
    name = files.keep("testimony.bin", log.signed, closing("signature", bad, **told))
    files.case("a member says who has sent a wrong signature", name, accused=sender)
    files.closed("nobody says so", name, closing("signature", bad))
    files.closed("of a signature that fits", name, closing("signature", good, **told))
    stranger = make_signing_key(log.draw(32))
    other = {"witness": stranger.public_bytes}
    other["testimony"] = stranger.sign(WITNESS_DOMAIN, witness_octets(bad, sender))
    files.closed("somebody says so who is no member", name,
                 closing("signature", bad, **{**told, **other}))  # fmt: skip
    files.closed("said to be another check", name, closing("shape", bad, **told))
    files.closed("with an entry besides", name, closing("signature", bad, good, **told))
    short = {"sender": sender[:31]}
    short["testimony"] = ann.sign(WITNESS_DOMAIN, witness_octets(bad, sender[:31]))
    files.closed("of a sender of 31 octets", name,
                 closing("signature", bad, **{**told, **short}))  # fmt: skip


def documents():
    """Give each file's name and its content, in octets."""
    files = Files()
    for make in (_records, _forks, _single, _standing, _audited, _polls, _heard):
        make(files)
    told = json.dumps(text(files.cases), indent=1) + "\n"
    return {**files.made, "files.json": told.encode("ascii")}
