"""`boneyard verify`: whether a record holds, and which keys stand behind it."""

import argparse
import json
import os
import secrets
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context

from cli.exits import ExitCode, sentence_of
from cli.files import read_octets
from cli.visible import print_line
from netgame.crypto.batch import Begin, is_zero_sum
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol.ledger.record import verify_record
from netgame.protocol.ledger.verdict import KEYS_ARE_NOT_PEOPLE, RecordVerdict, Signatory


def run(options: argparse.Namespace) -> ExitCode:
    """Verify one file; `OK` if it holds and is what was expected."""
    octets = read_octets(options.file, RECORD_BYTES_MAX)
    verdict = _verified(octets)
    missed = unmet(verdict, options.expect, options.head) if verdict.ok else ()
    if options.json:
        facts = {"file": options.file, **asdict(verdict), "unmet": missed}
        facts |= {"kind": verdict.kind.value, "culprit": verdict.culprit}
        facts["ok"] = verdict.ok and not missed
        print(json.dumps({**facts, "note": KEYS_ARE_NOT_PEOPLE}, ensure_ascii=False))
    else:
        for line in (sentence_of(verdict.sentence), *who_lines(verdict.signers), *missed):
            print_line(line)
    return ExitCode.OK if verdict.ok and not missed else ExitCode.FAILED


def _verified(octets: bytes) -> RecordVerdict:
    """Have the proofs of a long record added up on the other cores, if there are any."""
    others = len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)) - 1
    if not others or len(octets) < 1 << 20:  # for four rounds of eight another would not pay
        return verify_record(octets, secrets.token_bytes)
    with ProcessPoolExecutor(others, get_context("spawn")) as pool:
        begin: Begin = lambda *terms: pool.submit(is_zero_sum, *terms).result  # noqa: E731
        return verify_record(octets, secrets.token_bytes, begin)


def who_lines(signers: Sequence[Signatory]) -> tuple[str, ...]:
    """Return a line for every key, and what names do not say."""
    if not signers:
        return ()
    named = [(each.name or "(host)", each) for each in signers]
    width = max(len(name) for name, _ in named)
    lines = (f"  {name:{width}}  {each.fingerprint}  {_did(each)}" for name, each in named)
    return (*lines, KEYS_ARE_NOT_PEOPLE)


def _did(signer: Signatory) -> str:
    entries = "1 entry" if signer.entries == 1 else f"{signer.entries} entries"
    parts = [f"signed {entries if signer.entries else 'nothing'}"]
    if signer.bot:
        parts.append("a bot, it says")
    if signer.host and signer.name:
        parts.append("the host")
    return ", ".join(parts)


def unmet(verdict: RecordVerdict, expected: Sequence[str], head: str | None) -> tuple[str, ...]:
    """Return a sentence for everything that was expected and is not so."""
    missed = [said for key in expected if (said := _why_not(verdict.signers, key))]
    if head is not None and not verdict.head.startswith(head):
        missed.append(f"Not the expected game: the final digest is {verdict.head}, not {head}.")
    return tuple(missed)


def _why_not(signers: Sequence[Signatory], key: str) -> str:
    """Say why this key did not play here; empty if it did."""
    found = [each for each in signers if key in (each.key, each.fingerprint)]
    if any(each.entries for each in found):
        return ""
    why = "named here, but signed nothing" if found else "not among the players"
    return f"The expected key {key} is {why}."
