"""`boneyard config`: show the settings and where each comes from, and change their file."""

import argparse
from typing import Final

from cli.choices.choice import find
from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.program import typed_in_shell
from cli.render.cells import hang, text_cells, wrap_words
from cli.render.palette import Span, plain_text
from cli.settings.chosen import read_settings
from cli.settings.declared import SETTINGS
from cli.settings.place import config_path, is_kept
from cli.settings.told import (
    explained,
    is_overruled,
    overruled_text,
    set_text,
    settings_lines,
    shown_text,
    unset_text,
)
from cli.streams import standard_error, window
from cli.visible import print_line

_COLUMNS_MAX: Final = 101
"""The most columns used, including the last one of a window, which stays empty."""


def run(options: argparse.Namespace) -> ExitCode:
    """Show the settings, or change the file; return `FAILED` if mistakes were shown, else `OK`.

    Raises `CommandFailed` for an unknown setting, a wrong value, or a file that cannot be changed.
    """
    if options.write:
        return _write()
    match options.action:
        case "path":
            print_line(str(config_path()))
            return ExitCode.OK
        case "get":
            return _get(options.key)
        case "set":
            return _set(options.key, options.value)
        case "unset":
            return _unset(options.key)
        case "show" if options.key is not None:
            return _show(options.key)
        case _:
            return _show_all()


def _show_all() -> ExitCode:
    """Show each setting on a line; the mistakes come last, where people see them.

    Returns `FAILED` if there are any, else `OK`.
    """
    settings, path = read_settings(), config_path()
    print_line(say("Settings in {path}", path=path))
    if not is_kept(path):
        _print(
            "",
            say(
                "There is no such file yet; {command} makes it.",
                command=typed_in_shell("config", "--write"),
            ),
        )
    for line in settings_lines(_window()):
        print_line(plain_text(line))
    _print("", say("What one is about: {command}", command=typed_in_shell("config", "show", "KEY")))
    for mistake in settings.mistakes:
        print_line(mistake)
    return ExitCode.FAILED if settings.mistakes else ExitCode.OK


def _show(key: str) -> ExitCode:
    """Explain one setting and say which value is in force; return `OK`.

    Raises `CommandFailed` for an unknown setting.
    """
    for head, text in explained(find(SETTINGS, key)):
        _print(head, text)
    return ExitCode.OK


def _get(key: str) -> ExitCode:
    """Print only the value in force; return `OK`, or raise `CommandFailed` for an unknown key."""
    setting = find(SETTINGS, key)
    print_line(shown_text(setting))
    return ExitCode.OK


def _print(head: str, text: str) -> None:
    """Print a text to the right of its `head`, wrapped at words."""
    room = max(12, _window() - 1 - text_cells(head))
    for line in hang(Span(head), wrap_words(text, room)):
        print_line(plain_text(line).rstrip())


def _window() -> int:
    """Return how many columns to use: those of the terminal, but at most `_COLUMNS_MAX`."""
    return min(window().columns, _COLUMNS_MAX)


def _set(key: str, word: str) -> ExitCode:
    setting = find(SETTINGS, key)
    print_line(set_text(setting, word))
    if is_overruled(setting):
        print_line(overruled_text(setting), standard_error())
    return ExitCode.OK


def _unset(key: str) -> ExitCode:
    print_line(unset_text(key))
    return ExitCode.OK


def _write() -> ExitCode:
    """Write the commented file and return `OK`; raises `CommandFailed` if a file exists there."""
    from cli.settings.file import commented_file, write_whole

    path = config_path()
    if is_kept(path):
        text = "{path} exists already. See the values in effect: {command}"
        command = typed_in_shell("config")
        raise CommandFailed(ExitCode.USAGE, say(text, path=path, command=command))
    write_whole(path, commented_file())
    print_line(say("Wrote {path}: every setting is in it, with its comment.", path=path))
    return ExitCode.OK
