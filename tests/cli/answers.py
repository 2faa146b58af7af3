"""Runs commands on records, tables and numbers of other versions, and keeps their answers.

`uv run python -m tests.cli.answers` rewrites the golden file `tests/cli/golden/answers.md`.
"""

import io
import json
import os
import secrets
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from unittest.mock import patch

import trio
import trio.testing

from cli.__main__ import main
from cli.choices.table import TABLE
from cli.exits import CommandFailed, ExitCode, as_failure
from cli.wording.notices import notice_text
from engine.notation.game import NotationProblem
from engine.notation.notation import parse
from engine.notation.referee import judge
from engine.rules.choose import SWITCHES
from engine.rules.revision import RULES_REVISION
from netgame.crypto.coin import table_id
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.network.streams import pair
from netgame.io.tables.seat import restore_core
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload, read_frames, sign_entry
from netgame.protocol.log.fault import Guilty
from netgame.protocol.notices import OtherRules
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.tree import ROOT, VECTORS

PAGE: Final = ROOT / "tests" / "cli" / "golden" / "answers.md"
SWITCH: Final = "target"
"""The numeric switch with the most values, one of which is the word `none`."""

_HEAD: Final = """\
# Answers about foreign and damaged files

What each command says of records, tables and numbers of another revision or version, of records cut
short, and of numbers spelled another way. protocol.md 6.2, 10 and 3 have the rules; *exit* is the
exit code. `uv run python -m tests.cli.answers` writes this file anew; a test compares.
"""


def page() -> str:
    """Collect all answers, and return them as the text of the golden file."""
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "XDG_CONFIG_HOME": os.devnull,
        "XDG_DATA_HOME": os.devnull,
    }
    with patch.dict(os.environ, environment, clear=True):
        return "\n".join((_HEAD, _of_records(), _of_tables(), _of_numbers()))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


# ---- records ----------------------------------------------------------------------------------


class _File(NamedTuple):
    """A record to ask about, and the revision of the rules that its reader has."""

    about: str
    octets: bytes
    revision: int = RULES_REVISION


def _files() -> Iterator[_File]:
    whole = (VECTORS / "logs" / "two-seats.bin").read_bytes()
    header, *frames = map(frame_payload, read_frames(whole)[0])
    later, older = (
        frame_payload(encode(wire.RecordHeader(PROTOCOL_VERSION + by))) for by in (1, -1)
    )
    rest = b"".join(frames)
    yield _File("a whole game", whole)
    yield _File("of an older revision", whole, RULES_REVISION + 1)
    yield _File("of a later version", later + rest)
    yield _File("of an older version", older + rest)
    yield _File("cut at a frame border", whole[: -len(frames[-1])])
    yield _File("cut inside a frame", whole[:-5])
    yield _File("cut inside the header", header[:-5])
    yield _File("empty", b"")


def _of_records() -> str:
    rows = []
    for file in _files():
        reader = patch("engine.rules.revision.RULES_REVISION", file.revision)
        with TemporaryDirectory() as folder, chdir(folder), reader:
            Path("record").write_bytes(file.octets)
            code, said = _run("verify", "record")
            _, told = _run("verify", "--json", "record")
            wrong, judged = _run("judge", "record")
            differs = json.loads(told[0])["differs"]
            back = trio.run(_back_with, file.octets)
        rows.append([file.about, said[0], str(code), differs, back, judged[-1], str(wrong)])
    verify = ["`verify`", "exit", "its `differs`"]
    head = ["a record", *verify, "`join`, back at its seat", "`judge`", "exit"]
    return f"## Records\n\n{_table(head, rows)}"


def _run(*words: str) -> tuple[int, list[str]]:
    """Run a command; return its exit code and the lines that it prints on both streams."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(list(words))
    return int(code), said.getvalue().splitlines()


async def _back_with(octets: bytes) -> str:
    """Restore a seat whose own record has these octets; return a sentence about the result."""
    with TemporaryDirectory() as data:
        opened = DataFolder(Path(data)).open_table(bytes(64), bytes(32))
        opened.close()
        (opened.path / "record").write_bytes(octets)
        folder = TableFolder(opened.path)
        try:
            core = restore_core(folder, _ANN, "Ann")
        except NetgameError as error:
            return _sentence(error).replace(str(folder.record.path), "record")
        finally:
            folder.close()
    step = core.ledger.state.step
    return f"goes on at step {step}" if step else "begins anew, and pulls all of it"


_ANN, _BEN = (Identity(bytes([number]) * 32) for number in (1, 2))


def _sentence(error: NetgameError) -> str:
    failure = as_failure(error)
    assert isinstance(failure, CommandFailed)
    return failure.sentence


# ---- tables -----------------------------------------------------------------------------------


def _of_tables() -> str:
    later, older = PROTOCOL_VERSION + 1, PROTOCOL_VERSION - 1
    rows = [
        ["a later version", *trio.run(_meet, later)],
        ["an older version", *trio.run(_meet, older)],
    ]
    for about, theirs in (("a later revision", 1), ("an older revision", -1)):
        notice = OtherRules(RULES_REVISION + theirs, RULES_REVISION)
        rows.append([about, notice_text(None, notice), str(int(ExitCode.REFUSED)), "nothing"])
    head = ["a table of", "`join`", "exit", "its host is told"]
    return f"## Tables\n\n{_table(head, rows)}"


async def _meet(version: int) -> tuple[str, str, str]:
    """Let a guest of this version meet a host of the protocol version `version`.

    Return the sentence that the guest reads, its exit code, and the sentence that the host reads.
    """
    near, far = pair()
    told = ["", ""]

    async def note(at: int, part: Awaitable[object]) -> None:
        try:
            await part
        except NetgameError as error:
            told[at] = _sentence(error)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(note, 0, Channel(_ANN).prove(near))
        nursery.start_soon(note, 1, Channel(_BEN, version).serve(far, Door(anybody=True)))
    return told[0], str(int(ExitCode.REFUSED)), told[1]


# ---- numbers ----------------------------------------------------------------------------------


def _of_numbers() -> str:
    words: dict[tuple[str, ...], list[str]] = {}
    vectors = json.loads((VECTORS / "numbers.json").read_text("ascii"))
    for word in dict.fromkeys(each["word"] for each in vectors["spellings"]):
        answers = _offered(word), _typed(word), _judged(word)
        words.setdefault(answers, []).append(word)
    rows = [[", ".join(map(_shown, spelled)), *answers] for answers, spelled in words.items()]
    head = ["a value", "offered: `verify` and `join`", "typed: `host --with`", "`with:` in `judge`"]
    numbers = SWITCHES[SWITCH].numbers
    about = (
        f"Spellings of a value for the switch `{SWITCH}`, a number from {numbers[0]} to "
        f"{numbers[-1]} or `none`;\n`tests/vectors/numbers.json` has those of other switches."
    )
    return f"## Numbers\n\n{about}\n\n{_table(head, rows)}"


_TAKEN: Final = "taken"
_SPELLED: Final = "taken in its one spelling"


def _shown(word: str) -> str:
    """Quote a word as JSON, so that invisible characters show; shorten a long one."""
    short = f"{word[:3]}…{word[-3:]}" if len(word) > 12 else word
    return f"`{json.dumps(short, ensure_ascii=False)}`"


def _offered(word: str) -> str:
    """Return the answer to an offer with this value.

    Assert that `verify` and a table agree on whether the offer is valid.
    """
    offer = wire.Settings("standard", (f"{SWITCH}={word}",), 6, 2, 1, 1, (), RULES_REVISION)
    host = _ANN.public
    opening = wire.OpenTable(host, bytes(32), offer)
    body = wire.Body(table_id(host, bytes(32)), 0, bytes(64), wire.CHAIR, 0, opening)
    signed = sign_entry(_ANN, body)
    judged = Ledger(body.id).judge(signed)
    file = [encode(wire.RecordHeader(PROTOCOL_VERSION)), encode(wire.RecordEntry(signed))]
    verdict = verify_record(b"".join(map(frame_payload, file)), secrets.token_bytes)
    assert isinstance(judged, Guilty) != verdict.ok
    if verdict.ok:
        return _TAKEN
    assert isinstance(judged, Guilty)
    return f"no such value: the host {judged.fault.finding.says} (7.11)"


def _typed(word: str) -> str:
    """Return the answer to a person who types this value for a new table."""
    meant = TABLE[SWITCH].spelled(word)
    return "refused, exit 2" if meant is None else _meant(word, meant)


def _meant(word: str, offered: str) -> str:
    return _TAKEN if offered == word else _SPELLED


def _judged(word: str) -> str:
    """Return the answer of `judge` to a written game with this value."""
    game = parse(f"rules: standard\nwith: {SWITCH}={word}\nset: 6\nseats: Ann Bob\n\n? over: no\n")
    if isinstance(game, NotationProblem):
        return "no notation, exit 2"
    bad = next((each for each in judge(game) if not each.ok), None)
    if bad is None:
        return _meant(word, SWITCHES[SWITCH].spelled(word))
    return f"`{bad.refusal.code.value}`, exit 1" if bad.refusal else "exit 1"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
