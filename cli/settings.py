"""What a player has chosen once and for all: `config.toml` in the platform's folder.

Each setting is declared once, with its comment, what it can be and its default. What a command is
told goes before what its environment says, and that before the file.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from engine.bots.levels import LEVELS

_FILE: Final = "config.toml"
_BYTES_MAX: Final = 65_536
_NAME_CHARS_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `good` says whether a text can be its value, `values` what it can be."""

    comment: str
    default: str
    values: str
    good: Callable[[str], bool]


def _one_of(comment: str, *words: str) -> Setting:
    """Declare a setting that is one of these words, the first being its default."""
    return Setting(comment, words[0], ", ".join(words), words.__contains__)


SETTINGS: Final[Mapping[str, Setting]] = {
    "name": Setting(
        "Your name at the table; empty: that of your login.",
        "",
        f"a name of up to {_NAME_CHARS_MAX} letters",
        lambda text: len(text) <= _NAME_CHARS_MAX and text.isprintable(),
    ),
    "level": _one_of(
        "How well bots play that are not told otherwise.",
        *("normal", *(level for level in LEVELS if level != "normal")),
    ),
}


def settings_path() -> Path:
    """Return the file: in `BONEYARD_DATA`, or where this system keeps a user's settings."""
    chosen = os.environ.get("BONEYARD_DATA")
    if chosen:
        return Path(chosen).expanduser() / _FILE
    from platformdirs import user_config_path

    return user_config_path("boneyard", appauthor=False) / _FILE


def read_settings() -> dict[str, str]:
    """Return every setting, the default for what the file does not name.

    Raises `CommandFailed` for a file that cannot be read, an unknown name or a wrong value.
    """
    found = {name: each.default for name, each in SETTINGS.items()}
    try:
        text = _text()
        for name, value in tomllib.loads(text).items():
            found[name] = _checked(name, value)
    except CommandFailed as problem:
        raise CommandFailed(problem.code, f"{settings_path()}: {problem.sentence}") from None
    except (OSError, ValueError) as error:
        raise CommandFailed(ExitCode.USAGE, f"{settings_path()}: {error}.") from None
    return found


def name_is_known() -> bool:
    """Whether the player has said once what their name is."""
    return bool(os.environ.get("BONEYARD_NAME") or read_settings()["name"])


def _text() -> str:
    try:
        with settings_path().open("rb") as file:
            return file.read(_BYTES_MAX).decode()
    except FileNotFoundError:
        return ""


def _checked(name: str, value: object) -> str:
    """Return a value that the setting can have; raises `CommandFailed` with what it can be."""
    setting = SETTINGS.get(name)
    if setting is None:
        known = ", ".join(SETTINGS)
        raise CommandFailed(ExitCode.USAGE, f"There is no setting {name}; there are: {known}.")
    if not isinstance(value, str) or not setting.good(value):
        raise CommandFailed(
            ExitCode.USAGE, f"{name} cannot be {value!r}; it can be {setting.values}."
        )
    return value


def save_setting(name: str, value: str) -> None:
    """Write one setting, comments kept; raises `CommandFailed` for what it cannot be."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    _checked(name, value)
    path = settings_path()
    try:
        text = _text()
        document = tomlkit.parse(text or template())
        document[name] = value
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
        draft.write_text(tomlkit.dumps(document), encoding="utf-8")
        draft.replace(path)
    except (OSError, ValueError, TOMLKitError) as error:
        raise CommandFailed(ExitCode.FAILED, f"Cannot write {path}: {error}.") from None


def template() -> str:
    """Return a file that names and explains every setting and has them at their defaults."""
    parts = ["# Boneyard's settings: boneyard config set NAME VALUE changes one.\n"]
    for name, each in SETTINGS.items():
        parts.append(f'\n# {each.comment}\n# It can be {each.values}.\n{name} = "{each.default}"\n')
    return "".join(parts)
