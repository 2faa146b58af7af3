"""Settings: which value applies, the sentences for mistakes, and a file that keeps its text."""

import os
import tomllib
from argparse import Namespace
from pathlib import Path

import pytest

from cli.arguments.parser import read_arguments
from cli.exits import CommandFailed
from cli.joining.person import own_name
from cli.settings.chosen import Origin, chosen, read_settings
from cli.settings.declared import BELL, NAME, SETTINGS, TIMES, Bell
from cli.settings.file import commented_file, save_setting, with_value, without_value, write_whole
from cli.settings.place import config_path, file_keys


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the test's settings file."""
    path = tmp_path / "boneyard" / "config.toml"
    monkeypatch.setenv("BONEYARD_DATA", str(path.parent))
    return path


def written(path: Path, text: str) -> Path:
    """Write this text into the file at `path`, and return the path."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_an_option_beats_the_environment_which_beats_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option beats the environment, which beats the file, which beats the default."""
    assert chosen(NAME) == ""
    written(file, 'name = "Bea"\nbell = "off"')
    assert (chosen(NAME), chosen(BELL)) == ("Bea", Bell.OFF)
    monkeypatch.setenv("BONEYARD_NAME", "Cy")
    assert (chosen(NAME), chosen(NAME, "Di"), chosen(BELL)) == ("Cy", "Di", Bell.OFF)
    assert read_settings().found["name"].origin is Origin.ENVIRONMENT
    assert read_settings().found["bell"].origin is Origin.FILE
    assert read_settings().found["times"].origin is Origin.USUAL


def test_a_pipe_in_place_of_the_file_is_one_sentence(file: Path) -> None:
    """A settings file that is a pipe or a device is refused unread, as reading might never end."""
    if not hasattr(os, "mkfifo"):
        return
    file.parent.mkdir()
    os.mkfifo(file)
    told = f"{file} is no file, but a pipe or a device."
    assert [str(each) for each in read_settings().mistakes] == [told]
    with pytest.raises(CommandFailed, match="is no file, but a pipe"):
        file_keys(file)
    file.unlink()
    file.symlink_to("/dev/zero")
    with pytest.raises(CommandFailed, match="is no file, but a pipe"):
        file_keys(file)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('bel = "off"', "There is no setting 'bel'; did you mean bell?"),
        ("colour_of_money = 3", "There is no setting 'colour_of_money'; there are: name,"),
        ("bell = [1]", "bell cannot be [1], only one of: off, turn, all."),
        ("times = 3", "times cannot be 3, only on or off (in a file true or false)."),
        ('name = "Draw"', "name cannot be 'Draw', only 1 to 20 letters"),
        ('name = "\\u001b\\u200b"', "name cannot be '\\x1b\\u200b', only 1 to 20"),
        ("name = 1979-05-27", "only 1 to 20 letters"),
        ("bell =", "Not valid TOML"),
        (f"times = {'9' * 5_000}", "a number in it is far too long"),
        (f"pace = {'9' * 400}", "only a number of seconds from 0 to 60, such as 2 or 0.5"),
        ("pace = nan", "pace cannot be nan, only a number of seconds from 0 to 60"),
    ],
)
def test_a_mistake_is_one_sentence_and_the_usual_value_holds(
    file: Path, text: str, told: str
) -> None:
    """Each mistake in the file gets one sentence with the file's path; the usual value applies."""
    written(file, text)
    (mistake,) = read_settings().mistakes
    assert mistake.startswith(f"{file}: ")
    assert told in mistake
    assert mistake.isprintable()
    assert (chosen(BELL), chosen(TIMES), chosen(NAME)) == (Bell.TURN, True, "")


def test_a_wrong_variable_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong value in an environment variable is reported, and the file's value applies."""
    written(file, "times = false")
    monkeypatch.setenv("BONEYARD_TIMES", "maybe")
    (mistake,) = read_settings().mistakes
    assert mistake.startswith("BONEYARD_TIMES cannot be 'maybe', only on or off")
    assert chosen(TIMES) is False


@pytest.mark.parametrize("name", ["Well done", "Please", "4-2", "Ann 9–4", "Ann back"])
def test_a_name_is_none_that_a_play_could_not_be_told_from(name: str) -> None:
    """A name is refused if it contains a tile or ends like a play, with a word such as "back"."""
    assert NAME.kind.read(name) is None
    assert NAME.kind.read(f"{name[:-1]}x Zoe") is not None


@pytest.mark.parametrize("name", ["m", "M2", "7", "draw", "Leave", "mexican", "engine"])
def test_what_means_something_at_a_table_is_no_name(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These words are refused as names in settings, options and logins.

    A longer name may begin with one of them.
    """
    assert NAME.kind.read(name) is None
    assert NAME.kind.read(f"{name} Zoe") == f"{name} Zoe"
    with pytest.raises(SystemExit):
        read_arguments(["play", f"--name={name}"])
    monkeypatch.setattr("getpass.getuser", lambda: name)
    assert own_name(Namespace(name=None, data=None, command="play")) == "player"


def test_every_setting_stands_in_the_file_as_a_comment() -> None:
    """A new settings file sets nothing; the commented line of each setting can be uncommented."""
    text = commented_file()
    assert tomllib.loads(text) == {}
    assert max(map(len, text.splitlines())) <= 100
    for key, setting in SETTINGS.items():
        usual = setting.usual if setting.example is None else setting.example
        (value,) = tomllib.loads(with_value(text, key, setting.kind.toml(usual))).values()
        assert setting.kind.read(value) == usual


def test_setting_takes_the_comment_sign_away_and_unsetting_brings_it_back() -> None:
    """Setting a value uncomments its line in place, and unsetting it makes the line a comment."""
    text = commented_file()
    changed = with_value(text, "bell", "off")
    where = text.splitlines().index('# bell = "turn"')
    assert changed.splitlines()[where] == 'bell = "off"'
    assert without_value(changed, "bell").splitlines()[where] == '# bell = "off"'


def test_what_people_wrote_stays() -> None:
    """Changing a setting keeps comments, blank lines, order and unknown keys."""
    text = '# mine\n\nbell = "off"  # hush\n\n# times = "tea"\nother = { a = 1 }\n[table]\nx = 2\n'
    assert with_value(text, "bell", "all") == text.replace('"off"', '"all"')
    assert without_value(text, "bell") == text.replace("bell", "# bell")
    assert with_value(text, "times", False) == text.replace('# times = "tea"', "times = false")
    assert with_value(text, "name", "Ann") == f'name = "Ann"\n{text}'
    assert without_value(text, "name") == text


def test_lines_that_only_look_like_a_setting_are_left_alone() -> None:
    """A line inside a multi-line string is not read as a setting; a quoted key is."""
    text = 'name = """\n# bell = "off"\nbell = "off"\n"""\n'
    assert tomllib.loads(with_value(text, "bell", "all"))["name"] == tomllib.loads(text)["name"]
    assert without_value(text, "bell") == text
    assert tomllib.loads(without_value('"bell" = "off"\ntimes = true\n', "bell")) == {"times": True}


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ('name = "a # b"  # note', 'name = "Ann"  # note'),
        ("name = 'a'# note # more", 'name = "Ann"# note # more'),
        ('name = "a # b"', 'name = "Ann"'),
        ("\"name\" = 'a' # note", 'name = "Ann" # note'),
        ("  name='a' # note", 'name = "Ann" # note'),
    ],
)
def test_a_comment_behind_a_value_stays_there(line: str, after: str) -> None:
    """A comment after a value stays; a `#` inside a string does not begin one."""
    assert with_value(f"# name\n{line}\ntimes = true\n", "name", "Ann") == (
        f"# name\n{after}\ntimes = true\n"
    )
    assert without_value(f"{line}\n", "name") == f"# {line}\n"


def test_a_value_of_several_lines_is_left_to_whoever_wrote_it() -> None:
    """A value of several lines is not changed: the refusal says to change it by hand."""
    text = 'bell = """\noff"""\n'
    for change in (lambda: with_value(text, "bell", "all"), lambda: without_value(text, "bell")):
        with pytest.raises(CommandFailed, match="only be changed by hand"):
            change()


def test_a_file_that_is_no_toml_is_not_written_over(file: Path) -> None:
    """A file that is not valid TOML is refused and left as it is."""
    written(file, "bell =")
    with pytest.raises(CommandFailed, match="Not valid TOML"):
        save_setting(file, "bell", "off")
    assert file.read_text() == "bell ="


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    """If a file is where the settings folder should be, one sentence says that writing fails."""
    (tmp_path / "folder").write_text("")
    with pytest.raises(CommandFailed, match="Cannot write"):
        write_whole(tmp_path / "folder" / "config.toml", "name = 'Ana'")


def test_a_link_to_the_file_stays_a_link(file: Path, tmp_path: Path) -> None:
    """If the settings file is a link, its target is changed, and the link stays."""
    kept = written(tmp_path / "kept" / "mine.toml", "times = true\n")
    file.parent.mkdir()
    file.symlink_to(kept)
    save_setting(file, "times", value=False)
    assert file.is_symlink()
    assert kept.read_text() == "times = false\n"


def test_the_file_is_where_the_system_keeps_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is in the user's settings folder, or where `BONEYARD_DATA` says."""
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("BONEYARD_DATA", raising=False)
    assert config_path().parts[-2:] == ("boneyard", "config.toml")
    monkeypatch.setenv("BONEYARD_DATA", "/x")
    assert config_path() == Path("/x/config.toml")
