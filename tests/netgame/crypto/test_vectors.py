"""The code reproduces and accepts the published vectors that are valid, and refuses the rest."""

from collections import Counter

import pytest

from netgame.crypto import (
    audit,
    blanks,
    coin,
    group,
    keys,
    masking,
    rebuild,
    shuffle,
    signing,
    transcript,
)
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.limits import PROTOCOL_VERSION
from tests.netgame.crypto.proved import PROOFS, Case, encoded, numbers, octets, pairs, read
from tests.vectors import regenerate

MALFORMED = ("length", "point", "scalar")
"""Classes of refused vectors whose octets do not decode; the others decode, but fail a check."""


def cases(name):
    """Return the vectors of a file as pytest parameters.

    Each is a vector with the class of its refusal, or with None if it is to be accepted.
    """
    vectors = read(name)
    good = {case["name"]: Case(case) for case in vectors["accepted"]}
    params = [pytest.param(case, None, id=f"{name}: {case['name']}") for case in good.values()]
    for case in vectors["refused"]:
        whole = Case(good[case["like"]] | case["change"])
        params.append(pytest.param(whole, case["class"], id=f"{name}: not {case['name']}"))
    return params


def test_files_are_what_the_generator_writes():
    """The vector files are exactly what the generator writes."""
    for name, content in regenerate.documents().items():
        assert (regenerate.FOLDER / name).read_text(encoding="ascii") == content, name


def test_generators():
    """There are 381 fixed points, and each is derived as the vectors say."""
    points = read("generators")["points"]
    assert len(points) == 381
    assert all(group.hash_to_group(label).hex() == point for label, point in points.items())
    h, h_i = shuffle.generators(190)
    assert h.hex() == points["shuffle/h"]
    assert [point.hex() for point in h_i] == [points[f"shuffle/h/{i}"] for i in range(1, 191)]
    assert masking.tile_point((3, 5)).hex() == points["tile/3-5"]


def part(value):
    """Return the value to hash for a part of a hashing vector, which may be a nested list."""
    if isinstance(value, dict):
        return octets(value["octets"])
    return [part(member) for member in value] if isinstance(value, list) else value


def test_hashing():
    """Digests of every kind of part, a context and an expanded seed match the vectors."""
    vectors = read("hashing")
    for case in vectors["digests"]:
        assert transcript.digest(case["tag"], *map(part, case["parts"])).hex() == case["digest"]
    at = Case(vectors["context"])
    ctx = transcript.context(at.sid, at["round"], at["phase"], at["seat"], at["step"], at.head)
    assert ctx.hex() == at["ctx"]
    stream = Case(vectors["expansion"])
    whole = stream.octets
    draw = expand(stream.seed, stream["label"], *map(part, stream["parts"]))
    assert draw(len(whole)) == whole


def test_coin():
    """Table id, commitments, session, seats and first player match the vectors."""
    v = read("coin")
    assert v["version"] == PROTOCOL_VERSION
    tid = coin.table_id(v.host_key, v.nonce)
    assert tid.hex() == v["table_id"]
    roster, rs = v.roster, v.secrets
    made = [coin.coin_commitment(tid, key, r).hex() for key, r in zip(roster, rs, strict=True)]
    assert made == v["commitments"]
    sid = coin.session_id(tid, v["version"], v.rules_hash, roster, v.commit_step_digest, rs)
    assert sid.hex() == v["session_id"]
    assert coin.seat_order(sid, roster) == v.seats
    assert coin.first_seat(sid, len(roster)) == v["first_seat"]


@pytest.mark.parametrize("kind", ["points", "scalars"])
def test_points_and_scalars(kind):
    """The accepted points and scalars of the vectors decode, and the refused ones do not."""
    counts = (1, 0) if kind == "points" else (0, 1)
    for good in octets(read("points")[kind]["accepted"]):
        group.decode(good, kind, *counts)
    for case in read("points")[f"{kind}_refused"]:
        with pytest.raises(Malformed):
            group.decode(octets(case["octets"]), kind, *counts)


@pytest.mark.parametrize(
    ("name", "v", "why"),
    [pytest.param(name, *each.values, id=each.id) for name in PROOFS for each in cases(name)],
)
def test_proofs(name, v, why):
    """A proof made from an accepted vector's entropy equals the vector's, and verifies.

    A refused proof does not decode, or does not verify, according to its class.
    """
    way = PROOFS[name]
    assert way.is_claim is None or way.is_claim(v) == (why != "shape")
    if why is None:
        assert encoded(way.make(v)) == v.octets
    if why in MALFORMED:
        with pytest.raises(Malformed):
            way.decode(v, v.octets)
    else:
        assert way.verify(v, way.decode(v, v.octets)) == (why is None)


@pytest.mark.parametrize("v", [v for v in read("moving")["accepted"] if "open_tiles" in v])
def test_mixed_decks(v):
    """Undrawn, open and handed-over tiles make the vector's mixed deck.

    The order in which the open tiles are given does not matter.
    """
    v = Case(v)
    assert masking.mixed_deck(v.undrawn, pairs(v["open_tiles"])[::-1], v.handed) == v.deck


def test_joint_keys():
    """Joint keys match the vectors; sets of keys that have no joint key give None."""
    for case in read("keys")["joint"]:
        assert keys.joint_key(octets(case["keys"])) == octets(case["joint"])


def test_rebuilt_deck():
    """The rebuilt deck opens to each tile that nobody holds, and to a blank for each held tile."""
    v = read("rebuild")
    tiles, xs = pairs(v["accepted"][0]["tiles"]), [int(case["x"], 16) for case in v["accepted"]]
    deck = rebuild.rebuilt_deck(tiles, [octets(case["entries"]) for case in v["accepted"]])
    assert deck == v.rebuilt
    points = audit.open_points(deck, xs)
    assert points == v.points
    held = [tuple(tile) for case in v["accepted"] for tile in case["held"]]
    assert points == tuple(None if t in held else masking.tile_point(t) for t in tiles)


def test_blanks():
    """The vector's blinded deck and tokens lead to the positions of the blanks.

    With a wrong number of held tiles, or without all tokens, no blanks are found. No blinded
    position shows its tile.
    """
    v = read("leave")
    blinded = blanks.blinded_deck([octets(case["entries"]) for case in v["accepted"]])
    assert blinded == v.blinded
    tokens = [[masking.reveal_token(x, m.A) for m in blinded] for x in numbers(v["keys"])]
    assert tuple(map(tuple, tokens)) == v.tokens
    for held in range(5):
        found = blanks.find_blanks(blinded, tokens, held)
        assert found == (tuple(v["blanks"]) if held == v["held"] else None)
    assert blanks.find_blanks(blinded, tokens[:1], v["held"]) is None
    named = masking.tile_points(pairs(read("rebuild")["accepted"][0]["tiles"]))
    assert not named.keys() & set(v.left), "no tile shows"


@pytest.mark.parametrize(("v", "why"), cases("audit"))
def test_audits(v, why):
    """The audit accepts good keys, and finds the fault of each refused vector."""
    xs, named = numbers(v["x"]), masking.tile_points(pairs(v["tiles"]))
    points = audit.open_points(v.deck, xs)
    if why is None:
        assert points == v.points
        assert list(map(named.get, points)) == [tile and tuple(tile) for tile in v["opened"]]
    assert all(map(audit.reveals_key, xs, v.Xs)) == (why != "key")
    is_whole = Counter(points) == Counter([*named, *[None] * v["blanks"]])
    assert why == "key" or is_whole == (why != "tiles")


def test_deal():
    """The deal leads from the round keys to the vector's decks, tokens, points and tiles."""
    v = read("deal")
    xs, tiles = numbers(v["x"]), pairs(v["tiles"])
    X = keys.joint_key([group.require_point(group.mul_base(x)) for x in xs])
    assert v.X == X
    deck, named = masking.initial_deck(tiles), masking.tile_points(tiles)
    assert deck == octets(v["decks"][0])
    for k, step in enumerate(v["shuffles"]):
        secret = shuffle.ShuffleSecret(tuple(step["psi"]), numbers(step["r_prime"]))
        deck = shuffle.shuffle(deck, X, secret)
        assert deck == octets(v["decks"][k + 1])
        assert masking.deck_digest(deck).hex() == v["deck_digests"][k + 1]
    for masked, position in zip(deck, v["positions"], strict=True):
        tokens = tuple(masking.reveal_token(x, masked.A) for x in xs)
        assert tokens == octets(position["tokens"])
        drawer = position["drawer"]
        left = masking.residual(masked, [tokens[1 - drawer]])
        assert left == octets(position["residual"])
        point = masking.unmask(left, tokens[drawer])
        assert point == octets(position["point"])
        assert named[point] == tuple(position["tile"])


@pytest.mark.parametrize(("v", "why"), cases("signing"))
def test_signatures(v, why):
    """Accepted vectors are signed and verified as stated.

    Vectors with a wrong signature or a weak key are refused.
    """
    if why is None and "seed" in v:
        key = signing.make_signing_key(v.seed)
        assert key.public_bytes.hex() == v["public"]
        assert key.sign(v["domain"], v.data).hex() == v["signature"]
    accepted = signing.verify_signature(v.public, v["domain"], v.data, v.signature)
    assert accepted == (why is None)
