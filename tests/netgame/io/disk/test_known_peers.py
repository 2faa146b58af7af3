"""A peer's key is noted when it is first met, and a changed key gives a warning."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.errors import DiskTrouble
from netgame.io.disk import known_peers
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import read_kept

KEY, OTHER = b"k" * 32, b"o" * 32
HOST, ELSEWHERE = "192.168.1.4:4747", "10.0.0.1:4747"


def test_first_meeting_is_remembered(tmp_path):
    """A new key is noted without a warning; meeting it again changes only `last_seen`."""
    peers = KnownPeers(tmp_path / "data")
    assert peers.meet("Ann", HOST, KEY, today="2026-01-01") is None
    assert peers.meet("Ann", HOST, KEY, today="2026-02-01") is None
    (peer,) = peers.read()
    assert (peer.first_seen, peer.last_seen) == ("2026-01-01", "2026-02-01")
    assert peer.key == KEY.hex()


def test_changed_key_is_a_warning_and_is_never_stored(tmp_path):
    """A changed key gives a warning each time, and the file keeps the known key."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY)
    for _ in range(2):
        warning = peers.meet("Ann", HOST, OTHER)
        assert "WARNING" in str(warning)
        assert str(peers.path) in str(warning)
    assert [peer.key for peer in peers.read()] == [KEY.hex()]


def test_a_file_that_another_program_sets_aside_meanwhile_names_nobody(tmp_path, monkeypatch):
    """A file that has gone by the time it is opened names nobody, and is not an error."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY)

    def set_aside_first(path, octets_max):
        path.rename(tmp_path / "known-peers.broken-1.toml")
        return read_kept(path, octets_max)

    monkeypatch.setattr(known_peers, "read_kept", set_aside_first)
    assert peers.read() == ()
    assert peers.trouble is None


def test_a_key_is_forgotten_wherever_it_answered(tmp_path):
    """Forgetting a key removes it under every name and address, and does not create the file.

    Other keys are kept, even at the same address.
    """
    peers = KnownPeers(tmp_path)
    peers.forget(KEY)
    assert not peers.path.exists()
    places = ("Ann", HOST, KEY), ("Ann", ELSEWHERE, KEY), ("Bea", HOST, KEY), ("Cy", HOST, OTHER)
    for name, address, key in places:
        peers.meet(name, address, key, "code")
    assert len(peers.read()) == len(places)
    peers.forget(KEY)
    assert [peer.name for peer in peers.read()] == ["Cy"]
    assert peers.trusted() == {OTHER}
    assert peers.warning("Ann", HOST, OTHER) is None


def test_forgetting_leaves_a_damaged_file_alone(tmp_path):
    """Forgetting leaves a damaged file alone, because its owner may repair it."""
    peers = KnownPeers(tmp_path)
    peers.path.write_text("name = ")
    peers.forget(KEY)
    assert peers.path.read_text() == "name = "
    assert peers.trouble is not None


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f600",
        "\U0001f469\u200d\U0001f467",
        "\U00010348",
        "e\u0301\u0301",
        "\ufeff",
        'a"b',
        "back\\slash",
        "名前",
        "[[peer]]",
    ],
)
def test_astral_and_combining_names_survive_the_file(tmp_path, name):
    """Names with emoji, combining marks or quotes are written so that they can be read again."""
    KnownPeers(tmp_path).meet(name, HOST, KEY, "code")
    again = KnownPeers(tmp_path)
    assert [peer.name for peer in again.read()] == [name]
    assert KEY in again.trusted()
    assert again.trouble is None


def test_half_a_character_is_refused_with_a_sentence(tmp_path):
    """A name with a lone surrogate is refused with a sentence, and the file stays as it is."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY)
    with pytest.raises(DiskTrouble, match="half a character"):
        peers.meet("A\ud83d", HOST, OTHER)
    assert [peer.name for peer in peers.read()] == ["Ann"]


def test_a_file_with_the_escapes_of_json_is_read(tmp_path):
    """A file with surrogate pairs, as JSON writes them, is read although TOML forbids them."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY, "code")
    text = peers.path.read_text("utf-8").replace('"Ann"', r'"A\ud83d\ude00"')
    peers.path.write_text(text)
    assert [peer.name for peer in peers.read()] == ["A\U0001f600"]
    assert KEY in peers.trusted()
    assert peers.trouble is None


@pytest.mark.parametrize(
    "octets",
    [
        b"[[peer]]\nname = 3",
        b"peer = 1",
        b"not toml",
        b'[[peer]]\nname="x"',
        b"peer = " + b"9" * 5_000,
        b"peer = " + b"[" * 3_000,
        rb'[[peer]]\nname="\ud83d"',
        b"\xff\xfe",
    ],
)
def test_damaged_file_is_told_set_aside_and_gone_on_without(tmp_path, octets):
    """A damaged file is reported, and stays as it is until a peer is noted.

    Then it is kept under another name, and a new file begins.
    """
    for number in (1, 2):
        peers = KnownPeers(tmp_path)
        peers.path.write_bytes(octets)
        assert peers.trusted() == frozenset()
        assert peers.trouble is not None
        assert peers.path.read_bytes() == octets
        assert peers.meet("Ann", HOST, KEY) is None
        memory = tmp_path / f"known-peers.broken-{number}.toml"
        assert memory.name in str(peers.trouble)
        assert memory.read_bytes() == octets
        assert [peer.name for peer in peers.read()] == ["Ann"]


def test_a_code_once_shown_is_remembered(tmp_path):
    """Only a code makes a key trusted; a later meeting without a code does not undo that."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY, "open")
    assert KEY not in peers.trusted()
    peers.meet("Ann", HOST, KEY, "code")
    peers.meet("Ann", HOST, KEY, "open")
    assert peers.trusted() == {KEY}


def test_file_without_the_new_field_is_read(tmp_path):
    """A peer whose entry does not say how it was met counts as met without a code."""
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY, "code")
    text = peers.path.read_text()
    peers.path.write_text("".join(row for row in text.splitlines(True) if "how" not in row))
    (peer,) = peers.read()
    assert peer.how == "open"
    assert KEY not in peers.trusted()


@pytest.mark.parametrize(
    ("name", "address", "key", "warns"),
    [
        ("Ann", HOST, KEY, False),
        ("Ann", HOST, OTHER, True),
        (None, HOST, OTHER, True),
        ("Ben", HOST, OTHER, False),
        ("Ann", "10.0.0.1:4747", OTHER, False),
        (None, "10.0.0.1:4747", OTHER, False),
        (None, HOST, KEY, False),
        ("Ann", HOST, b"c" * 32, True),
        (None, HOST, b"c" * 32, False),
    ],
)
def test_warning_is_for_another_key_at_a_known_place(tmp_path, name, address, key, warns):
    """A warning is due for an unknown key at an address where another key is known.

    If a name is given, only entries under that name count.
    """
    peers = KnownPeers(tmp_path)
    peers.meet("Ann", HOST, KEY)
    peers.meet("Cy", "10.0.0.3:4747", b"c" * 32)
    assert (peers.warning(name, address, key) is not None) is warns


def test_a_key_that_broke_the_rules_stays_noted_until_somebody_lets_it_in(tmp_path):
    """A key that broke the rules stays convicted and untrusted until somebody pardons it.

    Forgetting the key does not end the conviction, but after a pardon the key needs a code again.
    An unknown key can be convicted, too. Pardoning an unknown key adds no entry.
    """
    known = KnownPeers(tmp_path)
    met, stranger = (make_signing_key(bytes([n]) * 32).public_bytes for n in (1, 2))
    known.meet("Ben", "192.168.1.7:4747", met, "code", "2026-01-01")
    for each in (met, stranger):
        known.convict(each, "Mal", "192.168.1.9:4747", "2026-01-02")
        known.forget(each)
    assert known.convicted() == {met, stranger}
    assert known.trusted() == frozenset()
    assert {peer.convicted for peer in known.read()} == {"2026-01-02"}
    known.pardon(met)
    assert known.convicted() == {stranger}
    assert known.trusted() == frozenset()
    known.meet("Ben", "192.168.1.7:4747", met, "code")
    assert known.trusted() == {met}
    known.pardon(KEY)
    assert len(known.read()) == 2
