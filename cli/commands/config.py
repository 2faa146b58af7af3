"""`boneyard config`: show what is set, where it is kept, or change one setting."""

import argparse

from cli.exits import CommandFailed, ExitCode
from cli.settings import SETTINGS, read_settings, save_setting, settings_path
from cli.visible import print_line


def run(options: argparse.Namespace) -> ExitCode:
    """Do what was asked for."""
    match options.action, options.words:
        case "path", []:
            print_line(str(settings_path()))
        case "set", [name, value]:
            save_setting(name, value)
            print_line(f"{name} is now {value!r}.")
        case "show", []:
            _show()
        case _:
            ways = "boneyard config show, boneyard config path, boneyard config set NAME VALUE"
            raise CommandFailed(ExitCode.USAGE, f"Type one of: {ways}")
    return ExitCode.OK


def _show() -> None:
    for name, value in read_settings().items():
        print_line(f'{name} = "{value}"')
        print_line(f"    {SETTINGS[name].comment} It can be {SETTINGS[name].values}.")
