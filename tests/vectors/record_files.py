"""Files as vectors: records that are cut off or damaged, and evidence, good and bad.

A case is the first octets of one of the files, the octets after them, and a verifier's verdict on
the two together (protocol.md 6). The files are short logs written by hand; both the program and the
reader in `tests/conformance` find the verdicts.
"""

import json
import re
import zlib
from pathlib import Path

from msgspec.structs import replace

from engine.rules.revision import RULES_REVISION
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import GENESIS, frame_payload, read_entry, read_frames, sign_entry
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import bit
from tests.vectors import bad_logs
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import HEADER, Replay, entropy, frame_of, record, signed_in
from tests.vectors.poll_files import poll_files, promise
from tests.vectors.writing import changed, text

FOLDER = Path(__file__).parent / "files"


def closing(check, *shown):
    """Return the closing frame of an evidence file, with the entries and statements shown."""
    entries = tuple(each for each in shown if isinstance(each, wire.SignedEntry))
    statements = tuple(each for each in shown if isinstance(each, wire.SignedStatement))
    return frame_payload(encode(wire.EvidenceFrame(check, entries, statements)))


class Files:
    """Files by name, and cases, each made of the first octets of a file and more octets.

    `name` is the file of the next cases: the last file kept, unless a caller sets another name.
    """

    def __init__(self):
        self.made, self.cases, self.name = {}, [], ""

    @property
    def whole(self):
        """The octets of the file of the next cases; empty if no file is called `name`."""
        return self.made.get(self.name, b"")

    @property
    def last(self):
        """The offset of the last frame in the file of the next cases."""
        payloads, damage = read_frames(self.whole)
        assert damage is None
        return len(self.whole) - len(frame_payload(payloads[-1]))

    def keep(self, name, says, accused, signed, *closes):
        """Keep a record of these items, as evidence if a closing frame is given.

        The whole file is also a case.
        """
        last = closing(*closes) if closes else b""
        self.name, self.made[name] = name, record(signed) + last
        self.case(says, accused=accused)

    def case(self, says, octets=None, more=b"", accused=None):
        """Note the program's verdict on the first octets of the file with `more` after them.

        `octets` is how many of them are used, by default all.
        """
        size = len(self.whole) if octets is None else octets
        found = verdict_on(self.whole[:size] + more, accused)
        noted = {"name": says, "file": self.name, "octets": size, "more": more}
        self.cases.append(noted | found)

    def closed(self, says, *closes, behind=b"", accused=None):
        """Note the verdict on the file with its last frame replaced.

        In its place come `behind` and then, if `closes` are given, a closing frame made of them.
        """
        last = closing(*closes) if closes else b""
        self.case(says, self.last, behind + last, accused)


def verdict_on(octets, accused):
    """Return the program's verdict on a file, with the place of a refusal or the accused key."""
    verdict = verify_record(octets, entropy())
    if verdict.finding.is_record:
        return {"verdict": "record"}
    if verdict.finding is FileFinding.EVIDENCE:
        assert fingerprint(accused) in verdict.culprit, verdict.sentence
        return {"verdict": verdict.finding.value, "check": verdict.check, "accused": accused}
    if verdict.finding.is_made_otherwise:
        return {"verdict": verdict.finding.value}
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
    """Return the Castagnoli CRC-32, which is not the protocol's."""
    value = 0xFFFFFFFF
    for octet in payload:
        value ^= octet
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def _framed(payload, checksum, order="big"):
    return len(payload).to_bytes(4, "big") + checksum.to_bytes(4, order) + payload


def _of_other_rules(log):
    """Yield an offer of the next rules revision with a new preset, first signed, then missigned.

    Each comes as a pair: the words that end the case's name, and the signed entry.
    """
    opening = read_entry(log.signed[0])
    settings = replace(opening.payload.settings, preset="lunar", revision=RULES_REVISION + 1)
    offer = replace(opening.payload, settings=settings)
    body = wire.Body(opening.id, 0, GENESIS, wire.CHAIR, 0, offer)
    signed = sign_entry(log.host, body)
    yield ", and what nobody can read", signed
    yield " with a wrong signature", wire.SignedEntry(signed.body, bytes(64))


def _records(files):
    log = ByHand("record").sit().form().commit()
    header = encode(wire.RecordHeader(PROTOCOL_VERSION))
    files.keep("record.bin", "all of it", None, log.signed)
    files.name = ""
    files.case("nothing")
    files.name = "record.bin"
    files.case("the header alone", len(HEADER))
    files.name = ""
    for version in (PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1, 65_535):
        other = frame_payload(encode(wire.RecordHeader(version)))
        says = f"the header of version {version}, and what nobody can read"
        files.case(says, more=other + frame_payload(b"\xc1"))
    for says, signed in _of_other_rules(log):
        files.case(f"an offer of other rules{says}", more=record([signed]) + frame_payload(b"\xc1"))
    for says, payload in {
        "a header with a field more": b"\x93" + header[1:] + b"\x00",
        "a header whose version takes an octet more": header[:-1] + b"\xcc" + header[-1:],
        "no header in front": encode(wire.RecordEntry(log.signed[0])),
    }.items():
        files.case(says, more=frame_payload(payload))
    for says, frame in {
        "CRC-32C": _framed(header, _crc_32c(header)),
        "a checksum with its low octet first": _framed(header, zlib.crc32(header), "little"),
        "the checksum of a frame with its length": _framed(header, zlib.crc32(HEADER[:4] + header)),
    }.items():
        files.case(f"the header with {says}", more=frame)
    files.name = "record.bin"
    whole, last = files.whole, files.last
    for says, cut in {
        "at a frame border": last,
        "in the length of a frame": last + 3,
        "behind the length and the checksum of a frame": last + 8,
        "one octet before the end": len(whole) - 1,
    }.items():
        files.case(f"cut {says}", cut)
    payloads, _ = read_frames(whole)
    middle = len(b"".join(map(frame_payload, payloads[:9])))
    for says, at in {
        "one bit flipped in the last frame": last + 20,
        "one bit flipped, and good frames behind it": middle + 20,
    }.items():
        files.case(says, at, changed(whole, at)[at:])
    files.case("zeros behind the last frame", more=bytes(16))
    files.case("a frame of no octets, with its checksum", last, bytes(8) + whole[last:])
    longest = (65_537).to_bytes(4, "big") + bytes(4)
    files.case("a frame of 65,537 octets is said to come", more=longest)
    files.case("a frame of 4 GiB is said to come", more=b"\xff" * 8)
    _behind(files, log)


def _behind(files, log):
    """Note cases with undamaged frames that are out of place, and one with a frame left out."""
    whole, signed, last = files.whole, log.signed, files.last
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
        files.case(says, at, more)


# ---- evidence ---------------------------------------------------------------------------------


def _forks(files):
    log = ByHand("fork").sit()
    host = log.host.public_bytes
    one, other = log.entry(255, wire.Close(b"")), log.entry(255, wire.Dismiss(host))
    files.keep(
        "evidence-fork.bin",
        "two entries of a slot that is due",
        host,
        log.signed,
        "fork",
        one,
        other,
    )
    files.closed("the same, the other first", "fork", other, one, accused=host)
    files.closed("one of them alone", "fork", one)
    files.closed("the same one twice", "fork", one, one)
    files.closed("said to be out of turn", "turn", one, other)
    files.case("the evidence twice", more=closing("fork", one, other))
    files.case("an entry behind the evidence", more=frame_of(one))
    files.closed("without the evidence")
    recorded = [*log.signed, one]
    files.keep(
        "evidence-second-story.bin",
        "the second of two entries of which the first stands",
        host,
        recorded,
        "fork",
        other,
    )
    files.closed("both, of which one stands", "fork", one, other, accused=host)
    files.closed("with an entry besides that convicts nobody", "fork", log.signed[0], other)
    promised = promise(log_formed := ByHand("fork").sit().form(), 0, 1)
    files.closed("with a statement besides", "fork", other, promised)
    _two_tables(files, log, log_formed)
    opened = log.signed[0]
    again = ByHand("fork").entry(255, wire.OpenTable(host, log.nonce, replace(PLAIN, pip_max=9)))
    files.keep(
        "evidence-two-openings.bin",
        "two offers of one table, without a record",
        host,
        (),
        "fork",
        opened,
        again,
    )
    files.closed("of which one is named", "fork", opened)


def _two_tables(files, log, formed):
    """Note closing frames that convict nobody, most with entries of another table or epoch."""
    files.name = "evidence-fork.bin"
    there = ByHand("another fork").sit()
    here = log.entry(255, wire.Close(b""))
    one, other = there.entry(255, wire.Close(b"")), there.entry(255, wire.Dismiss(bytes(32)))
    files.closed("a fork of another table", "fork", one, other)
    files.closed("an entry that breaks a rule at another table", "shape", other)
    same = log.entry(255, wire.Dismiss(bytes(32)), id=there.state.log_id)
    files.closed("entries of one key at two tables", "fork", here, same)
    later = formed.entry(0, wire.KeyCommit(0, bytes(64)))
    files.closed("an entry of an epoch that the log has not come to", "fork", later, here)
    files.closed("no entry at all", "fork")


def _single(files):
    """Keep evidence of single bad entries: one fails `shape`, one `proof` and one `rules`."""
    log = ByHand("single").sit().form().commit()
    key = log.state.seats[0].key
    bad = log.entry(0, wire.KeyOpen(0, bytes(130)))
    good = log.entry(1, log.opening(1))
    files.keep("evidence-shape.bin", "an entry that does not decode", key, log.signed, "shape", bad)
    files.closed("said to fail another check", "proof", bad)
    files.closed("said to fail no check that there is", "no-such", bad)
    files.closed("beside an entry of another seat that holds", "shape", good, bad)
    files.closed("beside an entry that stands", "shape", bad, log.signed[0])
    files.closed("the entry of another seat, which holds", "shape", good)
    files.closed("an entry that stands", "shape", log.signed[-1])
    files.closed(
        "with a wrong signature, which nobody has given",
        "signature",
        wire.SignedEntry(bad.body, bytes(64)),
    )
    files.closed("a step before that is whole")
    other = ByHand("single").sit().form().commit()
    turned = other.opening(0)
    spoilt = wire.KeyOpen(0, changed(turned.opening, -1))
    files.keep(
        "evidence-proof.bin",
        "an entry whose proof does not hold",
        key,
        log.signed,
        "proof",
        log.entry(0, spoilt),
    )
    cut = files.last - len(frame_of(log.signed[-1]))
    more = closing("proof", log.entry(0, spoilt))
    files.case("the same with a record that ends before its step", cut, more)
    closed = ByHand("rules", replace(PLAIN, pip_max=7)).sit()
    bad = closed.entry(255, wire.Close(b""))
    files.keep(
        "evidence-rules.bin",
        "an entry that the rules do not allow",
        closed.host.public_bytes,
        closed.signed,
        "rules",
        bad,
    )


def _standing(files):
    """Keep evidence of faults in recorded entries: equal keys, and a bad shuffle proof."""
    log = ByHand("equal").sit().form().commit({0: 5, 1: 5})
    first, second = (log.entry(seat, log.opening(seat)) for seat in (0, 1))
    stands = [*log.signed, second, first]
    key = log.state.seats[1].key
    files.keep(
        "evidence-equal-keys.bin", "the key that another seat has", key, stands, "proof", second
    )
    files.closed("the key that is another seat's too", "proof", first)
    files.closed("both", "proof", first, second)
    files.closed("not closed")
    files.closed(
        "a fork of the seat that is at fault, behind what stands",
        "fork",
        second,
        log.entry(1, wire.Checked(0)),
        accused=key,
    )

    log = ByHand("link").sit().form().commit()
    log.all_write(log.opening)
    proofs = log.mixed()
    bad = wire.Proof(0, changed(proofs[1].proof, -1))
    entries = [log.entry(0, proofs[0]), log.entry(1, bad)]
    key = log.state.seats[1].key
    files.keep(
        "evidence-shuffle.bin",
        "a proof of a link that does not hold",
        key,
        [*log.signed, *entries],
        "shuffle",
        entries[1],
    )
    files.closed("the proof of another seat", "shuffle", entries[0])
    files.closed("both proofs", "shuffle", *entries)
    files.closed("the deck that it is of", "shuffle", log.signed[-1])
    _behind_a_bad_link(files, log, entries, key)


def _behind_a_bad_link(files, log, entries, key):
    """Note cases in which `checked` entries follow a bad link, where they close no step."""
    good = log.fork()
    for each in entries:
        good.ledger.settle(good.ledger.judge(each).entry)
    frames = [frame_of(good.entry(seat, wire.Checked(0))) for seat in (0, 1)]
    for says, behind in {"one": frames[0], "both": b"".join(frames)}.items():
        says = f"signed off by {says}"
        files.closed(says, "shuffle", entries[1], behind=behind, accused=key)
    files.closed("signed off, and no evidence", behind=frames[0])
    _void_link(files, log, entries, frames)


def _void_link(files, log, entries, frames):
    """Keep a record that contains a false proof, and the decision that makes it void."""
    parting = log.parting(1, last=log.state.step)
    decided = log.decided(bit(1), voters=[0], partings=[parting])
    certificate = [parting, *decided]
    stands = [*log.signed, *entries]
    says = "a proof that does not hold, and the decision that makes it void"
    files.keep("void-shuffle.bin", says, None, [*stands, *certificate])
    files.case("without the accept", files.last)
    files.name = ""
    signed_off = b"".join((record(stands), frames[1], *map(frame_of, certificate)))
    files.case("signed off by the one that goes, and void", more=signed_off)
    nobody = log.decided(0, voters=[0, 1])
    files.case("and a decision that nobody goes", more=record([*stands, *nobody]))


def _audited(files):
    """Keep evidence of a draw by a player who could have laid a double and its cover together.

    Only the hands opened at the end of the round show it.
    """
    *before, closing = bad_logs.evidence_of("cannot play, with a pair that fits together")
    signed, (shown,) = list(map(signed_in, before)), closing.entries
    replay = Replay(bad_logs.table_of(signed))
    for each in signed:
        replay.offer(each)
    seat = read_entry(shown).seat
    files.keep(
        "evidence-audit.bin",
        "a pair that was denied, by the open hands",
        replay.ledger.state.seats[seat].key,
        signed,
        "audit",
        shown,
    )
    entries = (each for each in signed[::-1] if isinstance(each, wire.SignedEntry))
    other = next(each for each in entries if read_entry(each).seat != seat)
    files.closed("an entry of another seat", "audit", other)
    files.closed("without the evidence")


def documents():
    """Return the content of each file by name, in octets."""
    files = Files()
    for make in (_records, _forks, _single, _standing, _audited, poll_files):
        make(files)
    told = json.dumps(text(files.cases), indent=1) + "\n"
    return {**files.made, "files.json": told.encode("ascii")}
