"""`share` packs what is installed, pins it, and serves it to computers without internet."""

import base64
import csv
import hashlib
import io
import sys
from functools import partial
from importlib.metadata import Distribution
from zipfile import ZipFile

import pytest
import trio

from cli.exits import CommandFailed
from cli.share import gathered, guest
from cli.share.bundle import PATH, bundle_of, pins_of
from cli.share.gathered import KINDS, PYTHONS, gather, kept_wheels
from cli.share.installed import Wheel, _repacked, installed_wheels
from netgame.io.network.listen import LOOPBACK
from netgame.io.page.place import PagePlace
from netgame.io.page.serving import page_door
from tests.cli.running import complaint


@pytest.fixture(scope="module")
def wheels():
    """Pack all that is installed here into wheels, once for all tests, and return them."""
    return [*installed_wheels()]


def digest(octets):
    """Return the SHA-256 hash of octets as a wheel's RECORD lists it."""
    return base64.urlsafe_b64encode(hashlib.sha256(octets).digest()).decode().rstrip("=")


def test_every_wheel_lists_all_its_files_with_their_hashes(wheels):
    """The RECORD of each wheel has the right hash of every file, so pip accepts them."""
    for each in wheels:
        with ZipFile(io.BytesIO(each.octets)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        record = next(name for name in files if name.endswith(".dist-info/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(files[record].decode().splitlines())}
        assert rows.pop(record) == ""
        assert rows == {
            name: f"sha256={digest(octets)}" for name, octets in files.items() if name != record
        }, each.file


def test_the_program_is_packed_whole_and_first(wheels):
    """The first wheel has the program's packages, rules and translations, but no lab or tests."""
    own = wheels[0]
    assert own.project == "boneyard-dominoes"
    assert own.is_for_all
    with ZipFile(io.BytesIO(own.octets)) as archive:
        names = set(archive.namelist())
        info = own.file.partition("-py3")[0] + ".dist-info"
        assert b"boneyard = cli.__main__:main" in archive.read(f"{info}/entry_points.txt")
        assert b"Requires-Dist: trio" in archive.read(f"{info}/METADATA")
    for name in ("cli/share/guest.py", "cli/wording/rules.md", "netgame/py.typed"):
        assert name in names
    assert any(name.endswith(".mo") for name in names)
    assert not any(name.startswith(("lab/", "tests/")) or name.endswith(".pyc") for name in names)


def test_the_same_install_makes_the_same_octets(wheels):
    """Packing again gives the same hashes, so two hosts show the same fingerprint."""
    assert [each.sha256 for each in installed_wheels()] == [each.sha256 for each in wheels]


def test_a_file_that_was_altered_since_is_not_handed_on(tmp_path):
    """A project with a file that was changed after its installation is refused."""
    info = tmp_path / "tool-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tool\nVersion: 1.0\n")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nTag: py3-none-any\n")
    (tmp_path / "tool.py").write_text("good = True\n")
    listed = f"tool.py,sha256={digest(b'good = True' + bytes([10]))},12\n"
    (info / "RECORD").write_text(f"{listed}tool-1.0.dist-info/METADATA,,\n")
    assert _repacked(Distribution.at(info)).file == "tool-1.0-py3-none-any.whl"
    (tmp_path / "tool.py").write_text("good = False\n")
    with pytest.raises(CommandFailed, match="not as it was installed"):
        _repacked(Distribution.at(info))


def test_pins_name_every_project_but_pip_with_each_of_its_wheels(wheels):
    """The pins have one line for each project except pip; another wheel changes the fingerprint.

    The page that is served contains the pins.
    """
    other = Wheel("trio", wheels[0].version, "trio-9-cp311-cp311-win_amd64.whl", b"other")
    pins = pins_of(wheels)
    assert "pip==" not in pins
    assert pins.count("\n") == len({each.project for each in wheels} - {"pip"})
    assert guest.fingerprint_of(pins_of([*wheels, other])) != guest.fingerprint_of(pins)
    bundle = bundle_of(wheels, "0.1")
    assert bundle.fingerprint == guest.fingerprint_of(pins)
    assert repr(pins).encode() in bundle.site.index


def test_only_wheels_of_the_same_versions_are_kept(wheels, tmp_path):
    """Gathered wheels of any version but the installed one are left out, as are other files.

    A folder that does not exist has no wheels.
    """
    version = next(each.version for each in wheels if each.project == "msgpack")
    for name in (
        f"msgpack-{version}-cp312-cp312-win_amd64.whl",
        "msgpack-0.9-cp312-cp312-win_amd64.whl",
        "notes.txt",
    ):
        (tmp_path / name).write_bytes(b"x")
    assert [each.file for each in kept_wheels(wheels, tmp_path)] == [
        f"msgpack-{version}-cp312-cp312-win_amd64.whl"
    ]
    assert [*kept_wheels(wheels, tmp_path / "none")] == []


def test_gathering_says_for_which_computers_something_is_missing(wheels, tmp_path, monkeypatch):
    """Pip is asked for compiled projects only, once for each kind of computer and each Python.

    If pip fails, its error is passed on.
    """
    pip = tmp_path / "pip.py"
    pip.write_text(
        "import sys\n"
        "assert not [each for each in sys.argv if each.startswith('trio==')]\n"
        "if '--platform=win_amd64' in sys.argv and '--abi=cp312' in sys.argv:\n"
        "    sys.exit('noise\\nERROR: No matching distribution found for msgspec')\n"
    )
    monkeypatch.setattr(gathered, "pip_words", lambda: (sys.executable, str(pip)))
    told = [*gather(wheels, tmp_path)]
    assert len(told) == len(KINDS) * len(PYTHONS)
    assert [each for each in told if each[2]] == [
        ("Windows", "3.12", "ERROR: No matching distribution found for msgspec")
    ]


def test_without_pip_and_uv_gathering_says_what_to_install(monkeypatch, tmp_path):
    """If both pip and uv are missing, one sentence says to install one of them."""
    monkeypatch.setattr(gathered, "find_spec", lambda _name: None)
    assert "Install one of them" in complaint(
        "share", "--gather", "--data", tmp_path, code=1, PATH="/nowhere"
    )


async def test_a_plain_python_installs_what_is_served_and_runs_it(wheels, tmp_path):
    """A plain Python installs everything from the host and runs the program.

    The installation fails if the pinned hashes are wrong.
    """
    bundle = bundle_of(wheels, wheels[0].version)
    folder = tmp_path / "home" / "boneyard"
    async with page_door(bundle.site, LOOPBACK, PagePlace(47400, PATH)) as door:
        url = door.url_for(LOOPBACK)
        call = partial(guest.install, guest.pip_here(), pins_of(wheels), url, str(folder))
        assert await trio.to_thread.run_sync(call) == ""
        bad = pins_of(wheels).replace("sha256:", "sha256:00")
        call = partial(guest.install, guest.pip_here(), bad, url, str(folder))
        assert "ERROR" in await trio.to_thread.run_sync(call)
    launcher = folder / "boneyard.py"
    launcher.write_text(guest.LAUNCHER.format(python=sys.executable))
    python = getattr(sys, "_base_executable", sys.executable)
    done = await trio.run_process((python, "-I", launcher, "--version"), capture_stdout=True)
    assert done.stdout.decode().startswith(f"boneyard {wheels[0].version}\n")


def test_a_guest_is_told_in_a_sentence_that_the_host_is_gone(monkeypatch, tmp_path):
    """If the host has stopped sharing, the guest gets one sentence, and nothing is written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("builtins.input", lambda _asked: "")
    with pytest.raises(SystemExit, match=r"Nothing was installed: .*refused"):
        guest.main("1", "", ("", ""), "http://127.0.0.1:9/boneyard/")
    assert not [*tmp_path.iterdir()]
