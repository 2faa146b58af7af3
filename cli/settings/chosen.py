"""The value in force: the option, else the environment, else the file, else the default.

Whatever is wrong in file or environment is one sentence, and the usual value holds: a slip in a
file of preferences does not keep anybody from the table.
"""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

from cli.choices.choice import Choice, find
from cli.settings.declared import SETTINGS
from cli.settings.place import ENVIRONMENT, config_path, file_keys, variable_of

T = TypeVar("T")


class Origin(Enum):
    """Where a value comes from."""

    USUAL = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


class Found(NamedTuple):
    """The value of a setting, and where it comes from."""

    value: object
    origin: Origin


class Settings(NamedTuple):
    """The settings in force, and a sentence for each mistake among them."""

    found: Mapping[str, Found]
    mistakes: tuple[str, ...]


def chosen(setting: Choice[T], option: T | None = None) -> T:
    """Return what holds for a setting, of which the command line has said `option`."""
    if option is not None:
        return option
    value = read_settings().found[setting.key].value
    return setting.usual if value is None else value  # type: ignore[return-value]


def read_settings() -> Settings:
    """Read file and environment; what is wrong in them does not hold."""
    environment, path = ENVIRONMENT.get(), config_path()
    mistakes: list[str] = []
    keys = file_keys(path)
    if isinstance(keys, str):
        mistakes.append(keys)
        keys = {}
    found = {key: Found(setting.usual, Origin.USUAL) for key, setting in SETTINGS.items()}
    for key, raw in keys.items():
        known = find(SETTINGS, key)
        if isinstance(known, str):
            mistakes.append(f"{path}: {known}")
        elif (value := known.kind.read(raw)) is not None:
            found[known.key] = Found(value, Origin.FILE)
        else:
            mistakes.append(f"{path}: {known.why_not(raw)}")
    for key, setting in SETTINGS.items():
        word = environment.get(variable := variable_of(key))
        if word and (value := setting.kind.read(word)) is not None:
            found[key] = Found(value, Origin.ENVIRONMENT)
        elif word:
            mistakes.append(setting.why_not(word, variable))
    return Settings(found, tuple(mistakes))
