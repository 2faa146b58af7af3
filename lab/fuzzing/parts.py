"""The fuzzed parts: each makes an input from chance and gives it to its reader.

A part returns True if the reader accepted the input. It raises `Broken` if the reader broke a
promise; any other exception is a bug in the reader. The promises differ from part to part: a
decoded value must survive a round trip, a name must contain no control characters, a record must
contain no false frames.
"""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from cli.exits import CommandFailed
from lab.fuzzing.mutation import mutated, mutated_text
from lab.fuzzing.part import Broken, Part, Reader, is_taken
from lab.fuzzing.samples import GAMES, LINES, NAMES, TABLE_FILES, WRITTEN
from netgame.errors import Malformed
from netgame.limits import CHAT_CHARS_MAX, NAME_CELLS_MAX

_UNFIT: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def parts() -> tuple[Part, ...]:
    """Return all parts, sorted by name. A part prepares its samples when it makes its reader."""
    from lab.fuzzing import bytes_parts as octets
    from lab.fuzzing import records as false

    return (
        Part("addresses", 50, lambda _: _addresses),
        Part("built-records", 4, lambda _: false.built, 3.0),
        Part("codes", 40, lambda _: _codes),
        Part("deals", 5, lambda _: octets.make_entries()),
        Part("decoder", 307, lambda _: octets.make_decoder()),
        Part("deframer", 80, lambda _: octets.make_deframer()),
        Part("handshake", 20, lambda _: octets.make_handshake()),
        Part("lines", 80, lambda _: _lines),
        Part("names", 100, lambda _: _names),
        Part("notation", 30, lambda _: _notation),
        Part("pake", 1, lambda _: octets.make_pake()),
        Part("peers", 3, _make_peers),
        Part("polls", 10, lambda _: octets.make_statements()),
        Part("proofs", 160, lambda _: octets.make_proofs()),
        Part("record", 9, lambda _: false.spoilt_from_the_start, 3.0),
        Part("spoilt-records", 8, lambda _: false.spoilt, 3.0),
        Part("tables", 10, _make_tables),
        Part("txt", 80, lambda _: _make_txt()),
        Part("written", 3, _make_written),
    )


# ---- what people type -----------------------------------------------------------------------


def _lines(chance: Random) -> bool:
    """Read a line typed at the table."""
    from cli.input.readers import UsageError
    from cli.session.verbs.reading import parse

    return not isinstance(parse(mutated_text(chance, LINES)), UsageError)


def _comes_back(read: Callable[[str], object], text: str) -> bool:
    """Return True if the text can be read. Raises `Broken` if it does not survive a round trip."""
    try:
        found = read(text)
    except Malformed:
        return False
    if read(str(found)) != found:
        raise Broken("what was read is not written the same")
    return True


def _codes(chance: Random) -> bool:
    """Read a join code."""
    from netgame.io.door.codes import parse_code

    samples = ("7-otter-violin", "99 ZEBRA zodiac", "1-aco-amb")
    return _comes_back(parse_code, mutated_text(chance, samples))


def _addresses(chance: Random) -> bool:
    """Read an address, as people type it and as peers name it."""
    from netgame.io.network.addresses import parse_address, parse_literal

    samples = ("192.168.1.4:4747", "[fe80::1]:4747", "ann.local", "10.0.0.1", "::1")
    text = mutated_text(chance, samples)
    is_one = _comes_back(parse_address, text)
    if parse_literal(text) is not None and not is_one:
        raise Broken("an address that is none was named by a peer")
    return is_one


def _notation(chance: Random) -> bool:
    """Read a written game; if it can be read, judge it and check the round trip."""
    from engine.notation.game import NotationProblem
    from engine.notation.notation import parse
    from engine.notation.referee import judge

    game = parse(mutated_text(chance, GAMES))
    if isinstance(game, NotationProblem):
        return False
    judge(game)
    if parse(str(game)) != game:
        raise Broken("a game that was read is not written the same")
    return True


def _make_tables(folder: Path) -> Reader:
    """Make a reader of house-rule files."""
    from cli.house_rules.file import read_choice

    path = folder / "table.toml"

    def tables(chance: Random) -> bool:
        path.write_text(mutated_text(chance, TABLE_FILES), "utf-8", errors="surrogateescape")
        return is_taken(read_choice, str(path), CommandFailed)

    return tables


# ---- text of others -------------------------------------------------------------------------


def _names(chance: Random) -> bool:
    """Clean a name and a line of chat for a terminal. Return True if the name was clean already."""
    from cli.render.cells import text_cells
    from netgame.protocol.text import clean_text

    text = mutated_text(chance, NAMES)
    name, line = clean_text(text, NAME_CELLS_MAX, "player"), clean_text(text, CHAT_CHARS_MAX)
    for cleaned in (name, line):
        if any(unicodedata.category(char) in _UNFIT for char in cleaned):
            raise Broken("a letter is left that no terminal should see")
    if not 0 < text_cells(name) <= NAME_CELLS_MAX or text_cells(line) > CHAT_CHARS_MAX:
        raise Broken("a name or line of another width than promised")
    return name == text


def _make_peers(folder: Path) -> Reader:
    """Make a reader of the file of known peers."""
    from netgame.io.disk.known_peers import KnownPeers

    known = KnownPeers(folder)
    known.meet("Ann", "192.168.1.4:4747", b"k" * 32, "code", "2026-01-01")
    known.meet("Zoë", "[fe80::1]:4747", b"o" * 32, "open", "2026-01-01")
    samples = (known.path.read_bytes(),)

    def peers(chance: Random) -> bool:
        known.path.write_bytes(mutated(chance, samples))
        trusted = known.trusted()
        known.warning("Ann", "192.168.1.4:4747", b"x" * 32)
        return b"k" * 32 in trusted

    return peers


def _make_txt() -> Reader:
    """Make a reader of an advertisement's TXT record."""
    from netgame.io.discovery.advert import TableAd, instance_name, parse_txt, txt_of

    ad = TableAd(
        name="Ann",
        table_id="ab" * 64,
        fingerprint="eh7ddx5b",
        preset="standard",
        pip_max=12,
        seats_taken=3,
        seats_offered=8,
        phase="lobby",
        addresses=("10.0.0.1",),
        port=4747,
    )
    sample = {key.encode(): value.encode() for key, value in txt_of(ad).items()}
    words = tuple(sample.values())

    def txt(chance: Random) -> bool:
        spoilt: dict[bytes, bytes | None] = {**sample}
        for _ in range(chance.randrange(4)):
            key = chance.choice(tuple(sample))
            if chance.random() < 0.2:
                key = mutated(chance, (key,))
            spoilt[key] = None if chance.random() < 0.05 else mutated(chance, words)
        found = parse_txt(spoilt, ad.addresses, chance.choice((4747, 0, 65_536, -1)))
        if found is None:
            return False
        if len(instance_name(found).split(".", 1)[0].encode()) > 63:
            raise Broken("a name that is too long for a service")
        return txt_of(found) == txt_of(ad)

    return txt


def _make_written(folder: Path) -> Reader:
    """Make a reader that writes a text to a file of known peers or of house rules.

    The file must refuse the text or give it back unchanged.
    """
    from cli.choices.table import NAME
    from cli.house_rules.choice import TableChoice
    from cli.house_rules.file import read_choice, save_choice
    from netgame.errors import DiskTrouble
    from netgame.io.disk.known_peers import KnownPeers

    def peers(text: str) -> bool:
        known = KnownPeers(folder / "written")
        known.path.unlink(missing_ok=True)
        try:
            known.meet(text, text, b"k" * 32, "code", "2026-01-01")
        except DiskTrouble:
            return False
        again = KnownPeers(folder / "written")
        if [(peer.name, peer.address) for peer in again.read()] != [(text, text)]:
            raise Broken("a peer was written that is not read back")
        return b"k" * 32 in again.trusted()

    def tables(text: str) -> bool:
        path, word = folder / "written.toml", NAME.spelled(text)
        if word is None:
            return False
        path.unlink(missing_ok=True)
        save_choice(str(path), TableChoice(values={NAME.key: word}))
        if read_choice(str(path)).values[NAME.key] != word:
            raise Broken("house rules were written that are not read back")
        return True

    def written(chance: Random) -> bool:
        return chance.choice((peers, tables))(mutated_text(chance, WRITTEN))

    return written
