"""The settings file as text: written with comments, and changed without losing the user's edits.

A setting that is not set is in the file as a comment with its usual value, so that a person who
opens the file sees all settings. Setting it removes the `#`, and unsetting it puts the `#` back.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import wrap
from typing import Final, TypeVar

from cli.choices.choice import Choice, explained, toml_line
from cli.choices.kinds import Toml
from cli.exits import CommandFailed, ExitCode
from cli.files import cannot_write, read_file, read_toml
from cli.language import say
from cli.settings.declared import SETTINGS
from cli.settings.place import FILE_BYTES_MAX, config_path, file_keys, is_kept
from netgame.io.disk.storage import STORAGE

T = TypeVar("T")

_HEAD: Final = (
    "Boneyard's settings. Lines that begin with # do nothing: take the # away and change the "
    "value. `boneyard config` shows the values in effect. A variable such as "
    "BONEYARD_BELL=off overrides this file, and an option on the command line overrides both."
)


def commented_file() -> str:
    """Return the text of a file in which every setting is explained and none is set."""
    head = wrap(say(_HEAD), 98, initial_indent="# ", subsequent_indent="# ")
    return "\n".join([*head, "", *(f"{explained(each)}\n" for each in SETTINGS.values())])


def with_value(text: str, key: str, value: Toml) -> str:
    """Return the file's text with this key set, and everything else unchanged.

    Raises `CommandFailed` if that is impossible, for example if the file is not TOML.
    """
    line, keys = toml_line(key, value), _keys(text)
    if key in keys:
        tries = _with_lines(text, key, lambda old: f"{line}{_comment_of(old)}")
    else:
        commented = re.compile(rf"^#[ \t]*{re.escape(key)}[ \t]*=.*$", re.MULTILINE)
        tries = iter((commented.sub(lambda _: line, text, count=1), f"{line}\n{text}"))
    return _first_that_says(tries, keys | {key: value})


def without_value(text: str, key: str) -> str:
    """Return the file's text with this key unset, its line kept as a comment.

    The text is unchanged if the key is not set. Raises `CommandFailed` saying why the file cannot
    be changed.
    """
    keys = _keys(text)
    if key not in keys:
        return text
    del keys[key]
    return _first_that_says(_with_lines(text, key, lambda old: f"# {old}"), keys)


def _with_lines(text: str, key: str, change: Callable[[str], str]) -> Iterator[str]:
    """For each line that looks as if it set the key, yield the text with that line changed."""
    sets = re.compile(rf"[ \t]*(?P<quote>[\"']?){re.escape(key)}(?P=quote)[ \t]*=")
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if sets.match(line):
            yield "\n".join((*lines[:at], change(line), *lines[at + 1 :]))


def _comment_of(line: str) -> str:
    """Return the comment at the end of a line that sets a value, with the blanks before it."""
    for found in re.finditer(r"[ \t]*#", line):
        with suppress(CommandFailed):
            _keys(line[: found.start()])
            return line[found.start() :]
    return ""


def _keys(text: str) -> dict[str, object]:
    return read_toml(text.encode(), config_path())


def _first_that_says(tries: Iterable[str], wanted: dict[str, object]) -> str:
    """Return the first of the texts that sets exactly the wanted keys and values.

    A line may only look like a setting, so each text is parsed. Raises `CommandFailed` if no text
    will do.
    """
    for text in tries:
        with suppress(CommandFailed):
            if _keys(text) == wanted:
                return text
    raise CommandFailed(ExitCode.FAILED, say("This file can only be changed by hand."))


def set_typed(setting: Choice[T], word: str) -> str:
    """Write a typed value of a setting into the file; return how the value is shown.

    Raises `CommandFailed` if the word is not a value of this setting, saying what is accepted, or
    if the file cannot be read, changed or written.
    """
    value = setting.value(word)
    save_setting(config_path(), setting.key, setting.kind.toml(value))
    return setting.kind.shown(value)


def save_setting(path: Path, key: str, value: Toml | None) -> None:
    """Set a key in the file, or unset it if `value` is None.

    A new file also contains every other setting as a comment. Raises `CommandFailed` saying what is
    wrong with the file, which is then unchanged.
    """
    file_keys(path)
    text = commented_file()
    if is_kept(path):
        text = read_file(path, FILE_BYTES_MAX).decode("utf-8-sig").replace("\r\n", "\n")
    write_whole(path, without_value(text, key) if value is None else with_value(text, key, value))


def write_whole(path: Path, text: str) -> None:
    """Write the whole file or nothing, creating its folder if that is missing.

    Raises `CommandFailed` if it cannot be written.
    """
    try:
        STORAGE.get().create_folder(path.parent)
        # a link to the file stays one
        STORAGE.get().replace(path.resolve(), text.encode(), 0o666)
    except OSError as error:
        raise cannot_write(path, error) from None
