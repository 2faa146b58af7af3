"""The value in force of a setting: the option, else the environment, the file or the default.

A mistake in the environment or the file is reported in one sentence, and the next source applies,
because a slip in a file of preferences must not keep anybody from the table.
"""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

from cli.choices.choice import Choice, find
from cli.exits import CommandFailed
from cli.settings.declared import SETTINGS
from cli.settings.place import ENVIRONMENT, config_path, file_keys, variable_of

T = TypeVar("T")


class Origin(Enum):
    """The source of a value."""

    USUAL = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


class Found(NamedTuple):
    """The value of a setting, and its origin."""

    value: object
    origin: Origin


class SettingsFound(NamedTuple):
    """All settings in force, by key, and a sentence for each mistake."""

    found: Mapping[str, Found]
    mistakes: tuple[str, ...]


def chosen(setting: Choice[T], option: T | None = None) -> T:
    """Return `option`, from the command line, unless it is None; else the value in force."""
    if option is not None:
        return option
    return read_settings().found[setting.key].value  # type: ignore[return-value]


def read_settings() -> SettingsFound:
    """Return every setting with its origin, and the mistakes found.

    A mistake raises nothing: a wrong value is ignored, and so is a file that cannot be read. An
    empty variable counts as unset.
    """
    environment, path = ENVIRONMENT.get(), config_path()
    mistakes: list[str] = []
    keys: dict[str, object] = {}
    try:
        keys = file_keys(path)
    except CommandFailed as failed:
        mistakes.append(failed.sentence)
    found = {key: Found(setting.usual, Origin.USUAL) for key, setting in SETTINGS.items()}
    for key, raw in keys.items():
        try:
            setting = find(SETTINGS, key)
            found[setting.key] = Found(setting.value(raw), Origin.FILE)
        except CommandFailed as failed:
            mistakes.append(f"{path}: {failed.sentence}")
    for key, setting in SETTINGS.items():
        try:
            if word := environment.get(variable := variable_of(key)):
                found[key] = Found(setting.value(word, variable), Origin.ENVIRONMENT)
        except CommandFailed as failed:
            mistakes.append(failed.sentence)
    return SettingsFound(found, tuple(mistakes))
