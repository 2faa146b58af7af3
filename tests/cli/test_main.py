"""Arguments, exit codes, the sentences for failures, and how much a start imports."""

import re
import socket
from argparse import SUPPRESS, _HelpAction, _SubParsersAction

import pytest

from cli.__main__ import main
from cli.arguments.parser import COMMANDS, LAB_COMMANDS, build_parser, read_arguments
from cli.exits import CommandFailed, ExitCode, as_failure
from cli.joining.person import own_name
from cli.language import capitalized
from engine.bots.levels import BotLevel
from engine.rules.revision import RULES_REVISION
from netgame.errors import Disconnected, DiskTrouble, LocalMisuse, Malformed, Refused, TimedOut
from netgame.limits import PROTOCOL_VERSION
from tests.cli.brackets import outside
from tests.cli.running import boneyard, complaint, offered, printed, run_python

WORDS = (*COMMANDS, *LAB_COMMANDS)


@pytest.mark.usefixtures("strict")
def test_help_is_in_the_language_that_was_chosen():
    """All help comes from a catalogue, except argparse's own text for `--help`."""
    parsers = [build_parser(whole=True)]
    for parser in parsers:
        assert not outside(f"{parser.description or ''} {parser.epilog or ''}")
        for action in parser._actions:
            if isinstance(action, _SubParsersAction):
                parsers += action.choices.values()
                assert not outside(" ".join(str(each.help) for each in action._choices_actions))
            elif not isinstance(action, _HelpAction) and action.help != SUPPRESS:
                assert not outside(action.help), action.help


@pytest.mark.parametrize(
    ("words", "languages"),
    [
        (["rules", "standard", "--json"], ["es", "en"]),
        (["judge", "no-such-file"], ["es"]),
        (["judge", "--json", "no-such-file"], ["es", "en"]),
        (["rules", "standard"], ["es"]),
    ],
)
def test_json_is_in_english_whatever_the_language(words, languages, monkeypatch):
    """With `--json` a command speaks English, because programs read its output."""
    spoken = []
    monkeypatch.setenv("BONEYARD_LANGUAGE", "es")
    monkeypatch.setattr("cli.__main__.speak", spoken.append)
    main(words)
    assert spoken == languages


@pytest.mark.parametrize("columns", [40, 80])
def test_prose_in_help_is_as_wide_as_the_window(columns, monkeypatch):
    """Help is wrapped to the width of the window."""
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, build_parser().format_help().splitlines())) <= columns


@pytest.mark.parametrize("word", WORDS)
def test_every_command_has_help(word, capsys):
    """Every command has help, which needs no table, folder or network."""
    with pytest.raises(SystemExit) as left:
        read_arguments([word, "--help"])
    assert left.value.code == 0
    assert f"boneyard {word}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("play", "--bots", "-1"),
        ("play", "--bots", "easy," * 13 + "easy"),
        ("play", "--with", "blanks"),
        ("play", "--seed", "99999999999999999999"),
        ("simulate",),
        ("simulate", "--tables", "0"),
        ("simulate", "--tables", "1", "--from", "18446744073709551616"),
        ("host", "--port", "99999"),
        ("verify",),
    ],
)
def test_nonsense_is_one_sentence_and_exit_2(arguments, capsys):
    """Wrong arguments get one sentence that points to `--help`, and exit code 2."""
    with pytest.raises(SystemExit) as left:
        read_arguments(list(arguments))
    assert left.value.code == 2
    text = capsys.readouterr().err
    assert len(text.splitlines()) == 1
    assert "--help" in text


def test_who_gives_a_command_a_word_too_many_is_sent_to_its_own_help(capsys):
    """The refusal of an extra word or option points to the command's own help."""
    with pytest.raises(SystemExit):
        read_arguments(["resume", "2", "--bots", "3"])
    said = "There is no option --bots here. See: boneyard resume --help\n"
    assert capsys.readouterr().err == said
    with pytest.raises(SystemExit):
        read_arguments(["resume", "2", "3"])
    assert capsys.readouterr().err == "Too many words: 3. See: boneyard resume --help\n"


def test_a_join_code_may_be_typed_with_blanks():
    """A join code may be typed with blanks, also after `--code`; other extra words are refused."""
    for typed in ("join 62 pickle river", "join --yes 62 pickle river --watch"):
        assert read_arguments(typed.split()).table == "62-pickle-river"
    assert (
        read_arguments(["join", "--code", "62", "pickle", "river", "ann"]).code == "62-pickle-river"
    )
    for typed in ("join ann zoe", "join 62 pickle", "join pickle river 62", "join 62 a river"):
        with pytest.raises(SystemExit):
            read_arguments(typed.split())


def test_a_command_that_is_mistyped_is_asked_back(capsys):
    """A command close to the mistyped word is suggested, and `--help` is always named."""
    with pytest.raises(SystemExit):
        read_arguments(["plya", "--bots", "3"])
    said = "There is no command plya; did you mean play? See: boneyard --help\n"
    assert capsys.readouterr().err == said
    with pytest.raises(SystemExit):
        read_arguments(["xyzzy"])
    said = "There is no command xyzzy. See: boneyard --help\n"
    assert capsys.readouterr().err == said


def test_an_option_before_a_word_is_blamed_and_not_the_word(capsys):
    """If a command's name is typed as an option, the refusal names the option and the command."""
    with pytest.raises(SystemExit):
        read_arguments(["--completion", "bash"])
    said = "There is no option --completion here; did you mean completion? See: boneyard --help\n"
    assert capsys.readouterr().err == said


def test_two_kinds_of_output_are_not_both_written():
    """`--json` with `--plain` is refused, since one of them would be dropped silently."""
    assert complaint("play", "--json", "--plain") == "Choose --json or --plain: not both.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "5"], "Lesson cannot be '5', only one of: 1, 2."),
        (["demo", "shufle"], "Cheat cannot be 'shufle'; did you mean shuffle?"),
        (["completion", "tcsh"], "Shell cannot be 'tcsh', only one of: bash, zsh, fish."),
        (["config", "unsett", "bell"], "Action cannot be 'unsett'; did you mean unset?"),
        (["solve", "12-3", "--by", "pip"], "--by cannot be 'pip'; did you mean pips?"),
        (["play", "--ruls", "walnut"], "There is no option --ruls here; did you mean --rules?"),
        (["play", "--bots", "easy,hardd"], "--bots cannot be 'hardd'; did you mean hard?"),
        (["help", "plya"], "There is no command plya; did you mean play?"),
    ],
)
def test_a_word_that_is_none_of_the_words_is_refused_in_our_own_sentence(words, said):
    """A wrong word is refused in the program's own sentence, without argparse's quoted lists."""
    place = "boneyard" if words[0] == "help" else f"boneyard {words[0]}"
    assert complaint(*words) == f"{said} See: {place} --help\n"


@pytest.mark.parametrize("word", [None, *WORDS])
def test_help_of_a_command_is_what_its_option_prints(word):
    """`boneyard help play` is `boneyard play --help`, and `boneyard help` is `boneyard --help`."""
    words = [] if word is None else [word]
    assert printed("help", *words) == printed(*words, "--help")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("play", "--rules", "nonsense"), "rules cannot be 'nonsense', only one of: standard, "),
        (("play", "--set", "6", "--bots", "8"), "9 seats"),
        (("play", "--set", "6", "--deal", "20"), "at most"),
        (("play", "--set", "6", "--rounds", "9"), "1 to 7 rounds"),
        (("play", "--bots", "0"), "Nobody plays alone"),
        (("play", "--seats", "2", "--bots", "3"), "do not fit"),
        (("play", "--seats", "5", "--bots", "2"), "have 4 bots for 5 seats (seats, bots)"),
        (("host", "--seats", "14", "--set", "6"), "14 seats"),
    ],
)
def test_a_table_that_cannot_be_says_why(arguments, part):
    """The refusal of an impossible table names the limit, or how to change the numbers."""
    with pytest.raises(CommandFailed) as failed:
        offered(*arguments)
    assert failed.value.code is ExitCode.USAGE
    assert part in failed.value.sentence


def test_play_fills_its_table_with_bots():
    """`--seats` or `--bots` sets the number of bots; without either, three bots play."""
    assert offered("play", "--bots", "2").settings.seats == 3
    assert offered("play", "--seats", "6").settings.seats == 6
    assert offered("play", "--bots", "Easy,normal").bots == (BotLevel.EASY, BotLevel.NORMAL)
    assert offered("play").bots == (BotLevel.NORMAL,) * 3


def test_a_host_offers_as_many_seats_as_the_deal_allows():
    """Without `--seats` a host offers all seats that the set allows.

    Without `--set`, a set is chosen that is large enough for the seats.
    """
    assert offered("host", "--seats", "3").settings.seats == 3
    assert offered("host", "--set", "12").settings.seats >= 8
    assert offered("host", "--seats", "10").settings.pip_max == 15


def test_names_come_from_option_environment_or_login_and_are_clean(monkeypatch):
    """The name comes from the option, the environment or the login, in this order of priority.

    Control characters are left out.
    """
    monkeypatch.setenv("BONEYARD_NAME", "Eve\x1b[31m")
    assert own_name(read_arguments(["play"])) == "Eve[31m"
    assert own_name(read_arguments(["play", "--name", "Ben"])) == "Ben"
    monkeypatch.delenv("BONEYARD_NAME")
    assert own_name(read_arguments(["play"]))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refused("full", "all seats are taken"), ExitCode.REFUSED),
        (Refused("discovery", "no network"), ExitCode.NOT_FOUND),
        (TimedOut("nobody answered"), ExitCode.NOT_FOUND),
        (Disconnected("gone"), ExitCode.NOT_FOUND),
        (Malformed("x is no address"), ExitCode.USAGE),
        (DiskTrouble("the disk is full"), ExitCode.FAILED),
        (CommandFailed(ExitCode.USAGE, "No."), ExitCode.USAGE),
    ],
)
def test_every_failure_has_its_exit_code_and_a_sentence(error, code):
    """Each failure has its exit code and a sentence, alone or within groups of exceptions."""
    for wrapped in (error, BaseExceptionGroup("g", [ExceptionGroup("h", [error])])):
        failure = as_failure(wrapped)
        assert failure.code is code
        assert failure.sentence in {
            "No.",
            f"{str(error)[:1].upper()}{str(error)[1:]}.",
            f"{error}.",
        }


def test_bugs_stay_visible_and_interrupts_stay_interrupts():
    """A bug is not reported as a failure, even together with one; an interrupt stays as it is."""
    assert as_failure(ValueError("bug")) is None
    assert as_failure(LocalMisuse("a bug of ours")) is None
    assert as_failure(ExceptionGroup("g", [ValueError("bug"), TimedOut("x")])) is None
    assert isinstance(as_failure(KeyboardInterrupt()), KeyboardInterrupt)


@pytest.mark.parametrize("command", [("verify", "record"), ("fuzz",), ("simulate", "--cheats")])
def test_what_a_command_without_a_table_lets_out_is_a_bug(command, monkeypatch):
    """A network error in a command that needs no network is not caught: it must be a bug."""

    def fail(_options):
        raise Malformed("a point that is none")

    room = "lab" if command[0] in LAB_COMMANDS else "cli"
    monkeypatch.setattr(f"{room}.commands.{command[0]}.run", fail)
    with pytest.raises(Malformed):
        main(command)


def test_help_imports_nothing_heavy():
    """Help imports no heavy module, such as cryptography or an event loop."""
    code = (
        "import sys\n"
        "from cli.__main__ import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'trio', 'prompt_toolkit', 'cryptography', 'msgspec', 'zeroconf'}\n"
        "heavy |= {'asyncio', 'inspect', 'hashlib'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_begins_with_what_it_does(command):
    """A command's help begins with its summary, right after the usage."""
    _, about, *_ = printed(command, "--help").split("\n\n")
    assert " ".join(about.split()) == f"{capitalized(COMMANDS[command])}."


def test_the_version_is_told():
    """`--version` also tells the versions of the protocol and the rules that players must share."""
    told = printed("--version")
    number, needs = told.splitlines()
    assert re.fullmatch(r"boneyard \d+(\.\d+)+", number)
    assert f"Protocol {PROTOCOL_VERSION}, rules revision {RULES_REVISION}:" in needs
    assert printed("-V") == told


@pytest.mark.parametrize("command", ["simulate", "fuzz", "bench"])
def test_the_laboratory_is_no_part_of_an_install(command, capsys, monkeypatch):
    """If the laboratory is not installed, each of its commands says so in one sentence.

    Help does not list these commands.
    """
    monkeypatch.setattr("cli.arguments.parser.find_spec", lambda name: None)
    more = {"simulate": ["--seeds", "1"], "fuzz": ["--inputs", "1"], "bench": []}
    assert main([command, *more[command]]) == ExitCode.USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"`boneyard {command}` is not part of an install")
    assert f"    {command} " not in build_parser().format_help()


def test_a_port_that_is_taken_is_one_sentence(tmp_path):
    """If somebody else listens on the host's port, the complaint names the port."""
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = boneyard("host", "--port", port, "--plain", "--seats", "2", data=tmp_path / "d")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(port) in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["play", "--plain", "--record", "no/such/folder/x"], 1, "no/such/folder"),
        (["resume", "--plain"], 3, "no table"),
        (["join", "here:there", "--plain"], 2, "port"),
        (["join", "127.0.0.1:1", "--plain"], 3, "127.0.0.1:1"),
        (["play", "--plain", "--data", "/dev/null/below"], 1, "/dev/null/below"),
        (["doctor", "nowhere:port"], 2, "not a port"),
        (["bench", "nonsense"], 2, "startup"),
    ],
)
def test_what_cannot_be_begun_is_one_sentence(words, code, part, tmp_path):
    """A command that cannot begin says why in one sentence, with its exit code."""
    assert part in complaint(*words, code=code, data=tmp_path)


@pytest.mark.campaign
def test_a_part_of_the_benchmark_is_a_table_or_json():
    """`bench startup` prints a table, or JSON with `--json`."""
    for form, part in ((), "boneyard --help"), (("--json",), '"ok"'):
        assert part in boneyard("bench", "startup", *form).stdout
