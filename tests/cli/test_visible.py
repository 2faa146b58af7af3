"""No command prints a character that a terminal would obey, whatever names and files contain."""

import errno
import io
import json
import os
import resource
import subprocess
import sys
import unicodedata

import pytest
from msgspec.structs import replace

from cli.commands import doctor
from cli.commands import tables as table_commands
from cli.exits import CommandFailed, ExitCode
from cli.render.cells import clip, pad, text_cells, wrap_words
from cli.render.palette import plain_text
from cli.visible import Stream, guard_streams, is_c_locale, print_line, spelt, typed, visible
from netgame.errors import NetgameError
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.survey import NetworkFacts, Reached
from tests.cli.running import boneyard_here, environment
from tests.sliced import sliced
from tests.tree import ROOT

ZERO_WIDTH = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d\u2060\u2061\u2064\u3164\ufe0f\ufeff\uffa0\U000e0100"  # noqa: E501
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = "".join(map(chr, [*range(1, 32), *range(127, 160)]))
OTHERS = "\u00ad\u2028\u2029\ufff9\U000e0001\U0001d173\udc80\udcff\ud83d\ude00"
HOSTILE = CONTROLS + BIDI + ZERO_WIDTH + OTHERS
SAMPLES = (
    "\x1b]0;owned\x07", "\x1b[2J\x1b[1;1H", "\x9b31m", "\x90q\x9c", "a\rOk.\x1b[K", "x\nOk. forged",
    "\u202egpj.exe", "A\u200bnn", "A\u2066\u2069", "a" + "\u0301" * 30, "\udcff\udc9b", "\x08" * 9,
)  # fmt: skip


class Window(io.StringIO):
    """A terminal that keeps what is printed on it."""

    def isatty(self):
        """Return True, as for a terminal."""
        return True


def test_a_sentence_is_broken_between_words_at_a_terminal_alone(monkeypatch):
    """A terminal gets lines broken between words, never within a path; a pipe gets one line."""
    monkeypatch.setenv("COLUMNS", "30")
    text = "  12  Ann\u0301 played until/the/very/last/tile/of/the/table was 漢字 played, it says"
    window, pipe = Window(), io.StringIO()
    print_line(text, window, indent="    ")
    print_line(text, pipe)
    lines = window.getvalue().splitlines()
    assert pipe.getvalue() == f"{text}\n"
    assert [word for line in lines for word in line.split()] == text.split()
    assert len(lines) > 2
    assert all(line.startswith("    ") for line in lines[1:])
    assert all(len(line) <= 30 or len(line.split()) == 1 for line in lines)
    print_line("x" * 30, short := Window())
    assert short.getvalue() == f"{'x' * 30}\n"


def forbidden(text):
    """Return the characters of a text that must not reach a terminal; line feeds are allowed."""
    return {
        char
        for char in text.replace("\n", "")
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in ZERO_WIDTH
    }


def run(*arguments, **how):
    """Run a command, and return how it ended and what it printed.

    Check that it prints something, and nothing that a terminal would obey.
    """
    done = boneyard_here(*arguments, **how)
    assert done.stdout + done.stderr, arguments
    assert not forbidden(done.stdout + done.stderr), done
    return done


def test_visible_shows_every_hostile_character_and_changes_no_other():
    """Hostile characters are escaped as in JSON, and all others stay as they are."""
    for char in HOSTILE:
        shown = visible(f"a{char}b")
        assert shown.isascii()
        assert json.loads(f'"{shown}"') == f"a{char}b"
    for kept in ("plain", "Zoë", "名前", "e\u0301", "\U0001f600", "a\u00a0b", ""):
        assert visible(kept) == kept


def test_what_is_written_as_an_escape_takes_the_room_of_one():
    """Measuring, padding, clipping and wrapping count a hidden character as wide as its escape."""
    for char in HOSTILE:
        name = f"a{char}b"
        shown = visible(name)
        assert text_cells(name) == len(shown)
        assert len(visible(pad(name, 20))) == 20
        assert visible(clip(name, 6, "~")) == f"{shown[:5]}~"
        lines = wrap_words(f"{name} {name} {name}", 30)
        assert max(len(visible(plain_text(line))) for line in lines) <= 30


def test_a_stream_keeps_lines_and_json_its_meaning():
    """A stream escapes control characters except line feeds, and JSON keeps its meaning."""
    inner = io.StringIO()
    stream = Stream(inner)
    print("one\ntwo\r\x1b", file=stream)
    assert inner.getvalue() == "one\ntwo\\u000d\\u001b\n"
    inner.seek(0)
    inner.truncate()
    facts = {"name": "A\u202e\u200b\x9b\U000e0001"}
    print(json.dumps(facts, ensure_ascii=False), file=stream)
    assert json.loads(inner.getvalue()) == facts
    assert not forbidden(inner.getvalue())


class Full(io.StringIO):
    """An output on which every write and flush fails, by default because the disk is full."""

    def __init__(self, code=errno.ENOSPC):
        super().__init__()
        self.code = code

    def write(self, text=""):
        """Raise OSError with the code of this output."""
        raise OSError(self.code, os.strerror(self.code))

    flush = write


def test_an_output_without_room_is_a_sentence():
    """A full disk raises CommandFailed with a sentence; a closed pipe raises BrokenPipeError."""
    stream = Stream(Full())
    with pytest.raises(CommandFailed, match="Cannot write the output: No space"):
        print("text", file=stream)
    with pytest.raises(CommandFailed, match="Cannot write the output: No space"):
        stream.flush()
    with pytest.raises(BrokenPipeError):
        print("text", file=Stream(Full(errno.EPIPE)))


def _no_room():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_full_disk_under_the_output_ends_a_command_with_a_sentence(tmp_path):
    """A command that cannot write its output ends with code 1 and one sentence, no traceback."""
    with (tmp_path / "out").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli", "rules"],
            cwd=ROOT, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True,
            check=False, preexec_fn=_no_room,
        )  # fmt: skip
    lines = done.stderr.splitlines()
    assert (done.returncode, lines) == (1, ["Cannot write the output: File too large."])


def test_a_program_without_any_stream_does_its_work(tmp_path):
    """Without any open stream, as in a service, a command still ends with its exit code."""
    words = ("sheet", "last", "--data", tmp_path)
    closed = 'exec "$@" <&- >&- 2>&-'
    done = subprocess.run(
        ["sh", "-c", closed, "sh", sys.executable, "-m", "cli", *words],
        cwd=ROOT, env=environment(), check=False,
    )  # fmt: skip
    assert done.returncode == ExitCode.NOT_FOUND


@pytest.mark.parametrize(
    ("line", "meant"),
    [("play\x1a 9-4", "play 9-4"), ("9-4\tm\x00", "9-4 m"), ("say a\u202eb", "say ab"),
     ("a\nb\x85c", "a b c"), ("\ufeffhelp", "help"), ("\ud83d", "")],
)  # fmt: skip
def test_keys_that_show_nothing_are_not_typed(line, meant):
    """In a typed line, separators become spaces, and other invisible characters are dropped."""
    assert typed(line) == meant


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_argument_reaches_the_terminal_as_it_is(sample, tmp_path, monkeypatch):
    """Each of these commands refuses a hostile argument in one line of visible characters."""
    monkeypatch.chdir(tmp_path)
    for arguments in (
        [sample], ["judge", sample], ["verify", sample], ["replay", sample], ["rules", sample],
        ["rules", f"{sample}.toml"], ["rules", "standard", "--with", f"{sample}=1"],
        ["rules", "standard", "--with", f"blanks={sample}"], ["rules", "--with", sample],
        ["rules", "--set", sample], ["rules", "--write", f"no/{sample}.toml"],
        ["play", "--rules", sample], ["play", "--bots", sample], ["play", f"--{sample}"],
        ["play", "--record", f"no/{sample}"], ["host", "--port", sample],
        ["join", f"{sample}:4747"], ["join", "--code", sample, "127.0.0.1:1"],
        ["resume", sample], ["bench", sample], ["fuzz", "--inputs", sample], ["fuzz", sample],
        ["simulate", "--seeds", sample], ["tables", sample], ["doctor", "--", sample, sample],
        ["solve", sample], ["solve", "9-4", "--from", sample],
    ):  # fmt: skip
        done = run(*arguments, data=tmp_path / "data")
        assert done.returncode, arguments
        assert len(done.stderr.splitlines()) == 1, (arguments, done.stderr)


@sliced("sample", SAMPLES, 6)
def test_no_file_reaches_the_terminal_as_it_is(sample, tmp_path):
    """Hostile text in game files, rule files and their names is never printed as it is."""
    folder = os.fsencode(tmp_path) + b"/"
    octets = sample.encode("utf-8", "surrogatepass")
    names = []
    for at, text in enumerate((
        octets, b"rules: " + octets, b"rules: standard\nset: 6\nseats: " + octets + b" B\n",
        b"rules: standard\nset: 6\nseats: A B\nfirst: A\nengine: 6-6\nhand A: 6-4\n" + octets,
        b"rules: standard\nset: 6\nseats: A B\nfirst: A\nengine: 6-6\nA 6-" + octets + b" A\n",
        octets + b" = 1", b'rules = "' + octets + b'"', b"name = '''" + octets + b"'''",
        b'[with]\nblanks = """' + octets + b'"""', b'"' + octets + b'" = 1',
    )):  # fmt: skip
        name = folder + octets.replace(b"/", b"").replace(b"\0", b"") + b"%d.toml" % at
        with open(name, "wb") as file:
            file.write(text)
        names.append(os.fsdecode(name))
    for name in names:
        for command in ("judge", "verify", "replay", "rules"):
            run(command, name)
        run("verify", "--json", name)
        run("rules", "--json", name)
        run("replay", "--notation", name)
        run("play", "--rules", name)
    run("judge", *names)


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_network_reaches_the_terminal_as_it_is(sample, tmp_path, monkeypatch):
    """Hostile text in advertisements and network findings is printed, but not as it is.

    In JSON it keeps its meaning. A sentence that it begins has a capital letter.
    """
    ad = TableAd(sample, "ab" * 64, sample, sample, 6, 1, 4, "lobby", (sample,), 4747)

    async def found(*_arguments, **_options):
        return (ad, replace(ad, phase="playing"))

    async def surveyed(_address):
        return NetworkFacts(
            interfaces=(), port=4747, tables=(ad,), browse_trouble=NetgameError(sample),
            reached=Reached(sample, trouble=NetgameError(sample)),
        )  # fmt: skip

    monkeypatch.setattr(table_commands, "find_tables", found)
    monkeypatch.setattr(doctor, "survey_network", surveyed)
    for arguments in (["tables"], ["tables", "--json"], ["doctor"], ["doctor", "--json"]):
        data = [] if arguments[0] == "tables" else ["--data", str(tmp_path / sample)]
        done = run(*arguments, *data)
        if arguments[-1] == "--json":
            texts = strings_in([json.loads(line) for line in done.stdout.splitlines()])
            assert any(sample[1:] in each for each in texts), arguments
        else:
            assert visible(sample)[1:] in " ".join(done.stdout.split()), arguments


def strings_in(value):
    """Yield the strings in a value that was read from JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value if isinstance(value, list) else value.values():
            yield from strings_in(each)


@pytest.mark.parametrize(
    ("environment", "is_c"),
    [
        ({}, False),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, False),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, False),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, True),
        ({"LC_CTYPE": "C.UTF-8"}, False),
    ],
)
def test_the_c_locale_is_one_that_was_asked_for(environment, is_c):
    """The user asks for the C locale by `LC_ALL`, `LC_CTYPE` or `LANG`; the first one set counts.

    Python itself sets `LC_CTYPE` to C.UTF-8 in the C locale, so for that value `LANG` decides.
    """
    assert is_c_locale(environment) == is_c


def test_what_an_encoding_lacks_is_spelt():
    """A character that an encoding lacks loses its accent, is spelt with others, or becomes `?`.

    An unknown encoding changes nothing.
    """
    assert spelt("Gül … 漢 ①", "ascii") == "Gul ... ? 1"
    assert spelt("Gül …", "utf-8") == "Gül …"
    assert spelt("Gül", "no-such-encoding") == "Gül"


@pytest.mark.parametrize(
    ("system", "terminal", "variables", "octets"),
    [
        ("win32", False, {}, "Zoë ●".encode()),
        ("win32", False, {"PYTHONIOENCODING": "cp1252"}, b"Zo\xeb ?"),
        ("win32", True, {}, b"Zo\xeb ?"),
        ("linux", False, {}, b"Zo\xeb ?"),
        ("win32", False, {"LC_ALL": "C"}, b"Zoe ?"),
    ],
)
def test_a_pipe_on_windows_carries_what_is_read_from_one(
    system, terminal, variables, octets, monkeypatch
):
    """On Windows the program writes UTF-8 to a pipe, unless a variable sets another encoding.

    A terminal, or a pipe on another system, keeps the encoding that it has.
    """
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    out = io.TextIOWrapper(io.BytesIO(), "cp1252", newline="")
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    guard_streams()
    print("Zoë ●", end="", flush=True)
    assert out.buffer.getvalue() == octets
