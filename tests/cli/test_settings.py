"""The settings of a player: declared once, kept with comments, wrong ones told in a sentence."""

import tomllib

from cli.settings import SETTINGS, template
from tests.cli.running import boneyard_here


def test_the_template_has_every_setting_at_its_default():
    """With a comment above each."""
    text = template()
    assert tomllib.loads(text) == {name: each.default for name, each in SETTINGS.items()}
    for each in SETTINGS.values():
        assert f"# {each.comment}" in text
        assert each.good(each.default)


def test_one_setting_is_changed_and_comments_stay(tmp_path):
    """Those of the player too; `show` and `path` tell."""
    path = tmp_path / "config.toml"
    assert boneyard_here("config", "path", data=tmp_path).stdout == f"{path}\n"
    assert boneyard_here("config", "set", "level", "hard", data=tmp_path).returncode == 0
    path.write_text(f"# mine\n{path.read_text()}")
    assert boneyard_here("config", "set", "name", "Zoé", data=tmp_path).returncode == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# mine\n")
    assert tomllib.loads(text) == {"name": "Zoé", "level": "hard"}
    assert 'level = "hard"' in boneyard_here("config", data=tmp_path).stdout


def test_what_cannot_be_is_one_sentence(tmp_path):
    """A name that is none, a value that is none, a file that is no TOML, words too many."""
    for words, told in (
        (("set", "colour", "red"), "There is no setting colour"),
        (("set", "level", "brilliant"), "level cannot be 'brilliant'; it can be normal"),
        (("set", "level"), "Type one of"),
        (("show", "level"), "Type one of"),
    ):
        done = boneyard_here("config", *words, data=tmp_path)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    for text in ("level = [", "level = 3", "lavel = 'easy'", "level = '\x07'"):
        (tmp_path / "config.toml").write_text(text)
        done = boneyard_here("config", data=tmp_path)
        assert done.returncode == 2
        assert "config.toml: " in done.stderr
        assert done.stderr.count("\n") == 1
