"""Files are written whole, never through a planted link, and are read only up to a limit."""

import errno
import io
import os
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.exits import CommandFailed
from cli.files import read_file, read_octets
from netgame.errors import DiskTrouble
from netgame.io.disk import files, record_file
from netgame.io.disk.files import draft_name, read_bounded, sync_file
from netgame.io.disk.record_file import RecordFile, read_record
from netgame.io.disk.storage import check_writable, replace_file
from netgame.limits import RECORD_BYTES_MAX


@pytest.mark.parametrize(
    ("write", "written"),
    [(lambda path: replace_file(path, b"new"), b"new"), (check_writable, None)],
)
def test_a_link_in_place_of_a_draft_is_not_followed(tmp_path, write, written):
    """A link planted in place of a draft is removed.

    Its target is not changed, and is not created if it does not exist.
    """
    victim, made = tmp_path / "victim", tmp_path / "made"
    victim.write_bytes(b"precious")
    path = tmp_path / "file"
    draft = draft_name(path)
    for target in (victim, made):
        draft.symlink_to(target)
        write(path)
        assert not draft.is_symlink()
        assert (path.read_bytes() if path.exists() else None) == written
    assert victim.read_bytes() == b"precious"
    assert not made.exists()


def test_a_draft_that_is_a_folder_is_one_sentence(tmp_path):
    """A folder in place of the draft makes the write fail with a sentence, and is not removed."""
    path = tmp_path / "file"
    draft_name(path).mkdir()
    with pytest.raises(DiskTrouble, match="cannot write"):
        replace_file(path, b"new")
    assert list(tmp_path.iterdir()) == [draft_name(path)]


def test_two_threads_write_one_file_and_neither_fails(tmp_path, monkeypatch):
    """If two threads write one file at once, it ends up with one of the two contents.

    No draft is left.
    """
    both, path = threading.Barrier(2, timeout=300), tmp_path / "file"
    monkeypatch.setattr(files, "sync_file", lambda descriptor: both.wait())
    with ThreadPoolExecutor(2) as threads:
        for write in [threads.submit(replace_file, path, word) for word in (b"one", b"other")]:
            write.result()
    assert path.read_bytes() in (b"one", b"other")
    assert list(tmp_path.iterdir()) == [path]


def test_where_a_full_flush_is_unknown_a_plain_one_does(tmp_path, monkeypatch):
    """If macOS answers ENOTSUP to a full flush, a plain sync is done instead (man 2 fcntl).

    macOS does that for a network share or a memory stick.
    """
    flushed = []

    def no_full_flush(descriptor, command):
        flushed.append(command)
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(sys, "platform", "darwin")
    fcntl = SimpleNamespace(F_FULLFSYNC=51, fcntl=no_full_flush)
    monkeypatch.setitem(sys.modules, "fcntl", fcntl)
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append("plain"))
    with (tmp_path / "file").open("wb") as file:
        sync_file(file.fileno())
        assert flushed == [51, "plain"]
        fcntl.fcntl = lambda descriptor, command: flushed.append("full")
        sync_file(file.fileno())
        assert flushed == [51, "plain", "full"]


def refusing(times, winerror):
    """Return a stand-in for `Path.replace`, and the list of the errors that it has raised.

    It fails `times` times, as on Windows, before it works.
    """
    really, refused = Path.replace, []

    def replace(self, target):
        if len(refused) < times:
            error = PermissionError(errno.EACCES, "Access is denied")
            error.winerror = winerror
            refused.append(error)
            raise error
        return really(self, target)

    return replace, refused


@pytest.mark.parametrize("winerror", [5, 32])
def test_a_scanner_that_reads_the_old_file_delays_the_new_one(winerror, tmp_path, monkeypatch):
    """Replacing a file that a virus scanner has open is tried again, after growing pauses.

    Windows refuses to replace an open file.
    """
    replace, refused = refusing(3, winerror)
    monkeypatch.setattr(Path, "replace", replace)
    path, waited = tmp_path / "file", []
    monkeypatch.setattr(time, "sleep", waited.append)
    path.write_bytes(b"old")
    replace_file(path, b"new")
    assert (path.read_bytes(), len(refused)) == (b"new", 3)
    assert waited == sorted(set(waited))


@pytest.mark.parametrize(("times", "winerror"), [(1, None), (1, 19), (1000, 5)])
def test_what_stays_refused_is_said(times, winerror, tmp_path, monkeypatch):
    """Replacing a file fails if Windows keeps refusing it, and at once after any other error.

    The error is a sentence with the system's reason, and no draft is left.
    """
    monkeypatch.setattr(Path, "replace", refusing(times, winerror)[0])
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with pytest.raises(DiskTrouble, match="Access is denied"):
        replace_file(tmp_path / "file", b"new")
    assert list(tmp_path.iterdir()) == []


# ---- reading files that may be long -------------------------------------------------------------

TEN = b"ten octets"


def most_allocated(read: Callable[[], object]) -> int:
    """Return the peak of the memory that `read` allocates, in octets."""
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture
def ten_octets(tmp_path):
    """Return the path of a file of ten octets."""
    path = tmp_path / "file"
    path.write_bytes(TEN)
    return path


@pytest.mark.parametrize(
    "read",
    [
        read_record,
        lambda path: read_file(path, RECORD_BYTES_MAX),
        lambda path: read_octets(str(path), RECORD_BYTES_MAX),
        lambda path: RecordFile(path).close(),
    ],
    ids=["record", "found", "named", "opened"],
)
def test_what_is_read_takes_its_own_room_and_not_the_most_there_may_be(read, ten_octets):
    """Reading a short file takes little memory, not the 256 MiB that a record may have."""
    assert most_allocated(lambda: read(ten_octets)) < 1 << 20


def test_a_pipe_takes_no_more_room_than_what_comes_through(monkeypatch):
    """Reading ten octets from standard input or a pipe takes little memory.

    The size of such an input is not known beforehand.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEN)))
    assert most_allocated(lambda: read_octets("-", RECORD_BYTES_MAX)) < 1 << 20
    ours, its = os.pipe()
    os.write(its, TEN)
    os.close(its)
    assert most_allocated(lambda: read_octets(f"/dev/fd/{ours}", RECORD_BYTES_MAX)) < 1 << 20
    os.close(ours)


@pytest.mark.parametrize("octets", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_all_is_read_up_to_the_limit_and_nothing_of_more(octets, tmp_path):
    """A file, a buffer or a slow pipe is read whole if it is within the limit.

    For a longer one the result is None.
    """
    path, all_of_it = tmp_path / "file", os.urandom(octets)
    path.write_bytes(all_of_it)
    for limit, found in ((octets, all_of_it), (octets + 1, all_of_it), (octets - 1, None)):
        if limit < 0:
            continue
        with path.open("rb") as file:
            assert read_bounded(file, limit) == found
        assert read_bounded(io.BytesIO(all_of_it), limit) == found
        ours, its = os.pipe()
        with (
            ThreadPoolExecutor(1) as writer,
            os.fdopen(its, "wb", buffering=0) as pipe,
            os.fdopen(ours, "rb") as read,
        ):
            writing = writer.submit(trickle, pipe, all_of_it)
            assert read_bounded(read, limit) == found
            read.close()
            writing.result()


def trickle(pipe, octets: bytes) -> None:
    """Write the octets in pieces until all are written or the reader has closed; close the pipe."""
    with pipe, suppress(BrokenPipeError):
        for at in range(0, len(octets), 10_007):
            pipe.write(octets[at : at + 10_007])


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(tmp_path, monkeypatch):
    """A file that has grown since its size was looked up is read to its end, up to the limit."""
    path = tmp_path / "file"
    path.write_bytes(bytes(200_000))
    monkeypatch.setattr(files.os, "fstat", lambda _: SimpleNamespace(st_size=10))
    with path.open("rb") as file:
        assert read_bounded(file, 200_000) == bytes(200_000)
    with path.open("rb") as file:
        assert read_bounded(file, 199_999) is None


def test_a_record_that_is_too_long_is_one_sentence(ten_octets, monkeypatch):
    """Each reader of records refuses a record that is too long, with a sentence."""
    monkeypatch.setattr(record_file, "RECORD_BYTES_MAX", 9)
    with pytest.raises(DiskTrouble, match="more than 9 octets"):
        read_record(ten_octets)
    for read in (lambda: read_file(ten_octets, 9), lambda: read_octets(str(ten_octets), 9)):
        with pytest.raises(CommandFailed, match="is longer than 9 octets"):
            read()
