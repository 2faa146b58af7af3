"""What a seat keeps secret: all from one table secret, and no two uses share a thing."""

from itertools import combinations

from netgame.protocol.peer.secrets.keyring import Keyring
from tests.netgame.crypto.table import CTX, OTHER_CTX

SECRET, OTHER_SECRET = bytes(32), b"\x01" * 32
MINE = Keyring(SECRET)


def test_an_opening_has_secret_and_box_key_of_its_own_place() -> None:
    """Other octets for another context or content: a key that seals twice shows both openings."""
    drawn = [
        make(context, said)
        for keyring in (MINE, Keyring(OTHER_SECRET))
        for context in (CTX, OTHER_CTX)
        for said in (b"one", b"other")
        for make in (keyring.opening_secret, keyring.box_key)
    ]
    assert all(len(each) == 32 for each in drawn)
    assert all(one != other for one, other in combinations(drawn, 2))


def test_a_restart_finds_the_same_secrets() -> None:
    """Nothing is stored: the same secret and place give the same octets."""
    again = Keyring(SECRET)
    assert again.opening_secret(CTX, b"one") == MINE.opening_secret(CTX, b"one")
    assert again.box_key(CTX, b"one") == MINE.box_key(CTX, b"one")
