"""Small files are written whole, and never through a link that somebody planted."""

import errno
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from netgame.errors import DiskTrouble
from netgame.io.disk import files
from netgame.io.disk.files import draft_name, replace_file, sync_file
from netgame.io.disk.store import check_writable


@pytest.mark.parametrize("write", [lambda path: replace_file(path, b"new"), check_writable])
def test_a_link_in_place_of_a_draft_is_not_followed(tmp_path, write):
    """What it points to stays as it is, and is not made; the file is written all the same."""
    victim, made = tmp_path / "victim", tmp_path / "made"
    victim.write_bytes(b"precious")
    path = tmp_path / "file"
    draft = draft_name(path)
    for target in (victim, made):
        draft.symlink_to(target)
        write(path)
        assert not draft.is_symlink()
    assert victim.read_bytes() == b"precious"
    assert not made.exists()


def test_a_draft_that_is_a_folder_is_one_sentence(tmp_path):
    """It cannot be removed like a file, and is left."""
    path = tmp_path / "file"
    draft_name(path).mkdir()
    with pytest.raises(DiskTrouble, match="cannot write"):
        replace_file(path, b"new")


def test_two_threads_write_one_file_and_neither_fails(tmp_path, monkeypatch):
    """Each has a draft of its own: the file is what one of them wrote, and nothing else is left."""
    both, path = threading.Barrier(2, timeout=300), tmp_path / "file"
    monkeypatch.setattr(files, "sync_file", lambda descriptor: both.wait())
    with ThreadPoolExecutor(2) as threads:
        for write in [threads.submit(replace_file, path, word) for word in (b"one", b"other")]:
            write.result()
    assert path.read_bytes() in (b"one", b"other")
    assert list(tmp_path.iterdir()) == [path]


def test_where_a_full_flush_is_unknown_a_plain_one_does(tmp_path, monkeypatch):
    """MacOS has it for its own disks; a share or a memory stick answers ENOTSUP (man 2 fcntl)."""
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
    """A `Path.replace` that Windows refuses so many times."""
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
    """Windows replaces no file that a virus scanner or an indexer has open; they soon close it."""
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
    """A folder that is not ours, or a file that somebody keeps open, is no matter of patience."""
    monkeypatch.setattr(Path, "replace", refusing(times, winerror)[0])
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with pytest.raises(DiskTrouble, match="Access is denied"):
        replace_file(tmp_path / "file", b"new")
    assert list(tmp_path.iterdir()) == []
