"""`boneyard config` shows and changes settings, and other commands obey them."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from engine.bots.levels import BotLevel
from tests.cli.running import boneyard, boneyard_here, complaint, offered


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a settings file that does not exist yet.

    Its folder is the data folder of the program during the test.
    """
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    return tmp_path / "config.toml"


def config(file: Path, *words: str, **extra: str) -> CompletedProcess[str]:
    """Run `boneyard config` with the folder of `file` as its data folder."""
    return boneyard_here("config", *words, data=file.parent, **extra)


def test_settings_are_shown_with_where_they_come_from(file: Path) -> None:
    """Each setting has a line with its value and source.

    If the file has a mistake, the last line explains it, and the exit code is 1.
    """
    shown = config(file)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"Settings in {file}\nThere is no such file yet")
    lines = [line.split()[:3] for line in shown.stdout.splitlines()]
    assert ["name", "Ann", "environment"] in lines
    assert ["bell", "turn", "default"] in lines
    file.write_text('bell = "off"\nbel = 1\n')
    shown = config(file)
    assert shown.returncode == 1
    assert ["bell", "off", "file"] in [line.split()[:3] for line in shown.stdout.splitlines()]
    assert shown.stdout.splitlines()[-1] == (
        f"{file}: There is no setting 'bel'; did you mean bell?"
    )


def test_one_setting_is_explained(file: Path) -> None:
    """`config show` prints a setting's value, summary, possible values and variable."""
    lines = config(file, "show", "bell").stdout.splitlines()
    assert lines[0] == "bell is turn (default). When the terminal's bell rings."
    assert "  off: Never." in lines
    assert lines[-1] == "In the environment: BONEYARD_BELL"
    assert config(file, "show").stdout == config(file).stdout


def test_settings_are_set_and_unset(file: Path) -> None:
    """`set` and `unset` change one line; the first `set` writes the whole commented file.

    A new language is used at once, and a variable that overrules the file is pointed out.
    """
    assert config(file, "path").stdout == f"{file}\n"
    told = config(file, "set", "bell", "off").stdout
    assert told == f"bell is now off: {file}\n"
    assert config(file, "set", "language", "es").stdout == f"language vale ahora es: {file}\n"
    missing = boneyard_here("verify", "/nofile", data=file.parent).stderr
    assert missing == "No se puede leer /nofile: no existe ese archivo o carpeta.\n"
    assert config(file, "set", "language", "en").stdout == f"language is now en: {file}\n"
    assert '\nbell = "off"\n' in file.read_text()
    assert "# times = true" in file.read_text()
    assert config(file, "unset", "bell").stdout == (
        "bell is no longer set. Its value is now turn.\n"
    )
    overruled = config(file, "set", "name", "Bea")
    assert overruled.stderr.startswith("But BONEYARD_NAME is set in this shell")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "bel"), "There is no setting 'bel'; did you mean bell?\n"),
        (("set", "bel", "off"), "There is no setting 'bel'; did you mean bell?\n"),
        (("set", "bell", "loud"), "bell cannot be 'loud', only one of: off, turn, all.\n"),
    ],
)
def test_what_is_wrong_is_not_written(file: Path, words: tuple[str, ...], told: str) -> None:
    """A wrong name or value gets a sentence that says what is possible; no file is written."""
    assert complaint("config", *words, data=file.parent) == told
    assert not file.exists()


def test_the_commented_file_is_written_once(file: Path) -> None:
    """`config --write` writes a commented file, and refuses to overwrite one."""
    assert config(file, "--write").returncode == 0
    assert "# bell" in file.read_text()
    assert "exists already" in complaint("config", "--write", data=file.parent)


def test_the_level_of_bots_can_be_set(file: Path) -> None:
    """Bots without a level get the one in the settings; a level on the command line wins."""
    file.write_text('level = "easy"\n')
    assert set(offered("play").bots) == {BotLevel.EASY}
    assert offered("play", "--bots", "2").bots == (BotLevel.EASY,) * 2
    assert offered("play", "--bots", "hard").bots == (BotLevel.HARD,)


def test_a_mistake_in_the_file_keeps_nobody_from_playing(file: Path, tmp_path: Path) -> None:
    """A mistake in the file is reported once, on standard error, and the game is played."""
    file.write_text("bel = 1\n")
    words = ("--bots", "1", "--rounds", "1", "--seed", "7", "--set", "6")
    played = boneyard("play", "--auto", "--json", *words, data=tmp_path)
    assert played.returncode == 0
    assert "did you mean bell?" in played.stderr
    assert "did you mean" not in played.stdout


def test_get_prints_the_value_alone(file: Path) -> None:
    """`config get` prints only the value, which may be the default, or empty for a name.

    The setting may be written in capitals. An unknown one gets a sentence and exit code 2.
    """
    assert config(file, "get", "bell").stdout == "turn\n"
    file.write_text('bell = "off"\n')
    assert config(file, "get", "BELL").stdout == "off\n"
    assert config(file, "get", "name", BONEYARD_NAME="").stdout == "\n"
    wrong = config(file, "get", "bel")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "There is no setting 'bel'; did you mean bell?\n"
