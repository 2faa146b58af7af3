"""The sources of settings: a person's variables and file. The language is read from them first."""

import os
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.exits import CommandFailed
from cli.files import read_file, read_toml
from cli.language import AS_SYSTEM, LANGUAGES, language_of
from netgame.io.disk.storage import seen_at

if TYPE_CHECKING:
    from cli.choices.kinds import OneOf

ENVIRONMENT: Final[ContextVar[Mapping[str, str]]] = ContextVar("environment", default=os.environ)
"""The variables of the person that this task serves; those of the process by default."""

LANGUAGE_KEY: Final = "language"
_NAME: Final = "config.toml"
FILE_BYTES_MAX: Final = 65_536
"""The limit of the settings file; one with every setting and its comment takes 3 kB."""


def language_kind() -> "OneOf[str]":
    """Return the kind of the language setting: `auto`, or the code of a language.

    The module of `OneOf` is imported only here: few people have chosen a language, and the import
    would take a fifth of the time of `--help`.
    """
    from cli.choices.kinds import OneOf

    return OneOf({each: each for each in (AS_SYSTEM, *LANGUAGES)})


def config_path() -> Path:
    """Return the path of the settings file, existing or not.

    It is in `BONEYARD_DATA` if that is set, else in the user's configuration folder.
    """
    folder = ENVIRONMENT.get().get("BONEYARD_DATA")
    if folder:
        return Path(folder).expanduser() / _NAME
    from platformdirs import user_config_path

    return user_config_path("boneyard", appauthor=False) / _NAME


def variable_of(key: str) -> str:
    """Return the name of a setting in the environment: `BONEYARD_BELL` for `bell`."""
    return f"BONEYARD_{key.upper().replace('-', '_')}"


def hold(key: str, word: str) -> None:
    """Set a setting for this task and those it starts, overriding the environment."""
    ENVIRONMENT.set({**ENVIRONMENT.get(), variable_of(key): word})


def is_kept(path: Path) -> bool:
    """Return True if there is a settings file, or anything else, at this path."""
    return seen_at(path) is not None


def file_keys(path: Path) -> dict[str, object]:
    """Return the keys that the file sets, not yet checked; empty if there is no file.

    Raises `CommandFailed` saying what is wrong with the file as a whole.
    """
    return read_toml(read_file(path, FILE_BYTES_MAX), path) if is_kept(path) else {}


def language_wanted() -> str:
    """Return the code of the language in the setting `language`, or else of the system.

    The environment comes before the file. Mistakes in either are ignored here, and reported when
    all settings are read.
    """
    environment, kept = ENVIRONMENT.get(), dict[str, object]()
    with suppress(CommandFailed):
        kept = file_keys(config_path())
    for raw in (environment.get(variable_of(LANGUAGE_KEY)), kept.get(LANGUAGE_KEY)):
        word = None if raw is None else language_kind().read(raw)
        if word == AS_SYSTEM:
            break
        if word is not None:
            return word
    return language_of(environment)
