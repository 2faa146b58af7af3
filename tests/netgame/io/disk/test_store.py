"""A table's files: how they are repaired after damage, and who may open and read them."""

import os
import stat
import subprocess
import sys

import pytest

from netgame.errors import DiskTrouble
from netgame.io.disk import record_file, storage
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.record_file import RecordFile
from netgame.io.disk.storage import check_writable
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.tables.notes import note
from netgame.limits import EVIDENCE_FILES_MAX
from netgame.protocol.log.entry import frame_payload

PAYLOADS = (b"0", b"a", b"hello", bytes(range(40)))
TABLE_ID = bytes(range(64))
SECRET = bytes(32)


def test_record_cut_anywhere_keeps_its_longest_valid_prefix(tmp_path):
    """A record that was cut short keeps its whole frames, and new frames are appended to them.

    The rest is moved to another file.
    """
    path = tmp_path / "record"
    frames = [frame_payload(payload) for payload in PAYLOADS]
    octets = b"".join(frames)
    ends = [sum(map(len, frames[:count])) for count in range(len(frames) + 1)]
    for cut in range(len(octets) + 1):
        path.write_bytes(octets[:cut])
        kept = max(index for index, end in enumerate(ends) if end <= cut)
        record = RecordFile(path)
        assert record.payloads == PAYLOADS[:kept]
        assert (record.damage is None) == (cut in ends)
        record.append(b"next")
        record.close()
        again = RecordFile(path)
        assert again.payloads == (*PAYLOADS[:kept], b"next")
        again.close()
        tails = list(tmp_path.glob("record.damaged-*"))
        assert b"".join(tail.read_bytes() for tail in tails) == octets[ends[kept] : cut]
        for tail in tails:
            tail.unlink()


@pytest.mark.usefixtures("nobody_masks")
def test_all_that_a_table_keeps_is_for_its_owner_only(tmp_path):
    """A table's folders have mode 0700 and its files 0600; a copied record follows the umask.

    Notes hold the join code; evidence and record show who played with whom.
    """
    data = tmp_path / "data"
    folder = DataFolder(data).open_table(TABLE_ID, SECRET)
    folder.record.append(b"entry")
    folder.save_evidence("../evidence-1.bin", b"proof")
    note(folder.path, code="7-crossover-clockwork")
    KnownPeers(data).meet("Ben", "192.0.2.1:7", bytes(range(32)))
    folder.record.copy_to(tmp_path / "copy")
    folder.close()
    kept = [data, *data.rglob("*")]
    assert {path.name for path in kept if path.is_dir()} == {"data", "tables", folder.path.name}
    assert {path.name for path in kept if path.is_file()} >= {
        "notes.toml",
        "evidence-1.bin",
        "record",
        "known-peers.toml",
    }
    if os.name != "posix":
        return
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in kept}
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in kept}
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o666


@pytest.fixture
def nobody_masks():
    """Set the umask to 0, so that new files get the very mode that the program asks for."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("known-peers.toml", lambda data: KnownPeers(data).read()),
        ("record", lambda data: record_file.read_record(data / "record")),
        ("secret", lambda data: storage.read_secret(data / "secret")),
    ],
)
def test_a_pipe_in_place_of_a_file_is_one_sentence(tmp_path, name, read):
    """A pipe in place of a file is refused with a sentence; opening it would wait for a writer."""
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / name, 0o600)
    with pytest.raises(DiskTrouble, match="a pipe or a device"):
        read(tmp_path)


@pytest.mark.parametrize("octets", [b"", b"s" * 16, b"s" * 33])
def test_a_damaged_secret_is_said_and_not_played_with(tmp_path, octets):
    """A table whose secret has the wrong length does not open: a sentence says it is damaged."""
    TableFolder(tmp_path, SECRET).close()
    (tmp_path / "secret").write_bytes(octets)
    with pytest.raises(DiskTrouble, match=f"damaged: {len(octets)} octets instead of 32"):
        TableFolder(tmp_path, None)


def test_another_secret_does_not_get_the_folder(tmp_path):
    """A table's folder does not open with another secret.

    With two secrets, one seat could sign two different entries for one step.
    """
    DataFolder(tmp_path).open_table(TABLE_ID, SECRET).close()
    with pytest.raises(DiskTrouble, match="another sitting"):
        DataFolder(tmp_path).open_table(TABLE_ID, b"x" * 32)


def test_second_process_at_one_table_is_refused(tmp_path):
    """A second process at one table is refused until the first one has ended."""
    code = (
        "import sys; from pathlib import Path; from netgame.io.disk.store import DataFolder\n"
        "DataFolder(Path(sys.argv[1])).open_table(bytes(range(64)), bytes(32))\n"
        "print('locked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(DiskTrouble, match=r"(?s)open in another window.*--data"):
            DataFolder(tmp_path).open_table(TABLE_ID)
        process.kill()
        process.wait()
    DataFolder(tmp_path).open_table(TABLE_ID).close()


@pytest.mark.parametrize("name", ["record", "lock"])
def test_link_planted_in_the_folder_is_not_followed(tmp_path, name):
    """A link planted in place of the record or the lock is refused, and its target is unchanged."""
    DataFolder(tmp_path / "data").open_table(TABLE_ID, SECRET).close()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"precious, and no record")
    planted = DataFolder(tmp_path / "data").table_path(TABLE_ID) / name
    planted.unlink()
    planted.symlink_to(elsewhere)
    with pytest.raises(DiskTrouble, match="cannot open"):
        DataFolder(tmp_path / "data").open_table(TABLE_ID, SECRET)
    assert elsewhere.read_bytes() == b"precious, and no record"
    assert {path.name for path in tmp_path.iterdir()} == {"data", "elsewhere"}


def test_record_is_copied_where_the_player_wants_it(tmp_path):
    """A copy of a record has the same octets, but not a half-written last frame."""
    record = RecordFile(tmp_path / "record")
    for payload in PAYLOADS:
        record.append(payload)
    record.copy_to(tmp_path / "copy")
    whole = (tmp_path / "record").read_bytes()
    assert (tmp_path / "copy").read_bytes() == whole
    with (tmp_path / "record").open("ab") as file:
        file.write(b"\x00\x00\x00\x09half")
    record.copy_to(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == whole
    record.close()


def test_a_place_that_cannot_be_written_is_told_before_the_game(tmp_path):
    """A folder, a pipe, and a file in a missing folder are refused as places for a file."""
    check_writable(tmp_path / "fine")
    assert not list(tmp_path.iterdir())
    with pytest.raises(DiskTrouble, match="cannot write"):
        check_writable(tmp_path)
    with pytest.raises(DiskTrouble, match="cannot write"):
        check_writable(tmp_path / "missing" / "record")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(DiskTrouble, match="a device or a pipe"):
            check_writable(tmp_path / "pipe")


def test_a_record_of_nothing_but_a_header_begins_anew(tmp_path):
    """An emptied record has only the frames that are appended later, even after reopening."""
    record = RecordFile(tmp_path / "record")
    record.append(b"header")
    record.empty()
    assert (record.payloads, record.read(0)) == ((), None)
    record.append(b"header of the next")
    record.close()
    again = RecordFile(tmp_path / "record")
    assert (again.payloads, again.damage) == ((b"header of the next",), None)
    again.close()


def test_a_record_that_cannot_be_opened_again_once_mended_is_trouble(tmp_path, monkeypatch):
    """A record that is mended but cannot be reopened raises `DiskTrouble`.

    A file that has been opened meanwhile under the same descriptor number is not closed.
    """
    path, others = tmp_path / "record", []
    path.write_bytes(frame_payload(b"whole") + b"damaged")

    def replaced(where, octets, *mode):
        others.append(os.open(tmp_path, os.O_RDONLY))
        real(where, octets, *mode)
        if where == path:
            path.unlink()
            path.mkdir()

    real = storage.replace_file
    monkeypatch.setattr(storage, "replace_file", replaced)
    with pytest.raises(DiskTrouble):
        RecordFile(path)
    for other in others:
        os.close(other)


def test_what_was_cut_off_stays_though_the_same_place_is_damaged_again(tmp_path):
    """Each cut-off tail gets its own file, even if the damage is at the same place again."""
    whole = frame_payload(b"first")
    for rest in (b"once", b"again", b"and again"):
        (tmp_path / "record").write_bytes(whole + rest)
        RecordFile(tmp_path / "record").close()
    tails = sorted(tmp_path.glob("record.damaged-*"))
    assert [tail.read_bytes() for tail in tails] == [b"once", b"again", b"and again"]


def test_evidence_fills_no_disk(tmp_path):
    """A table's folder keeps at most `EVIDENCE_FILES_MAX` evidence files: the newest ones."""
    folder = DataFolder(tmp_path).open_table(bytes(64), bytes(32))
    names = [f"evidence-{number}-fork-bbbb.bin" for number in range(3 * EVIDENCE_FILES_MAX)]
    for at, name in enumerate(names):
        os.utime(folder.save_evidence(name, b"fact"), (at, at))
    kept = {path.name for path in folder.path.glob("evidence-*")}
    assert kept == set(names[-EVIDENCE_FILES_MAX:])
    folder.close()
