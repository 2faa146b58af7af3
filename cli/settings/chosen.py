"""What holds: a command-line option before the environment, that before the file, then the usual.

Whatever is wrong in file or environment is one sentence, and the usual value holds: a slip in a
file of preferences does not keep anybody from the table.
"""

import os
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

from cli.files import shown
from cli.guess import did_you_mean
from cli.language import say
from cli.settings.declared import SETTINGS, Setting
from cli.settings.place import config_path, file_keys

T = TypeVar("T")


class Origin(Enum):
    """Where a value comes from."""

    USUAL = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


class Found(NamedTuple):
    """What a setting is, and where that comes from."""

    value: object
    origin: Origin


class Settings(NamedTuple):
    """What somebody has set, and a sentence for each mistake in it."""

    found: Mapping[str, Found]
    mistakes: tuple[str, ...]


def chosen(setting: Setting[T], option: T | None = None) -> T:
    """Return what holds for a setting, of which the command line has said `option`."""
    if option is not None:
        return option
    value = read_settings().found[setting.key].value
    return setting.usual if value is None else value  # type: ignore[return-value]


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read file and environment; what is wrong in them does not hold."""
    path = config_path(environment)
    mistakes: list[str] = []
    keys = file_keys(path)
    if isinstance(keys, str):
        mistakes.append(keys)
        keys = {}
    wrong = (why_not(key, raw) for key, raw in keys.items())
    mistakes += [f"{path}: {mistake}" for mistake in wrong if mistake is not None]
    found: dict[str, Found] = {}
    for key, setting in SETTINGS.items():
        found[key] = Found(setting.usual, Origin.USUAL)
        if (value := setting.kind.read(keys.get(key))) is not None:
            found[key] = Found(value, Origin.FILE)
        word = environment.get(setting.variable)
        if not word:
            continue
        if (value := setting.kind.read(word)) is not None:
            found[key] = Found(value, Origin.ENVIRONMENT)
        else:
            mistakes.append(_not_this(setting.variable, setting, word))
    return Settings(found, tuple(mistakes))


def no_such_setting(key: str) -> str:
    """Say which one might be meant, or which there are."""
    hint = did_you_mean(key, SETTINGS) or say("there are: {words}.", words=", ".join(SETTINGS))
    return say("There is no setting {key}; {hint}", key=shown(key), hint=hint)


def why_not(key: str, raw: object) -> str | None:
    """Say why a key cannot be this, and what would do; None if it can."""
    setting = SETTINGS.get(key)
    if setting is None:
        return no_such_setting(key)
    if setting.kind.read(raw) is None:
        return _not_this(key, setting, raw)
    return None


def _not_this(key: str, setting: Setting[object], raw: object) -> str:
    return say(
        "{key} is {words}, not {value}.", key=key, words=setting.kind.words, value=shown(raw)
    )
