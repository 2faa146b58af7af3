"""`boneyard config`: what is set, where that comes from, and the file to change it in."""

import argparse
import shutil
import sys

from cli.drawn.cells import hang, pad, text_cells, wrap_words
from cli.drawn.palette import Span, plain_text
from cli.exits import CommandFailed, ExitCode
from cli.settings.chosen import Origin, config_path, read_settings
from cli.settings.declared import SETTINGS
from cli.visible import print_line

_COLUMNS_MAX = 100


def run(options: argparse.Namespace) -> ExitCode:
    """Show the settings, or change the file."""
    if options.write:
        return _write()
    match options.action:
        case "path":
            print_line(str(config_path()))
            return ExitCode.OK
        case "set":
            return _set(options.key, options.value)
        case "unset":
            return _unset(options.key)
        case _:
            return _show()


def _show() -> ExitCode:
    """Show each setting; mistakes come last, where they are seen."""
    settings, path = read_settings(), config_path()
    how = "" if path.exists() else " (not there yet; boneyard config --write makes it)"
    print_line(f"Settings in {path}{how}")
    words = {key: each.kind.shown(settings.found[key].value) for key, each in SETTINGS.items()}
    wide = [max(map(text_cells, column)) + 2 for column in (SETTINGS, words.values())]
    columns = min(shutil.get_terminal_size().columns - 1, _COLUMNS_MAX)
    for key, setting in SETTINGS.items():
        head = f" {pad(key, wide[0])}{pad(words[key] or '-', wide[1])}"
        head += pad(settings.found[key].origin.value, len(Origin.ENVIRONMENT.value) + 2)
        for line in hang(Span(head), wrap_words(setting.about, max(20, columns - len(head)))):
            print_line(plain_text(line).rstrip())
    for mistake in settings.mistakes:
        print_line(mistake)
    return ExitCode.FAILED if settings.mistakes else ExitCode.OK


def _set(key: str, word: str) -> ExitCode:
    # late, as nothing else writes settings
    from cli.settings.file import set_typed

    print_line(f"{key} is {set_typed(key, word)} from now on, by {config_path()}.")
    _tell_if_overruled(key)
    return ExitCode.OK


def _unset(key: str) -> ExitCode:
    from cli.settings.file import save_setting

    path = config_path()
    if path.exists():
        save_setting(path, key, None)
    found = read_settings().found
    word = SETTINGS[key].kind.shown(found[key].value) if key in SETTINGS else ""
    print_line(f"{key} is not set any more.{f' What holds is {word}.' if word else ''}")
    return ExitCode.OK


def _tell_if_overruled(key: str) -> None:
    if read_settings().found[key].origin is Origin.ENVIRONMENT:
        variable = SETTINGS[key].variable
        print(f"But {variable} is set in this shell, and comes before the file.", file=sys.stderr)


def _write() -> ExitCode:
    """Write the commented file where none is."""
    from cli.settings.file import commented_file, write_whole

    path = config_path()
    if path.exists():
        text = f"{path} exists already. See what holds: boneyard config"
        raise CommandFailed(ExitCode.USAGE, text)
    write_whole(path, commented_file())
    print_line(f"Wrote {path}: every setting is in it, with its comment.")
    return ExitCode.OK
