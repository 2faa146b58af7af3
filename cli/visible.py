r"""The only way for text to reach the terminal, and for lines to come from it.

The protocol cleans the names of players when they arrive. File names, arguments, notation, table
files and the system's messages about them are not clean. So every sentence passes through
`visible`, and all output through `Stream` as a safety net. Some characters are commands to a
terminal, reorder the text around them, or show nothing. They are written as in JSON, such as
`\u202e`.
"""

import codecs
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TextIO, cast

from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.streams import (
    GONE,
    STREAMS,
    Streams,
    ask_line,
    can_draw,
    drop_closed_terminal,
    guard,
    is_terminal,
    standard_error,
    standard_output,
    window,
)

_MARKS_MAX: Final = 2
"""The most accents on one letter; more would overlap the lines above and below."""

_PROGRESS_CELLS: Final = 39


def visible(text: str) -> str:
    """Return `text` as one line that is safe on any terminal; plain text is unchanged.

    Control characters and characters that do not show are escaped as in JSON. So is every accent on
    a letter after the second.
    """
    return text if text.isascii() and text.isprintable() else _escaped(text, "")


def print_line(text: str, file: TextIO | None = None, indent: str = "") -> None:
    """Print a text as one line on `file`, by default standard output, and flush it.

    Characters that would break the line are made visible. At a terminal a sentence too wide for it
    is broken between words; further lines begin with `indent`.
    """
    out, shown = standard_output() if file is None else file, visible(text)
    for line in _broken(shown, indent) if is_terminal(out) else (shown,):
        _write(out, f"{line}\n")


def print_styled(text: str) -> None:
    """Print a line on standard output with its escape codes unchanged, and flush it.

    All other text in it must already be `visible`. Raises the same errors as `Stream.write`.
    """
    with _output_sentence():
        _write(open_door(), f"{text}\n")


def print_json(facts: Mapping[str, object]) -> None:
    """Print facts as one line of JSON on standard output, for programs, and flush it."""
    import json  # late, so that `--help` answers at once

    print_text(f"{json.dumps(facts, ensure_ascii=False)}\n")


def print_text(text: str) -> None:
    """Print a text that has its own line ends on standard output, and flush it.

    Raises the same errors as `Stream.write`.
    """
    _write(standard_output(), text)


def _write(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()


def print_octets(octets: bytes) -> None:
    """Write octets to standard output, which must not be a terminal.

    Raises the same errors as `Stream.write`.
    """
    out = standard_output()
    out.flush()
    with _output_sentence():
        out.buffer.write(octets)
        out.buffer.flush()


def _broken(text: str, indent: str) -> Iterable[str]:
    from wcwidth import wrap  # late, so that `--help` answers at once

    columns = window().columns
    if 2 * len(text) <= columns:
        return (text,)
    return wrap(
        text, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def say_progress(text: str) -> None:
    """Tell a person who waits at a terminal how far the work is, overwriting the last such text.

    An empty text wipes the line. A text should have at most 39 cells: the rest of a longer one is
    not wiped. Does nothing if standard error is not a terminal.
    """
    if is_terminal(standard_error()):
        told = visible(text).ljust(_PROGRESS_CELLS)
        _write(open_door(standard_error()), f"\r{told}\r")


def typed(line: str) -> str:
    """Return a typed line without control characters and others that show nothing.

    A tab, or another space that does not show, becomes a plain space.
    """
    return "".join(char if _shows(char) else " " * char.isspace() for char in line)


def folded(name: str) -> str:
    """Return a name without capitals and accents, for comparison with others."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _caseless(name: str) -> str:
    return _composed(name.casefold())


def named_so(names: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the indices of the names that are `text`, in order; empty if none is.

    Exact matches count first, else those without regard to case, else those without accents too.
    """
    return _closest(names, text, (_composed, _caseless, folded), str.__eq__)


def begun_so(names: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the indices of the names that begin with `text`, in order; empty if none does.

    Case is ignored, and so are accents if no name fits with them. All names begin with an empty
    text.
    """
    return _closest(names, text, (_caseless, folded), str.startswith)


def _closest(
    names: Sequence[str],
    text: str,
    forms: Iterable[Callable[[str], str]],
    fits: Callable[[str, str], bool],
) -> tuple[int, ...]:
    for form in forms:
        found = tuple(at for at, name in enumerate(names) if fits(form(name), form(text)))
        if found:
            return found
    return ()


def _escaped(text: str, kept: str) -> str:
    shown: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        fits = char in kept or (_shows(char) and marks <= _MARKS_MAX)
        shown.append(char if fits else _escape(char))
    return "".join(shown)


def _shows(char: str) -> bool:
    """Return True if a character only draws something, or leaves a gap, at its own position."""
    if char.isascii():
        return char.isprintable()
    # late, so that `--help` answers at once
    from netgame.protocol.text import INVISIBLE

    if ord(char) in INVISIBLE:
        return False
    return char.isprintable() or unicodedata.category(char) == "Zs"


def _escape(char: str) -> str:
    """Return a character escaped as in JSON, so that JSON output keeps its meaning."""
    octets = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{octets[at : at + 2].hex()}" for at in range(0, len(octets), 2))


class Stream:
    """A text output that makes all text `visible`, except line ends, before it writes it.

    The inner output does everything else.
    """

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> object:
        """Return the inner output's attribute, for everything not defined here."""
        return getattr(self.inner, name)

    def write(self, text: str) -> int:
        """Write `text` made visible, its lines kept; return its original length.

        Raises `CommandFailed` if the output cannot be written, and `BrokenPipeError` if nobody
        reads it any more. Text that a closed terminal does not take is lost.
        """
        plain = text.isascii() and text.replace("\n", "").isprintable()
        with _output_sentence():
            self.inner.write(text if plain else _escaped(text, "\n"))
        return len(text)

    def flush(self) -> None:
        """Flush the inner output; raises the same errors as `write`."""
        with _output_sentence():
            self.inner.flush()


class Drawing:
    """A text output that lets everything through; what is written to a closed terminal is lost.

    The inner output does everything else. There is no `buffer`, because a write that bypasses this
    class could fail.
    """

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> object:
        """Return the inner output's attribute, except `buffer`."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def write(self, text: str) -> int:
        """Write `text` and return its length; raises `OSError`."""
        with _closed_terminal_takes_all():
            self.inner.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the inner output; raises `OSError`."""
        with _closed_terminal_takes_all():
            self.inner.flush()


@contextmanager
def _output_sentence() -> Iterator[None]:
    try:
        with _closed_terminal_takes_all():
            yield
    except BrokenPipeError:  # nobody reads any more, and nothing is lost
        raise
    except OSError as error:
        text = "Cannot write the output: {reason}."
        reason = error.strerror or str(error)
        raise CommandFailed(ExitCode.FAILED, say(text, reason=reason)) from None


@contextmanager
def _closed_terminal_takes_all() -> Iterator[None]:
    """Drop an `OSError` from writing to a closed terminal.

    Its user is gone, but the program must still leave the table: SIGHUP, or the end of the input,
    makes it do so.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in GONE or not drop_closed_terminal():
            raise


_SPELT: Final = "boneyard.spelt"


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Return plain letters for letters that an encoding lacks, and the index to continue from.

    A character without a plain letter becomes `?`.
    """
    assert isinstance(error, UnicodeEncodeError), "only ever asked while something is written"
    lacking = error.object[error.start : error.end]
    plain = (unicodedata.normalize("NFKD", char).encode("ascii", "ignore") for char in lacking)
    return "".join(letters.decode() or "?" for letters in plain), error.end


codecs.register_error(_SPELT, _spell)


def spelt(text: str, encoding: str) -> str:
    """Return `text` in the letters that an encoding has.

    Other letters lose their accents or become `?`. An unknown encoding changes nothing.
    """
    try:
        return text.encode(encoding, _SPELT).decode(encoding)
    except LookupError:
        return text


def is_c_locale(environment: Mapping[str, str]) -> bool:
    """Return True if the user asks for the C locale.

    Python sets `LC_CTYPE` to C.UTF-8 in that locale, so that value does not tell what was asked.
    """
    asked = environment.get("LC_ALL") or environment.get("LC_CTYPE")
    if not asked or (asked == "C.UTF-8" and not environment.get("LC_ALL")):
        asked = environment.get("LANG") or asked
    return asked in ("C", "POSIX")


def guard_streams() -> None:
    """Wrap standard output and standard error in a `Stream`.

    A letter that the locale lacks is spelt without its accents, or becomes `?`. Python uses UTF-8
    in the C locale, but a user who asks for that locale wants ASCII. On Windows, consoles take any
    letter. Pipes and files there get UTF-8, in which lines are also read, because a code page
    lacks most letters. Streams that a shell has closed are replaced by the null device.
    """
    guard(_guarded)


@contextmanager
def served_by(streams: Streams) -> Iterator[None]:
    """Read from and write to these streams within the block, with a `Stream` around outputs."""
    output, errors = _door_before(streams.output), _door_before(streams.errors)
    before = STREAMS.set(streams._replace(output=output, errors=errors))
    try:
        yield
    finally:
        STREAMS.reset(before)


def _guarded(stream: TextIO) -> TextIO:
    if hasattr(stream, "reconfigure"):
        if is_c_locale(os.environ):
            stream.reconfigure(encoding="ascii", errors=_SPELT)
        elif sys.platform == "win32" and not (
            is_terminal(stream) or "PYTHONIOENCODING" in os.environ
        ):
            stream.reconfigure(encoding="utf-8", errors=_SPELT)
        else:
            stream.reconfigure(errors=_SPELT)
    return _door_before(stream)


def _door_before(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, Stream) else cast("TextIO", Stream(stream))


def forces_colours(environment: Mapping[str, str]) -> bool:
    """Return True if `FORCE_COLOR` or `CLICOLOR_FORCE` asks for colours even off a terminal.

    A variable that is empty or 0 asks for nothing. If `NO_COLOR` is set, return False.
    """
    asked = (environment.get(name) for name in ("FORCE_COLOR", "CLICOLOR_FORCE"))
    return not environment.get("NO_COLOR") and any(each not in (None, "", "0") for each in asked)


def goes_on(question: str) -> bool:
    """Ask a question and read a line; return False if it begins with q or the input has ended.

    At a terminal the question is erased again, because the text continues in its place.
    """
    try:
        answer, up = ask_line(f"{question}  "), "\x1b[A"
    except EOFError:
        answer, up = "q", ""
    if can_draw():
        _write(open_door(), f"{up}\r\x1b[J")
    return not answer.strip().lower().startswith("q")


def open_door(stream: TextIO | None = None) -> TextIO:
    """Return the output without its `Stream`, for drawings whose texts are all `visible`.

    By default that is standard output; a stream without the wrapper is returned as it is.
    """
    guarded = standard_output() if stream is None else stream
    return cast("TextIO", Drawing(guarded.inner)) if isinstance(guarded, Stream) else guarded
