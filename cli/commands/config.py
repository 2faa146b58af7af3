"""`boneyard config`: what is set, where that comes from, and the file to change it in."""

import argparse
import shutil
import sys
from typing import Final

from cli.choices.choice import find
from cli.exits import CommandFailed, ExitCode
from cli.language import say, speak
from cli.program import typed_in_shell
from cli.render.cells import hang, text_cells, wrap_words
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import Span, plain_text
from cli.settings.chosen import Origin, read_settings
from cli.settings.declared import LANGUAGE, SETTINGS
from cli.settings.place import config_path, file_keys, language_wanted, variable_of
from cli.visible import print_line

_COLUMNS_MAX: Final = 101
"""Of a wider window the rest is not used; nor is the last column of any."""
_WORDS_MIN: Final = 20
"""In a narrower column what a setting can be is left out."""


def run(options: argparse.Namespace) -> ExitCode:
    """Show the settings, or change the file; `FAILED` if mistakes were shown, else `OK`.

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
    """Show each setting on a line; mistakes come last, where they are seen.

    Returns `FAILED` if there are any, else `OK`.
    """
    settings, path = read_settings(), config_path()
    print_line(say("Settings in {path}", path=path))
    if not path.exists():
        _print(
            "",
            say(
                "There is no such file yet; {command} makes it.",
                command=typed_in_shell("config", "--write"),
            ),
        )
    rows: list[Row] = []
    for key, setting in SETTINGS.items():
        value, origin = settings.found[key]
        word = setting.kind.shown(value) or "-"
        rows.append((key, word, say(origin.value), setting.kind.brief))
    origins = max(text_cells(say(each.value)) for each in Origin)
    columns = (Column(gap=1), Column(), Column(least=origins))
    for line in Grid(columns, rows, Prose(least=_WORDS_MIN)).lines(_window()):
        print_line(plain_text(line))
    _print("", say("What one is about: {command}", command=typed_in_shell("config", "show", "KEY")))
    for mistake in settings.mistakes:
        print_line(mistake)
    return ExitCode.FAILED if settings.mistakes else ExitCode.OK


def _show(key: str) -> ExitCode:
    """Explain one setting, and say what holds; return `OK`.

    Raises `CommandFailed` for an unknown one.
    """
    setting = find(SETTINGS, key)
    found = read_settings().found[setting.key]
    value, words = setting.kind.shown(found.value) or say("not set"), setting.kind.words
    holds = say(
        "{key} is {value} ({origin}). {about}",
        key=setting.key,
        value=value,
        origin=say(found.origin.value),
        about=say(setting.about),
    )
    _print("", holds)
    told = {word: say(sentence) for word, sentence in setting.kind.sentences.items()}
    for word, sentence in (told if any(told.values()) else {say("can be"): words}).items():
        _print(f"  {word}: ", sentence)
    _print("", say("In the environment: {variable}", variable=variable_of(setting.key)))
    return ExitCode.OK


def _get(key: str) -> ExitCode:
    """Print the value that holds, and nothing else; `OK`, or `CommandFailed` for an unknown key."""
    setting = find(SETTINGS, key)
    print_line(setting.kind.shown(read_settings().found[setting.key].value))
    return ExitCode.OK


def _print(head: str, text: str) -> None:
    """Print a text behind its head, wrapped at words."""
    room = max(12, _window() - 1 - text_cells(head))
    for line in hang(Span(head), wrap_words(text, room)):
        print_line(plain_text(line).rstrip())


def _window() -> int:
    """Return the columns of the terminal, as far as they are used."""
    return min(shutil.get_terminal_size().columns, _COLUMNS_MAX)


def _set(key: str, word: str) -> ExitCode:
    # late, as nothing else writes settings
    from cli.settings.file import set_typed

    setting = find(SETTINGS, key)
    value = set_typed(setting, word)
    if setting is LANGUAGE:
        speak(language_wanted())
    print_line(
        say("{key} is now {value}: {path}", key=setting.key, value=value, path=config_path())
    )
    if read_settings().found[setting.key].origin is Origin.ENVIRONMENT:
        text = "But {variable} is set in this shell, and comes before the file."
        print_line(say(text, variable=variable_of(setting.key)), sys.stderr)
    return ExitCode.OK


def _unset(key: str) -> ExitCode:
    from cli.settings.file import save_setting

    path = config_path()
    if key not in file_keys(path):
        key = find(SETTINGS, key).key
    if path.exists():
        save_setting(path, key, None)
    found = read_settings().found
    word = SETTINGS[key].kind.shown(found[key].value) if key in SETTINGS else ""
    text = "{key} is no longer set. Its value is now {value}."
    print_line(say(text if word else "{key} is no longer set.", key=key, value=word))
    return ExitCode.OK


def _write() -> ExitCode:
    """Write the commented file, return `OK`; raises `CommandFailed` if a file is there."""
    from cli.settings.file import commented_file, write_whole

    path = config_path()
    if path.exists():
        text = "{path} exists already. See what holds: {command}"
        command = typed_in_shell("config")
        raise CommandFailed(ExitCode.USAGE, say(text, path=path, command=command))
    write_whole(path, commented_file())
    print_line(say("Wrote {path}: every setting is in it, with its comment.", path=path))
    return ExitCode.OK
