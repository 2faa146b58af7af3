"""`boneyard verify`: checks records, and lists the keys that signed them."""

import argparse
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.files import read_file
from cli.history.listing import ended_as
from cli.history.naming import data_at, game_meant, record_octets, record_of
from cli.language import say, say_count
from cli.render.grid import Column, Grid
from cli.render.palette import plain_text
from cli.visible import print_json, print_line
from cli.wording.departures import departure_text, owing_texts
from cli.wording.verdict import verdict_text
from netgame.crypto.batch import Begin, is_zero_sum
from netgame.io.abilities import ABILITIES
from netgame.io.disk.storage import inside
from netgame.io.disk.store import is_evidence
from netgame.io.entropy import fresh_octets
from netgame.io.tables.kept import SavedGame
from netgame.limits import EVIDENCE_FILES_MAX, RECORD_BYTES_MAX
from netgame.protocol.ledger.verdict import (
    KEYS_ARE_NOT_PEOPLE,
    FileFinding,
    RecordVerdict,
    Signatory,
)
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import read_frames
from netgame.protocol.text import fingerprint

_IN_JSON: Final[Mapping[FileFinding, tuple[str, str]]] = {
    FileFinding.WHOLE_GAME: ("record", "none"),
    FileFinding.UNFINISHED: ("record", "unfinished"),
    FileFinding.EVIDENCE: ("evidence", "none"),
    FileFinding.CUT_OFF: ("refused", "cut-off"),
    FileFinding.EMPTY: ("refused", "empty"),
    FileFinding.OTHER_VERSION: ("refused", "other-version"),
    FileFinding.OTHER_REVISION: ("refused", "other-revision"),
    FileFinding.BAD: ("refused", "none"),
}
"""The `kind` of a file, and how it `differs` from a whole good one [docs/programs.md]."""


def run(options: argparse.Namespace) -> ExitCode:
    """Verify each record; return `OK` if all hold and meet the expectations, else the highest code.

    A single file that cannot be read raises `CommandFailed`.
    """
    data = data_at(options.data)
    games = [game_meant(word, data) for word in options.file]
    alone = len(games) == 1
    codes = [
        _verify(word, game, options, alone=alone)
        for word, game in zip(options.file, games, strict=True)
    ]
    return max(codes)


def _verify(
    word: str, game: SavedGame | None, options: argparse.Namespace, *, alone: bool
) -> ExitCode:
    """Verify the record of a game, or else the file `word`, and print the verdict.

    Returns `OK` if it holds and meets every expectation, `FAILED` if it holds but does not meet
    them, else `BAD_FILE`. A file that cannot be read returns the code of its failure, or raises it
    if the file is `alone`.
    """
    name = word if game is None else str(record_of(game))
    try:
        octets = record_octets(word, game)
    except CommandFailed as problem:
        if alone:
            raise
        # the other files are verified all the same
        facts = {"file": name, "ok": False, "error": problem.sentence}
        if options.json:
            print_json(facts)
        else:
            print_line(problem.sentence)
        return problem.code
    verdict = _verified(octets)
    convicted = _convicted(Path(name), octets, verdict)
    missed = unmet(verdict, options.expect, options.head) if verdict.ok else ()
    if options.json:
        told = {
            "unmet": missed,
            "culprit": verdict.culprit,
            "convicted": [asdict(each) for each in convicted],
            "ok": verdict.ok and not missed,
        }
        print_json({"file": name, **_facts(verdict), **told, "note": KEYS_ARE_NOT_PEOPLE})
    else:
        ended = "" if game is None else ended_as(game, finished=verdict.finished)
        sentence = verdict_text(verdict, ended)
        print_line(sentence if alone else f"{name}: {sentence}")
        gone = [*map(departure_text, verdict.departures), *owing_texts(verdict.departures, least=2)]
        shown = (each.text for each in convicted)
        for line in (*gone, *shown, *who_lines(verdict.signers), *missed):
            print_line(line, indent="    " if line.startswith(" ") else "")
    if not verdict.ok:
        return ExitCode.BAD_FILE
    return ExitCode.FAILED if missed else ExitCode.OK


@dataclass(frozen=True, slots=True)
class Convicted:
    """A player convicted by an evidence file beside the game's record."""

    file: str
    accused: str
    check: str
    """The check of protocol.md 7 that the entry breaks."""
    gone: bool
    """True if the game went on without them."""
    text: str
    """All of this in a sentence."""


def _convicted(record: Path, octets: bytes, verdict: RecordVerdict) -> tuple[Convicted, ...]:
    """Return the players convicted by evidence files of the same table beside a record.

    They are in the order of the files' names; empty if the record is not good. If a fault did not
    stop the game, the record need not show it, and only the evidence file proves it.
    """
    if not verdict.finding.is_record or not verdict.entries:
        return ()
    begins = read_frames(octets)[0][:2]
    gone = {fingerprint(each.key) for each in verdict.departures}
    found: dict[str, Convicted] = {}
    files = [each for each in inside(record.parent) if is_evidence(each)]
    for file in files[:EVIDENCE_FILES_MAX]:
        try:
            evidence = read_file(file, RECORD_BYTES_MAX)
        except CommandFailed:
            continue
        if read_frames(evidence)[0][:2] != begins:
            continue
        judged = _verified(evidence)
        if judged.finding is not FileFinding.EVIDENCE or str(judged.says[0]) in found:
            continue
        is_gone = any(f"({key})" in judged.culprit for key in gone)
        text = "{proof} {file} proves it."
        if verdict.finished:
            text = "{proof} {file} proves it. The game went on, and {name} played on."
        if is_gone:
            text = "{proof} {file} proves it. The game went on without {name}."
        name = judged.culprit.rpartition(" (")[0]
        said = say(text, proof=judged.says[0].facts["fault"], file=file.name, name=name)
        found[str(judged.says[0])] = Convicted(
            file.name, judged.culprit, judged.check, is_gone, said
        )
    return tuple(found.values())


def _verified(octets: bytes) -> RecordVerdict:
    """Return the verdict on a record; its octets may be hostile.

    The proofs of a long record are checked in processes on the other cores, if there are any.
    """
    if not ABILITIES.get().starts_processes:
        return verify_record(octets, fresh_octets)
    others = len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)) - 1
    if not others or len(octets) < 1 << 20:  # four rounds of eight are too few for a second process
        return verify_record(octets, fresh_octets)
    with ProcessPoolExecutor(others, get_context("spawn")) as pool:
        begin: Begin = lambda *terms: pool.submit(is_zero_sum, *terms).result  # noqa: E731
        return verify_record(octets, fresh_octets, begin)


def who_lines(signers: Sequence[Signatory]) -> tuple[str, ...]:
    """Return a line for every key, then one saying what keys do not prove; empty without keys."""
    if not signers:
        return ()
    rows = [(each.name or say("(host)"), each.fingerprint, _did(each)) for each in signers]
    lines = Grid((Column(), Column(), Column()), rows).lines()
    return (*map(plain_text, lines), say(KEYS_ARE_NOT_PEOPLE))


def _facts(verdict: RecordVerdict) -> dict[str, object]:
    """Return a verdict as data for JSON, without the facts that depend on the arguments."""
    kind, differs = _IN_JSON[verdict.finding]
    return {
        "kind": kind,
        "sentence": verdict.sentence,
        "revision": verdict.revision,
        "finished": verdict.finished,
        "entries": verdict.entries,
        "steps": verdict.steps,
        "head": verdict.head,
        "names": verdict.names,
        "scores": verdict.scores,
        "winners": verdict.winners,
        "check": verdict.check,
        "signers": [asdict(each) for each in verdict.signers],
        "departures": [
            {
                **asdict(each),
                "key": each.key.hex(),
                "phase": each.phase.value,
                "text": departure_text(each),
            }
            for each in verdict.departures
        ],
        "differs": differs,
    }


def _did(signer: Signatory) -> str:
    signed = say_count("signed 1 entry", "signed {count} entries", signer.entries)
    parts = [signed if signer.entries else say("signed nothing")]
    if signer.bot:
        parts.append(say("a bot, it says"))
    if signer.tab:
        parts.append(say("in a browser tab, it says"))
    if signer.host and signer.name:
        parts.append(say("the host"))
    return ", ".join(parts)


def unmet(verdict: RecordVerdict, expected: Sequence[str], head: str | None) -> tuple[str, ...]:
    """Return a sentence for each expectation that the record does not meet; empty if it meets all.

    An expected key is given as 64 hex digits or as a fingerprint, the `head` by its first digits.
    """
    missed = [said for key in expected if (said := _why_not(verdict.signers, key))]
    if head is not None and not verdict.head.startswith(head):
        text = "Not the expected game: the final digest is {digest}, not {expected}."
        missed.append(say(text, digest=verdict.head, expected=head))
    return tuple(missed)


def _why_not(signers: Sequence[Signatory], key: str) -> str:
    """Return a sentence if no signer has this key, or it signed nothing; empty if it signed."""
    found = [each for each in signers if key in (each.key, each.fingerprint)]
    if any(each.entries for each in found):
        return ""
    text = "The expected key {key} is not among the players."
    if found:
        text = "The expected key {key} is named here, but signed nothing."
    return say(text, key=key)
