"""Cases that protocol.md could leave open: which check applies, ties, and unusual encodings.

Most follow a short log written by hand (`by_hand`), some a good log of the vectors.
"""

import hashlib
from functools import partial

import msgpack
from msgspec.structs import astuple, replace

from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import LATECOMERS_MAX
from netgame.protocol.log.entry import ENTRY_DOMAIN, REQUEST_DOMAIN
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import bit
from tests.conformance import edwards
from tests.netgame.crypto.oracle import Q
from tests.vectors.bad_logs import case, cases
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.edge_polls import edges_of_polls
from tests.vectors.writing import changed

_offer = partial(replace, PLAIN)


# ---- which check judges -----------------------------------------------------------------------

OFFERS = {
    "a preset that does not exist": {"preset": "no-such"},
    "a switch that does not exist": {"switches": ("no-such=yes",)},
    "a value of a switch that does not exist": {"switches": ("first=no-such",)},
    "an empty word among the switches": {"switches": ("",)},
    "a switch without a value": {"switches": ("first",)},
    "two switches that exclude each other":
        {"switches": ("mexican=none", "mexican-from=first-turn")},
    "of two words for a switch the later holds": {"switches": ("first=no-such", "first=high-draw")},
    "of two words for a switch the later holds, which is wrong":
        {"switches": ("first=high-draw", "first=no-such")},
    "an option that does not exist": {"options": ("no-such=yes",)},
    "a value of an option that does not exist": {"options": ("draws=no-such",)},
    "an empty word among the options": {"options": ("",)},
    "of two words for an option the later holds": {"options": ("draws=no-such", "draws=hidden")},
    "of two words for an option the later holds, which is wrong":
        {"options": ("draws=hidden", "draws=no-such")},
}  # fmt: skip
"""Offers with one odd word; each word is judged when the table is opened (7.11)."""

TABLES = {
    "a set that does not exist": {"pip_max": 7},
    "more rounds than the set has doubles": {"rounds": 8},
    "hands that the set does not hold": {"hand": 14},
    "a deal that no text has": {"seats": 14, "hand": 0, "preset": "roundhouse"},
}
"""Offers that make no table for two; each is judged only when the lobby closes (7.11)."""


def _offers():
    for name, changes in OFFERS.items():
        yield case(f"an offer: {name}", (), [ByHand(name, _offer(**changes)).open()])
    for name, changes in TABLES.items():
        log = ByHand(name, _offer(**changes)).sit()
        closing = log.entry(255, wire.Close(b""))
        yield case(f"closed on {name}", (), [*log.signed, closing])


def _lobby():
    log = ByHand("lobby", _offer(switches=("first=chosen-rotate",)))
    ann, ben = log.people
    cy = make_signing_key(log.draw(32))
    log.sit(ann)
    one = list(log.signed)
    offered = {
        "dismissed: who does not sit": log.entry(255, wire.Dismiss(ben.public_bytes)),
        "admitted: who sits": log.entry(255, log.request(ann, step=2)),
        "closed with too few": log.entry(255, wire.Close(ann.public_bytes)),
    }
    yield from cases(one, offered)
    log.sit(ben)
    offered = {
        "admitted beyond the seats": log.entry(255, log.request(cy)),
        "closed with a first player of 31 octets": log.entry(255, wire.Close(bytes(31))),
        "closed without a first player": log.entry(255, wire.Close(b"")),
        "closed with a first player that sits": log.entry(255, wire.Close(ben.public_bytes)),
    }
    yield from cases(log.signed, offered)


def _stages():
    log = ByHand("stages").sit().form()
    offered = {
        "7.9: of another round": wire.KeyCommit(1, bytes(64)),
        "7.9: of another kind before another round": wire.KeyOpen(1, bytes(130)),
    }
    yield from cases(log.signed, log.entries(0, offered))


# ---- ties -------------------------------------------------------------------------------------


def _equal_keys():
    """Yield tables with equal round keys, keys whose sum is O, and two keys that cancel out.

    The first seat that repeats a key is at fault; for a sum of O, the last seat is. Nobody is at
    fault if two keys cancel out but the sum isn't O.
    """
    for name, xs in {
        "the first and the last of three have one key": (5, 7, 5),
        "the last two of three have one key": (5, 7, 7),
        "all three have one key": (5, 5, 5),
        "three keys add up to O": (5, 7, Q - 12),
        "two of three keys are negatives of each other": (5, Q - 5, 7),
    }.items():
        log = ByHand("equal keys", _offer(seats=3)).sit().form()
        log.commit(dict(enumerate(xs)))
        openings = [log.entry(seat, log.opening(seat)) for seat in range(3)]
        # in any order of arrival: the seat numbers decide who is at fault
        yield case(f"keys: {name}", log.signed, [openings[2], openings[0], openings[1]])


def _bad_links():
    """Yield chains of two proofs, one or both bad: the first seat with a bad one is at fault."""
    log = ByHand("bad links").sit().form().commit()
    log.all_write(log.opening)
    proofs = log.mixed()
    spoilt = {seat: wire.Proof(0, changed(each.proof, -1)) for seat, each in proofs.items()}
    second = log.entry(1, spoilt[1])
    offered = {
        "the second of two": [second, log.entry(0, proofs[0])],
        "both of two": [second, log.entry(0, spoilt[0])],
    }
    yield from cases(log.signed, offered, "shuffle proofs that do not hold: ")


# ---- reading in other languages ---------------------------------------------------------------


def _requests():
    """Yield join requests with odd names, odd encodings, and odd keys and signatures (5.2)."""
    log = ByHand("requests", _offer(seats=14))
    log.put(log.open())
    zoe = make_signing_key(log.draw(32))
    names = {
        "64 characters of two UTF-16 units each": "\U0001f9e6" * 64,
        "65 characters": "a" * 65,
        "a byte order mark in front": "\ufeffZoe",
        "letters that NFC would join": "Zoe\u0301",
        "a zero": "Z\0e",
        "no character at all": "",
    }
    named = {name: log.request(zoe, name=said) for name, said in names.items()}
    yield from cases(log.signed, log.entries(255, named), "a name: ")
    good = log.request(zoe)
    requests = {
        "a surrogate": good.request.replace(b"\xa3Ann", b"\xa3\xed\xa0\x80"),
        "a letter in two octets that fits one": good.request.replace(b"\xa3Ann", b"\xa3\xc1\x81n"),
        "its length in one octet more": good.request.replace(b"\xa3Ann", b"\xd9\x03Ann"),
        "octets that are no text": good.request.replace(b"\xa3Ann", b"\xc4\x03Ann"),
        "a number for yes": good.request[:-1] + b"\x01",
    }
    asked = {
        name: wire.Admit(octets, zoe.sign(REQUEST_DOMAIN, octets))
        for name, octets in requests.items()
    }
    asked |= _keys_and_signatures(log)
    yield from cases(log.signed, log.entries(255, asked), "a request: ")


def _secret_scalar(seed):
    """Return the secret scalar of an Ed25519 key (RFC 8032, 5.1.5)."""
    half = bytearray(hashlib.sha512(seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    return int.from_bytes(half, "little")


class OddKey:
    """A key for edge cases, whose signatures satisfy Ed25519's equation exactly or only times 8.

    With `order_8` a point of order 8 is added to the key. Its signatures are then valid with
    `exact`; without it, only the equation multiplied by 8 holds.
    """

    def __init__(self, name, order_8=False, exact=True):
        self.draw = expand(bytes(32), "odd key", name.encode())
        self.a = int.from_bytes(self.draw(32), "big") % edwards.L
        point = edwards.mul(self.a, edwards.BASE)
        if order_8:
            point = edwards.add(point, edwards.with_y(edwards.ORDER_8, 0))
        self.public_bytes, self.exact = edwards.encode(point), exact

    def sign(self, domain, data):
        """Return a signature of the kind that `exact` asks for; try nonces until there is one."""
        framed = domain.encode() + b"\0" + data
        while True:
            r = int.from_bytes(self.draw(32), "big") % edwards.L
            R = edwards.encode(edwards.mul(r, edwards.BASE))
            k = edwards.challenge(R, self.public_bytes, framed)
            if (k % 8 == 0) == self.exact:
                return R + edwards.answer(r, k, self.a)


class Neutral:
    """An ordinary key that signs with the neutral point O as R, in the given encoding."""

    def __init__(self, seed, R):
        self.public_bytes, self.R = make_signing_key(seed).public_bytes, R
        self.a = _secret_scalar(seed)

    def sign(self, domain, data):
        """Return a signature made with nonce 0, which reveals the key."""
        k = edwards.challenge(self.R, self.public_bytes, domain.encode() + b"\0" + data)
        return self.R + edwards.answer(0, k, self.a)


O_AS_IT_IS = edwards.encode(edwards.NEUTRAL)
O_PLUS_P = (edwards.P + 1).to_bytes(32, "little")
O_WITH_SIGN = (1 | 1 << 255).to_bytes(32, "little")


def _odd_people(neutral, *names):
    """Return signers whose keys or signatures are edge cases of 5.2, by what is odd about them."""
    exact, cofactored = names
    return {
        "a key with a part of order 8": OddKey(exact, order_8=True),
        "the same, where the signature fits only when multiplied by 8":
            OddKey(cofactored, order_8=True, exact=False),
        "R is O": Neutral(neutral, O_AS_IT_IS),
        "R is O, with y + p": Neutral(neutral, O_PLUS_P),
        "R is O, with the sign of x": Neutral(neutral, O_WITH_SIGN),
        "a key of small order": Nobody(edwards.encode(edwards.with_y(edwards.ORDER_8, 0))),
        "a key with y + p": Nobody((edwards.P + 3).to_bytes(32, "little")),
    }  # fmt: skip


def _keys_and_signatures(log):
    neutral = bytes([1]) * 32
    people = _odd_people(neutral, "exact", "cofactored")
    good = log.request(make_signing_key(neutral))
    more = wire.Admit(good.request, edwards.plus_order(good.signature))
    asked = {name: log.request(person) for name, person in people.items()}
    return asked | {"S plus the order": more}


class Nobody:
    """A public key whose secret nobody knows.

    If it has small order, a signature with S = 0 and an R of small order often satisfies the
    equation.
    """

    def __init__(self, public):
        self.public_bytes = public

    def sign(self, domain, data):
        """Return the first of eight signatures made without a secret that satisfies the equation.

        If none does, return the first.
        """
        framed, T = domain.encode() + b"\0" + data, edwards.with_y(edwards.ORDER_8, 0)
        shown = [edwards.encode(edwards.mul(j, T)) for j in range(8)]
        fits = (
            R for j, R in enumerate(shown)
            if (j + edwards.challenge(R, self.public_bytes, framed)) % 8 == 0
        )  # fmt: skip
        return next(fits, shown[0]) + bytes(32)


def _hosts():
    """Yield most edge cases of keys and signatures again, for the host's entry in step 0."""
    hosts = _odd_people(bytes([2]) * 32, "host", "other host")
    for name in ("R is O, with the sign of x", "a key with y + p"):
        del hosts[name]
    opened = {name: ByHand(name, host=host).open() for name, host in hosts.items()}
    yield from cases((), opened, "an entry: ")


def _octets():
    """Yield bodies that are not in canonical encoding, and some that only seem not to be."""
    log = ByHand("octets", _offer(seats=14)).sit(*ByHand("octets").people[:1])
    lay = ["lay", 4, [9, 4], -1, -1, bytes(33), bytes(98)]
    good = [log.state.log_id, log.state.step, log.state.head, 255, 0, lay]
    plain = msgpack.packb(good, use_bin_type=True)
    assert plain == encode(log.body(255, wire.Lay(4, (9, 4), -1, -1, bytes(33), bytes(98))))

    def offers(preset):
        """Return a body that opens a table with a preset of this name."""
        settings = list(astuple(_offer(seats=14)))
        return _packed(good, last=["open-table", bytes(32), bytes(32), [preset, *settings[1:]]])

    named = offers("quiet")
    head = plain.index(b"\xc4\x40", 3)
    step = head - 1
    bodies = {
        "as it should be (and of a kind that is not due)": plain,
        "the array with a length of two octets": b"\xdc\x00\x06" + plain[1:],
        "a map": b"\x83" + plain[1:],
        "octets with a length of two octets": plain[:1] + b"\xc5\x00\x40" + plain[3:],
        "the step as an unsigned octet": plain[:step] + b"\xcc" + plain[step:],
        "the step as a signed octet": plain[:step] + b"\xd0" + plain[step:],
        "the step in eight octets": plain[:step] + b"\xcf" + bytes(7) + plain[step:],
        "the step as a float": plain[:step] + b"\xca\x40\x00\x00\x00" + plain[head:],
        "the step 2^53 + 1": plain[:step] + b"\xcf\x00\x20" + bytes(5) + b"\x01" + plain[head:],
        "the step 2^64 - 1": plain[:step] + b"\xcf" + b"\xff" * 8 + plain[head:],
        "the step 200000": _packed(good, step=200_000),
        "the step 200001": _packed(good, step=200_001),
        "the poll 2^32 - 1": _packed(good, poll=2**32 - 1),
        "the poll 2^32": _packed(good, poll=2**32),
        "the poll false": _packed(good, poll=False),
        "no poll": _packed(good, poll=None),
        "-1 in two octets": plain.replace(b"\x09\x04\xff", b"\x09\x04\xd0\xff"),
        "a tag with a length of one octet": plain.replace(b"\xa3lay", b"\xd9\x03lay"),
        "a tag of octets": plain.replace(b"\xa3lay", b"\xc4\x03lay"),
        "a word": named,
        "a word with a length of one octet": named.replace(b"\xa5quiet", b"\xd9\x05quiet"),
        "a word of octets": named.replace(b"\xa5quiet", b"\xc4\x05quiet"),
        "a word of 32 characters of two UTF-16 units each": offers("\U0001f9e6" * 32),
        "a word of 33 characters": offers("a" * 33),
        "a word with a byte order mark in front": offers("\ufeffquiet"),
        "a word with a surrogate": named.replace(b"\xa5quiet", b"\xa5qu\xed\xa0\x80"),
        "text for octets": _packed(good, proof=""),
        "an extension": _packed(good, proof=msgpack.ExtType(1, b"")),
        "a field more": _packed([*good, 0]),
        "a field less": _packed(good[:-1]),
        "a payload with a field more": _packed(good, last=[*lay, b""]),
        "a tag that is none": _packed(good, last=["no-such"]),
    }
    signed = {
        name: wire.SignedEntry(body, log.host.sign(ENTRY_DOMAIN, body))
        for name, body in bodies.items()
    }
    yield from cases(log.signed, signed, "octets: ")


def _packed(good, last=None, **changes):
    """Return the octets of `good` with the named fields of the body or of its lay changed.

    `last` replaces the whole payload.
    """
    places = {"id": 0, "step": 1, "prev": 2, "seat": 3, "poll": 4}
    said = {"position": 1, "tile": 2, "train": 3, "on": 4, "token": 5, "proof": 6}
    body = [*good[:5], *([list(good[5])] if len(good) > 5 else []), *good[6:]]
    for name, value in changes.items():
        if name in places:
            body[places[name]] = value
        else:
            body[5][said[name]] = value
    if last is not None:
        body[5] = last
    return msgpack.packb(body, use_bin_type=True)


# ---- the end of a round -----------------------------------------------------------------------


def _empty_hand(octets):
    """Yield openings of an empty hand, which has no tokens and no proof (7.10).

    Then yield openings of a hand that holds tiles.
    """
    log = ByHand.following(octets, bytes([1]) * 32, _holds_nothing)
    state = log.state
    out = next(seat for seat in state.present if not state.table.hands[seat])
    held = [len(state.table.hands[seat]) for seat in state.present]
    opened = {
        "nothing, as it should be": wire.Open((), b"", b""),
        "a proof": wire.Open((), b"", bytes(98)),
        "a token": wire.Open((), bytes(33), b""),
        "a tile": wire.Open(((0, 0),), b"", b""),
    }
    yield from cases(log.signed, log.entries(out, opened), "an empty hand opened: ")
    other = next(seat for seat in state.present if held[seat])
    good = log.written(other)
    none = (18, 18)
    opened = {
        "as it should be": good,
        "each tile named from its other half": _with_tiles(good, [t[::-1] for t in good.tiles]),
        "a tile that the set does not have": _with_tiles(good, [none, *good.tiles[1:]]),
        "a tile too few": _with_tiles(good, good.tiles[1:]),
        "nothing": wire.Open((), b"", b""),
    }
    yield from cases(log.signed, log.entries(other, opened), "a hand opened: ")


def _holds_nothing(state, _entry):
    hands = state.table.hands if state.phase is Phase.OPEN else ()
    return any(hands) and not all(hands)


def _with_tiles(opened, tiles):
    return wire.Open(tuple(map(tuple, tiles)), opened.tokens, opened.proof)


def _keys(octets):
    """Yield secrets shown for the audit: a non-scalar fails check 7.10, and 0 fails check 7.12."""
    log = ByHand.following(octets, bytes([8]) * 32, lambda state, _: state.phase is Phase.AUDIT)
    shown = {
        "as it should be": log.written(0),
        "another secret": wire.Keys(bytes(31) + b"\1"),
        "a secret that is no scalar": wire.Keys(b"\xff" * 32),
        "the secret 0": wire.Keys(bytes(32)),
    }
    yield from cases(log.signed, log.entries(0, shown), "keys laid open: ")


def _latecomers(octets):
    """Yield scores with latecomers, each of whom must be encoded as an `admit` with its tag."""
    log = ByHand.following(octets, bytes([8]) * 32, lambda state, _: state.phase is Phase.SCORE)
    chair = log.state.chair
    body = msgpack.unpackb(encode(log.body(chair, log.written(chair))))
    tag, scores, ((word, request, signature),), named = body[-1]
    admit = [word, request, signature]
    for name, latecomers in {
        "as it should be": [admit],
        "no tag": [admit[1:]],
        "another tag": [["join-ask", *admit[1:]]],
        "the request unpacked": [[word, msgpack.unpackb(request), signature]],
        "a field more": [[*admit, 0]],
        "one more than sit beside the chair": [admit] * (LATECOMERS_MAX + 1),
        "one twice": [admit] * 2,
    }.items():
        octets_ = msgpack.packb([*body[:-1], [tag, scores, latecomers, named]], use_bin_type=True)
        signed = wire.SignedEntry(octets_, log.signer(chair).sign(ENTRY_DOMAIN, octets_))
        yield case(f"latecomers in the scores: {name}", log.signed, [signed])


def _named(octets):
    """Yield scores that name seats for a vote: only guests that are present may be named."""
    log = ByHand.following(
        octets, bytes([27]) * 32, lambda state, _: state.phase is Phase.SCORE and bool(state.guests)
    )
    (guest,) = log.state.guests
    voter = next(seat for seat in log.state.present if seat != guest)
    for name, (seat, named) in {
        "nobody": (voter, 0),
        "a guest, by a voter": (voter, bit(guest)),
        "a guest, by itself": (guest, bit(guest)),
        "its own seat, which votes": (voter, bit(voter)),
        "a guest and a seat that votes": (voter, bit(voter) | bit(guest)),
        "a seat that nobody has": (voter, bit(len(log.state.seats))),
        "the highest seat of all": (voter, bit(31)),
    }.items():
        said = replace(log.written(seat), named=named)
        signed = log.entry(seat, said)
        yield case(f"named for a vote: {name}", log.signed, [signed])


def _guests_in_polls(octets):
    """Yield statements of guests: they may sign only partings, and none before their first coin."""
    seed = bytes([27]) * 32
    log = ByHand.following(octets, seed, lambda state, _: bool(state.newcomers))
    (guest,) = log.state.guests
    yield case("a newcomer parts", log.signed, [log.parting(guest)])
    log = ByHand.following(
        octets, seed, lambda state, _: state.phase is Phase.PLAY and bool(state.guests)
    )
    (guest,) = log.state.guests
    voters = tuple(seat for seat in log.state.present if seat != guest)
    parting, promised = log.parting(guest), log.promise(guest, (1, voters[0]))
    gone = log.decided(bit(guest), voters=voters, partings=[parting])
    too_few = log.decided(bit(guest), voters=voters[:1], partings=[parting])
    offered = {
        "parts": parting,
        "parts, and goes with what those who vote decide": [parting, *gone],
        "parts, which is no vote": [parting, *too_few],
        "promises": promised,
        "opens a ballot": log.promise(guest, (1, guest)),
        "parts twice": [parting, log.parting(guest, last=log.state.step)],
    }
    yield from cases(log.signed, offered, "a guest ")


FOLLOWED = ("two-seats", "came-late", "named-by-half")
"""Good logs that cases follow."""


def edges(good):
    """Return all cases of this module and of `edge_polls`; `good` maps names to good records."""
    return [
        *_offers(),
        *_lobby(),
        *_stages(),
        *_equal_keys(),
        *_bad_links(),
        *_requests(),
        *_hosts(),
        *_octets(),
        *_empty_hand(good["two-seats"]),
        *_keys(good["came-late"]),
        *_latecomers(good["came-late"]),
        *_named(good["named-by-half"]),
        *_guests_in_polls(good["named-by-half"]),
        *edges_of_polls(),
    ]
