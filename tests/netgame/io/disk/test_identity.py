"""Each data folder has one key, which only its owner may read."""

import os
import stat

import pytest

from netgame.errors import DiskTrouble
from netgame.io.disk.identity import KEY_FILE, default_data_dir, load_or_create
from netgame.protocol.text import fingerprint


def test_identity_is_made_once_and_found_again(tmp_path):
    """A folder always gives the same key, and another folder a different one.

    The text form of an identity shows only the fingerprint.
    """
    first = load_or_create(tmp_path / "new" / "folder")
    again = load_or_create(tmp_path / "new" / "folder")
    assert first.public == again.public
    assert repr(first) == f"Identity({fingerprint(first.public)})", "no log has the secret"
    assert load_or_create(tmp_path / "other").public != first.public


def test_only_the_owner_may_read_the_key(tmp_path):
    """On POSIX the key file has mode 0600, and its folder 0700."""
    load_or_create(tmp_path / "data")
    if os.name != "posix":  # mode bits mean nothing elsewhere
        return
    assert stat.S_IMODE((tmp_path / "data" / KEY_FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_link_in_place_of_the_key_is_not_followed(tmp_path):
    """A link in place of the key file is refused, even one to a good key."""
    target = tmp_path / "target"
    target.write_bytes(bytes(32))
    target.chmod(0o600)
    (tmp_path / KEY_FILE).symlink_to(target)
    with pytest.raises(DiskTrouble, match="cannot read"):
        load_or_create(tmp_path)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o640, 0o604, 0o666, 0o777])
def test_a_key_that_others_can_read_or_change_is_not_used(tmp_path, mode):
    """On POSIX a key file that others can read or change is refused, with advice.

    Once the file is private, the same key is used again.
    """
    key = load_or_create(tmp_path).public
    (tmp_path / KEY_FILE).chmod(mode)
    if os.name != "posix":
        return
    with pytest.raises(DiskTrouble, match=f"chmod 600 .*{KEY_FILE}"):
        load_or_create(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o600)
    assert load_or_create(tmp_path).public == key


@pytest.mark.parametrize("octets", [b"", bytes(31), bytes(33)])
def test_a_damaged_key_is_said_to_be_one(tmp_path, octets):
    """A key file of the wrong length is refused with a sentence, and stays as it is."""
    (tmp_path / KEY_FILE).write_bytes(octets)
    (tmp_path / KEY_FILE).chmod(0o600)
    with pytest.raises(DiskTrouble, match="not a key file"):
        load_or_create(tmp_path)
    assert (tmp_path / KEY_FILE).read_bytes() == octets


def test_data_folder_can_be_chosen(tmp_path):
    """`BONEYARD_DATA` takes precedence over the system's default folder, named `boneyard`."""
    assert default_data_dir({"BONEYARD_DATA": str(tmp_path)}) == tmp_path
    assert default_data_dir({}).name == "boneyard"
