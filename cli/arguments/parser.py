"""The parser of the command line, with the arguments of the command that was typed.

Imports nothing slow, so that `--help` answers at once.
"""

import argparse
import sys
from collections.abc import Sequence
from gettext import gettext
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NoReturn

from cli.exits import MEANINGS, CommandFailed, ExitCode, sentence_of
from cli.language import capitalized, say
from cli.program import PROGRAM, installed_version, typed_in_shell
from cli.streams import is_terminal, standard_error, standard_output
from cli.visible import print_line, visible

if TYPE_CHECKING:
    from cli.render.palette import Line

TABLE_COMMANDS: Final = {
    "play": "play here against bots",
    "host": "open a table on this network",
    "join": "sit down at a table on this network",
    "resume": "return to a table after a crash or a break",
    "tables": "list the tables on this network",
}
"""The commands in `cli.commands.tables`; every other command has a module named after it."""

COMMANDS: Final = TABLE_COMMANDS | {
    "learn": "learn to play in five minutes, at a table of bots",
    "demo": "watch somebody cheat and get caught, in a minute",
    "rules": "list the rule sets, or explain one of them or a switch",
    "judge": "referee a game written down in notation",
    "verify": "check every byte of a record, or of evidence",
    "replay": "watch a recorded game again, move by move, or write it down",
    "games": "list the games you have played, with their numbers",
    "stats": "add up your games: won, average, best and worst, by rules and opponent",
    "standings": "rank everybody over the records of many tables",
    "sheet": "print the scores of one game, or write them as CSV, as JSON or as a plot",
    "review": "go through your moves in a recorded game: the best ones, and what the others cost",
    "solve": "find the longest train in any hand, real tiles included",
    "completion": "print a script that lets bash, zsh or fish complete commands",
    "config": "show your settings, or change them",
    "page": "see whether phones and laptops can play in a browser, or write the page for it",
    "share": "give this program to others on a network without internet",
    "doctor": "find out why this computer and others cannot find each other",
    "selftest": "try this install: terminal, disk, a table of four",
    "help": "explain a command, or list them all",
}
"""The purpose of each command. `cli.arguments.players` has a function for each one's arguments."""

LAB_COMMANDS: Final = {
    "arena": "play bots against bots to see which are better",
    "bench": "measure this program on this machine",
    "fuzz": "feed broken input to every reader",
    "simulate": "play many games without people, and check them",
}
"""The laboratory's commands, which a clone has and a player's install lacks."""

_ABOUT: Final = "Mexican Train dominoes for a LAN party: no server, and nobody to trust."
MENU: Final = "Without a command you get a menu, with the tables found on this network."


class _HelpFormatter(argparse.HelpFormatter):
    """Formats a help page without argparse's placeholder above the list of commands."""

    def _format_action(self, action: argparse.Action) -> str:
        told = super()._format_action(action)
        is_list = isinstance(action, argparse._SubParsersAction)
        return told.partition("\n")[2] if is_list else told


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one sentence and says where to read more."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of argparse
        super().__init__(**{"formatter_class": _HelpFormatter, **options})

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Return the namespace and an empty list; exit with code 2 at a mistake.

        A `CommandFailed` that the reader of an argument raises is a mistake, too: its sentence
        is the complaint.
        """
        try:
            found, unknown = super().parse_known_args(args, namespace)
        except CommandFailed as failed:
            self.error(failed.sentence)
        if unknown:
            self.error(self._why_unknown(unknown))
        return found, unknown

    def print_help(self, file: Any = None) -> None:  # noqa: ANN401 - as argparse has it
        """Print the help; at a terminal, with bold headings, and through a pager if it is long.

        Raises `CommandFailed` or `BrokenPipeError` if it cannot be written.
        """
        if file is not None or not is_terminal():
            super().print_help(file or standard_output())
            return
        from cli.screens.pager import show_page  # late, so that `--help` answers a pipe at once

        show_page(map(self._help_line, self.format_help().splitlines()))

    def _help_line(self, text: str) -> "Line":
        """Return one line of the help, with a heading or a leading "usage:" in bold."""
        from cli.render.palette import Paint, Span

        before = gettext("usage: ").strip()
        if text.startswith(before):
            return Span(before, Paint.STRONG), Span(text.removeprefix(before))
        headings = {f"{group.title}:" for group in self._action_groups}
        return (Span(text, Paint.STRONG if text in headings else Paint.PLAIN),)

    def error(self, message: str) -> NoReturn:
        """Print the complaint and the `--help` command to standard error; exit with code 2."""
        complaint = sentence_of(visible(message))
        sentence = _referring(complaint, self.prog)
        print_line(sentence, standard_error())
        sys.exit(2)

    def _why_unknown(self, words: Sequence[str]) -> str:
        """Return a complaint naming the unknown option and a similar one, or the extra words."""
        option = next((word for word in words if word.startswith("-")), "").partition("=")[0]
        if not option:
            return say("Too many words: {words}.", words=" ".join(words))
        from cli.guess import did_you_mean  # late: importing it takes time

        named = option.lstrip("-")
        hint = did_you_mean(named, [named]) if named in COMMANDS else ""
        if hint := hint or did_you_mean(option, self._option_string_actions):
            return say("There is no option {word} here; {hint}", word=option, hint=hint)
        return say("There is no option {word} here.", word=option)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Exit with code 2 and a sentence of `Choice.why_not` for a word that is not a choice."""
        if action.choices is None or value in action.choices:
            return
        from cli.choices.choice import Choice  # late, so that `--help` answers at once
        from cli.choices.kinds import OneOf

        named = "".join(action.option_strings[:1]) or str(action.metavar or action.dest).lower()
        words = {str(each): str(each) for each in action.choices}
        self.error(Choice(named, "", OneOf(words), "").why_not(value))

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Return argparse's matches for a shortened option, except options hidden from `--help`."""
        found = super()._get_option_tuples(option_string)
        return [each for each in found if each[0].help != argparse.SUPPRESS]


class _Version(argparse.Action):
    """The action of `--version`; it looks up the version only when used, because that is slow."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> NoReturn:
        """Print the installed version and the versions that all at a table must share; exit 0."""
        from engine.rules.revision import RULES_REVISION
        from netgame.limits import PROTOCOL_VERSION

        print_line(f"boneyard {installed_version() or say('(not installed)')}")
        text = "Protocol {version}, rules revision {revision}: a table needs the same of everybody."
        print_line(say(text, version=PROTOCOL_VERSION, revision=RULES_REVISION))
        parser.exit()


def build_parser(command: str | None = None, *, whole: bool = False) -> _Parser:
    """Return a parser that knows the names of all commands, but only the arguments of `command`.

    It knows no arguments if `command` is None or unknown. With `whole` it knows the arguments of
    every command for players, but no laboratory commands. Without `whole` it lists the laboratory
    commands if `lab` can be imported.
    """
    codes = "; ".join(f"{code.value} {say(meaning)}" for code, meaning in MEANINGS.items())
    epilog = f"{say(MENU)} {say('Exit codes: {codes}.', codes=codes)}"
    parser = _Parser(prog=PROGRAM, description=say(_ABOUT), epilog=epilog)
    parser._positionals.title = say("commands")
    about = say("print the version")
    parser.add_argument("-V", "--version", action=_Version, nargs=0, help=about)
    about = say("log what happens to a file, and say which")
    parser.add_argument("--verbose", action="store_true", help=about)
    parser.set_defaults(json=False, plain=False, wall=False, code="")
    add = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    lab = LAB_COMMANDS if _has_lab() and not whole else {}
    for name, told in (COMMANDS | lab).items():
        about = say(told)
        parser_of_name = add.add_parser(name, help=about, description=f"{capitalized(about)}.")
        if whole or name == command:
            home = "cli.arguments.players" if name in COMMANDS else "lab.commands.arguments"
            getattr(import_module(home), name)(parser_of_name)
    return parser


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read `argv`, or the arguments of this program if `argv` is None.

    `command` is None in the result if none was typed. Raises `SystemExit` for `--help` and
    `--version` (code 0) and for wrong arguments (code 2), and `CommandFailed` for a laboratory
    command if `lab` cannot be imported.
    """
    words = sys.argv[1:] if argv is None else argv
    command = next((word for word in words if not word.startswith("-")), None)
    parser = build_parser(command)
    if command is not None and (why := _why_no_command(command)):
        before = words[: words.index(command)]
        unknown = [word for word in before if word not in parser._option_string_actions]
        parser.error(parser._why_unknown(unknown) if unknown else why)
    if command == "join":
        from cli.arguments.players import with_code_as_word  # late, like all arguments

        words = with_code_as_word(words)
    return parser.parse_args(words)


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command; raises `CommandFailed` if there is no such command."""
    if why := _why_no_command(command):
        raise CommandFailed(ExitCode.USAGE, _referring(why, PROGRAM))
    actions = build_parser(command)._actions
    (commands,) = (each for each in actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = commands.choices[command]
    return found


def _why_no_command(word: str) -> str:
    """Return a sentence saying that the command is unknown, and what was perhaps meant.

    Empty if the command is known. Raises `CommandFailed` for a laboratory command if `lab` cannot
    be imported.
    """
    if word in LAB_COMMANDS and not _has_lab():
        sentence = (
            "`boneyard {command}` is not part of an install. Run it from a clone of the project, "
            "with `uv run`."
        )
        raise CommandFailed(ExitCode.USAGE, say(sentence, command=word))
    known = {*COMMANDS, *(LAB_COMMANDS if _has_lab() else ())}
    if word in known:
        return ""
    from cli.guess import did_you_mean  # late: importing it takes time

    if hint := did_you_mean(word, known):
        return say("There is no command {word}; {hint}", word=word, hint=hint)
    return say("There is no command {word}.", word=word)


def _referring(complaint: str, program: str) -> str:
    """Return a complaint followed by the `--help` command to type for more."""
    called = typed_in_shell(*program.split()[1:])
    return say("{complaint} See: {program} --help", complaint=complaint, program=called)


def _has_lab() -> bool:
    return find_spec("lab") is not None
