"""The shuffle: a deck comes out as it went in, in an order nobody but the shuffler knows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto import group
from netgame.crypto import shuffle as sh
from netgame.crypto.group import Q, add, mul, mul_base, neg
from netgame.crypto.masking import Masked, deck_digest, initial_deck, tile_point
from netgame.crypto.shuffle import ShuffleLink, make_shuffle_secret, prove_shuffle, verify_shuffles
from netgame.crypto.transcript import expand
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import CTX, OTHER_CTX, SEED, dealt, fixed, flips, full_set

TABLE = dealt()
X, LINKS = TABLE.X, TABLE.links
TILES = full_set(3)


def tiny(n=3, label="tiny"):
    """Give a link over the first n tiles, second in its chain, so that nothing in it is O."""
    deck = TABLE.links[0].shuffled[:n]
    secret = make_shuffle_secret(n, fixed(label, n))
    after = sh.shuffle(deck, X, secret)
    return ShuffleLink(CTX, deck, after, prove_shuffle(CTX, X, deck, after, secret, fixed("w", n)))


def holds(link, X=X):
    """Whether the one link is accepted."""
    return verify_shuffles(X, [link], fixed("batch")) == ()


def lying(deck, after, secret, ctx=CTX):
    """Give a link in which `after` is not what `secret` makes of `deck`, proved as if it were."""
    return ShuffleLink(ctx, deck, after, prove_shuffle(ctx, X, deck, after, secret, fixed("lie")))


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_an_honest_shuffle_is_accepted(n):
    """From one tile on, sent and received; the plain equations of the oracle agree."""
    link = tiny(n)
    octets = group.encode(link.proof)
    assert len(octets) == 163 * n + 293
    assert sh.decode_shuffle_proof(octets, n) == link.proof
    assert holds(link)
    assert oracle.shuffle_holds(CTX, X, link.deck, link.shuffled, link.proof._asdict())


def test_the_batch_must_agree_with_the_plain_equations():
    """Whatever field is changed, batch and oracle give the same answer."""
    link = tiny()
    for name in link.proof._fields:
        members = list(getattr(link.proof, name))
        other = neg(members[0]) if isinstance(members[0], bytes) else (members[0] + 1) % Q
        proof = link.proof._replace(**{name: (other, *members[1:])})
        assert not holds(replace(link, proof=proof))
        assert not oracle.shuffle_holds(CTX, X, link.deck, link.shuffled, proof._asdict())


def test_a_chain_is_checked_in_one_go():
    """Three seats' links from the open deck on: all hold."""
    assert verify_shuffles(X, LINKS, fixed("batch")) == ()
    assert verify_shuffles(X, [], fixed("batch")) == ()
    assert all(holds(link) for link in LINKS)


def test_any_flipped_octet_of_a_proof_is_refused():
    """Every octet of a proof over two tiles, a different bit each time."""
    link = tiny(2)
    for bad in flips(group.encode(link.proof)):
        try:
            proof = sh.decode_shuffle_proof(bad, 2)
        except Malformed:
            continue
        assert not holds(replace(link, proof=proof))


def test_every_part_of_the_statement_counts():
    """Other context, key, input or output: refused."""
    link = tiny()
    assert not holds(link, X=TABLE.Xs[0])
    assert not holds(link, X=neg(X))
    assert not any(holds(replace(link, ctx=bad)) for bad in flips(CTX, 8))
    first, *rest = link.deck
    assert not holds(replace(link, deck=(Masked(neg(first.A), first.B), *rest)))
    assert not holds(replace(link, deck=(Masked(first.A, neg(first.B)), *rest)))
    first, *rest = link.shuffled
    assert not holds(replace(link, shuffled=(Masked(neg(first.A), first.B), *rest)))
    assert not holds(replace(link, shuffled=(Masked(first.A, neg(first.B)), *rest)))
    assert not holds(replace(link, deck=link.deck[::-1]))
    assert not holds(replace(link, shuffled=link.shuffled[::-1]))


def test_replayed_proof_in_another_step_is_refused():
    """The same decks at another place in the log need another proof."""
    assert not holds(replace(tiny(), ctx=OTHER_CTX))


def test_duplicated_tile_is_refused():
    """A shuffler who deals one tile twice and drops another has no proof."""
    deck = LINKS[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("double"))
    after = list(sh.shuffle(deck, X, secret))
    copied = deck[secret.permutation[0]]
    after[1] = Masked(
        add(copied.A, mul_base(secret.randomness[1])), add(copied.B, mul(secret.randomness[1], X))
    )
    assert not holds(lying(deck, tuple(after), secret))
    twice = replace(secret, permutation=(secret.permutation[0], *secret.permutation[:-1]))
    honest_looking = sh.shuffle(deck, X, twice)
    assert not holds(lying(deck, honest_looking, twice))


def test_replaced_tile_is_refused():
    """A shuffler who slips in a tile of their own has no proof."""
    deck = LINKS[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("slip"))
    after = sh.shuffle(deck, X, secret)
    slipped = Masked(after[0].A, add(after[0].B, mul_base(1)))
    assert not holds(lying(deck, (slipped, *after[1:]), secret))


def test_trading_parts_between_tiles_is_refused():
    """Adding to one tile what is taken from another keeps the deck's sum, not the proof."""
    deck = LINKS[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("trade"))
    after = sh.shuffle(deck, X, secret)
    first = Masked(after[0].A, add(after[0].B, mul_base(3)))
    second = Masked(after[1].A, add(after[1].B, mul_base(Q - 3)))
    assert not holds(lying(deck, (first, second, *after[2:]), secret))


def test_linear_mix_of_tiles_is_refused():
    """An output that is twice one input less another is no permutation."""
    deck = LINKS[0].shuffled[:2]
    secret = make_shuffle_secret(2, fixed("mix"))
    mixed = tuple(
        Masked(add(mul(2, a.A), neg(b.A)), add(mul(2, a.B), neg(b.B)))
        for a, b in (deck, deck[::-1])
    )
    after = sh.shuffle(mixed, X, secret)
    assert not holds(lying(deck, after, secret))


def test_a_shuffle_under_another_key_is_refused():
    """Masking with a key of which the shuffler knows the secret would open the deck later."""
    deck = LINKS[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("key"))
    after = sh.shuffle(deck, TABLE.Xs[2], secret)
    assert not holds(lying(deck, after, secret))


def test_a_batch_names_the_culprits_and_no_others():
    """Of five links the second and the last are bad."""
    good, bad = tiny(), replace(tiny(), ctx=OTHER_CTX)
    assert verify_shuffles(X, [good, bad, good, good, bad], fixed("batch")) == (1, 4)
    stub = replace(good, shuffled=good.shuffled[:-1])
    assert verify_shuffles(X, [stub, good, bad], fixed("batch")) == (0, 2)


def test_links_whose_errors_cancel_are_still_refused():
    """Equal and opposite errors in two links would pass with equal factors."""
    link = tiny()
    for field, at in (("s", 0), ("s", 3), ("s_hat", 1), ("s_prime", 2)):
        for one, other in ((1, -1), (5, Q - 5)):
            pair = []
            for off in (one, other):
                members = list(getattr(link.proof, field))
                members[at] = (members[at] + off) % Q
                pair.append(replace(link, proof=link.proof._replace(**{field: tuple(members)})))
            assert verify_shuffles(X, pair, fixed("batch")) == (0, 1)


def test_lists_of_other_lengths_are_refused():
    """Every list of the proof has one member a tile, and the deck keeps its size."""
    link = tiny()
    for name in link.proof._fields:
        members = getattr(link.proof, name)
        for cut in (members[:-1], (*members, members[0]), ()):
            assert not holds(replace(link, proof=link.proof._replace(**{name: cut})))
    assert not holds(replace(link, deck=link.deck[:-1]))
    assert not holds(replace(link, shuffled=(*link.shuffled, link.shuffled[0])))
    assert not holds(replace(link, deck=(), shuffled=()))
    nothing = sh.ShuffleProof((), (), (), link.proof.t, link.proof.s, (), ())
    assert not holds(replace(link, deck=(), shuffled=(), proof=nothing))


def test_infinity_is_refused_everywhere_but_in_the_first_deck():
    """O in an output or a proof is refused although it would decode nowhere."""
    link = tiny()
    hole = (Masked(None, link.shuffled[0].B), *link.shuffled[1:])
    assert not holds(replace(link, shuffled=hole))
    for name in ("c", "c_hat", "t_hat", "t"):
        members = (None, *getattr(link.proof, name)[1:])
        assert not holds(replace(link, proof=link.proof._replace(**{name: members})))


def test_unmasking_a_tile_by_shuffling_is_refused():
    """Who knows a tile's randomness could take it off and lay the tile open, (O, M): refused."""
    deck = (Masked(mul_base(5), add(mul(5, X), tile_point((1, 2)))),)
    secret = sh.ShuffleSecret((0,), (Q - 5,))
    after = (Masked(None, tile_point((1, 2))),)
    link = lying(deck, after, secret)
    assert oracle.shuffle_holds(CTX, X, deck, after, link.proof._asdict())
    assert not holds(link)


def test_more_tiles_than_the_largest_set_are_refused():
    """190 tiles are a double-eighteen; there are no generators for more."""
    link = tiny()
    assert not holds(replace(link, deck=link.deck * 64, shuffled=link.shuffled * 64))
    with pytest.raises(LocalMisuse):
        sh.shuffle(link.deck * 64, X, make_shuffle_secret(192, fixed("many")))


def test_a_link_of_the_largest_set_has_the_right_shape():
    """190 tiles are no more than there may be, and none are too few."""
    proof = LINKS[0].proof
    one = {name: getattr(proof, name)[:1] for name in ("c", "c_hat", "t_hat", "s_hat", "s_prime")}
    for count, right in ((0, False), (1, True), (190, True), (191, False)):
        parts = {name: value * count for name, value in one.items()}
        deck = LINKS[0].shuffled[:1] * count
        link = replace(LINKS[0], deck=deck, shuffled=deck, proof=proof._replace(**parts))
        assert sh._is_shaped(link) is right


def test_an_open_tile_may_come_back_into_a_deck():
    """A deck of masked tiles and some that all have seen, (O, M), is shuffled like any other."""
    deck = (*LINKS[0].shuffled[:2], *initial_deck(((1, 1), (2, 3))))
    secret = make_shuffle_secret(4, fixed("back"))
    after = sh.shuffle(deck, X, secret)
    assert holds(lying(deck, after, secret))


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_a_shuffle_is_a_permutation_of_the_deck(seed):
    """Every place is taken once, whatever the entropy, as the plain Fisher-Yates takes it."""
    secret = make_shuffle_secret(20, expand(seed, "psi"))
    draw = oracle.expand(seed, "psi")
    assert sorted(secret.permutation) == list(range(20))
    assert list(secret.permutation) == oracle.permutation(20, draw)
    assert list(secret.randomness) == [oracle.scalar(draw) for _ in range(20)]


def test_every_order_of_three_tiles_comes_about_as_often():
    """Draws are rejected, not reduced: no order is favoured."""
    stream = expand(SEED, "fair")
    orders = [make_shuffle_secret(3, stream).permutation for _ in range(1200)]
    assert len(set(orders)) == 6
    assert all(150 < orders.count(order) < 250 for order in set(orders))


def test_draws_that_would_favour_small_numbers_are_thrown_away():
    """2^32 is no multiple of 3: the one draw above the last multiple is skipped."""
    stream = iter([b"\xff\xff\xff\xff", b"\x00\x00\x00\x05"])
    assert sh._below(3, lambda _: next(stream)) == 2


def test_another_input_deck_gets_another_permutation():
    """One seed, bound to context and input: a second deck never meets the first one's secret."""

    def derived(deck, ctx):
        return make_shuffle_secret(len(deck), expand(SEED, "shuffle", ctx, deck_digest(deck)))

    first, second = LINKS[0].deck, LINKS[1].deck
    assert derived(first, CTX) == derived(first, CTX)
    assert derived(first, CTX).randomness != derived(second, CTX).randomness
    assert derived(first, CTX).randomness != derived(first, OTHER_CTX).randomness


def test_one_secret_for_two_decks_would_print_the_permutation():
    """Why the binding above matters: the difference of both results gives every place away."""
    secret = make_shuffle_secret(3, fixed("reuse"))
    first, second = LINKS[0].shuffled[:3], LINKS[1].shuffled[:3]
    for at, (a, b) in zip(
        secret.permutation,
        zip(sh.shuffle(first, X, secret), sh.shuffle(second, X, secret), strict=True),
        strict=True,
    ):
        assert add(a.A, neg(b.A)) == add(first[at].A, neg(second[at].A))


def test_a_second_proof_uses_other_nonces():
    """Even with entropy that repeats, two statements share no first message."""
    deck = LINKS[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("nonce"))
    after = sh.shuffle(deck, X, secret)
    one, two = (
        prove_shuffle(ctx, X, deck, after, secret, lambda n: bytes(n)) for ctx in (CTX, OTHER_CTX)
    )
    assert not set(one.t) & set(two.t)
    assert not set(one.c) & set(two.c)


def test_secrets_do_not_print():
    """Neither permutation nor randomness is in the text of a secret."""
    assert repr(make_shuffle_secret(3, fixed("repr"))) == "ShuffleSecret()"


@pytest.mark.parametrize("n", [0, 1, 3])
def test_octets_of_another_length_are_malformed(n):
    """163 N + 293 octets, no others, and no proof for no tiles."""
    octets = group.encode(tiny(2).proof)
    with pytest.raises(Malformed):
        sh.decode_shuffle_proof(octets, n)
    with pytest.raises(Malformed):
        sh.decode_shuffle_proof(octets + b"\x00", 2)
    with pytest.raises(Malformed):
        sh.decode_shuffle_proof(bytes(293), 0)


def test_a_secret_for_another_size_is_a_bug():
    """Our own code shuffles as many tiles as the secret is for."""
    with pytest.raises(LocalMisuse):
        sh.shuffle(LINKS[0].deck, X, make_shuffle_secret(3, fixed("size")))
    assert len(TILES) == 10
