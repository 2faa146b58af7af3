"""Small files are written whole, and never through a link that somebody planted."""

import os

import pytest

from netgame.errors import DiskTrouble
from netgame.io.disk.files import replace_file
from netgame.io.disk.store import check_writable


@pytest.mark.parametrize("write", [lambda path: replace_file(path, b"new"), check_writable])
def test_a_link_in_place_of_a_draft_is_not_followed(tmp_path, write):
    """What it points to stays as it is, and is not made; the file is written all the same."""
    victim, made = tmp_path / "victim", tmp_path / "made"
    victim.write_bytes(b"precious")
    path = tmp_path / "file"
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    for target in (victim, made):
        draft.symlink_to(target)
        write(path)
        assert not draft.is_symlink()
    assert victim.read_bytes() == b"precious"
    assert not made.exists()


def test_a_draft_that_is_a_folder_is_one_sentence(tmp_path):
    """It cannot be removed like a file, and is left."""
    path = tmp_path / "file"
    path.with_name(f".{path.name}.{os.getpid()}.draft").mkdir()
    with pytest.raises(DiskTrouble, match="cannot write"):
        replace_file(path, b"new")
