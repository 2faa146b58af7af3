"""`boneyard judge`: written games before the referee, line by line."""

import argparse
from collections.abc import Iterable
from typing import Final, TypeAlias

from cli.exits import CommandFailed, ExitCode
from cli.files import read_octets
from cli.visible import print_json
from cli.wording.refusals import refusal_sentence
from engine.notation.game import GameText, NotationProblem
from engine.notation.notation import parse
from engine.notation.referee import LineVerdict, judge

_TEXT_BYTES_MAX: Final = 4 * 1024 * 1024
"""A whole game of 14 seats and 19 rounds in notation is about 200 kB."""

VerdictFacts: TypeAlias = dict[str, object]


def run(options: argparse.Namespace) -> ExitCode:
    """Judge one game line by line; of several print what is wrong, and a sum for each and all.

    Returns `FAILED` if a line did not come out as written, else `OK`. One file alone that is not
    notation raises `CommandFailed`; among several it is told, and `USAGE` is returned in the end.
    """
    if len(options.file) == 1:
        lines, failed = _judged_file(options.file[0])
        _print(lines)
        return ExitCode.FAILED if failed else ExitCode.OK
    failed, unread = 0, 0
    for name in options.file:
        try:
            lines, wrong = _judged_file(name)
        except CommandFailed as problem:  # the others are judged all the same
            print_json({"file": name, "error": problem.sentence})
            unread += 1
            continue
        failed += bool(wrong)
        shown = (facts for facts in lines if facts.get("ok") is False or "passed" in facts)
        _print({"file": name, **facts} for facts in shown)
    sums: VerdictFacts = {"games": len(options.file), "failed": failed}
    print_json(sums | ({"unreadable": unread} if unread else {}))
    return ExitCode.USAGE if unread else ExitCode.FAILED if failed else ExitCode.OK


def _print(lines: Iterable[VerdictFacts]) -> None:
    for facts in lines:
        print_json(facts)


def _judged_file(name: str) -> tuple[tuple[VerdictFacts, ...], int]:
    octets = read_octets(name, _TEXT_BYTES_MAX)
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets[: error.start].count(b"\n") + 1
        column = error.start - (octets.rfind(b"\n", 0, error.start) + 1) + 1
        where = f"{name}, line {line}, column {column}"
        raise CommandFailed(ExitCode.USAGE, f"{where}: expected UTF-8 text.") from None
    game = parse(text)
    if isinstance(game, NotationProblem):
        where = f"{name}, line {game.line}, column {game.column}"
        raise CommandFailed(ExitCode.USAGE, f"{where}: expected {game.expected.rstrip('.')}.")
    return judge_lines(game)


def judge_lines(game: GameText) -> tuple[tuple[VerdictFacts, ...], int]:
    """Judge a written game: an object a line and one with the sums; then how many lines failed."""
    verdicts = judge(game)
    failed = sum(not verdict.ok for verdict in verdicts)
    lines = [_verdict_facts(verdict, game.names) for verdict in verdicts]
    return (*lines, {"passed": len(verdicts) - failed, "failed": failed}), failed


def _verdict_facts(verdict: LineVerdict, names: tuple[str, ...]) -> VerdictFacts:
    refusal = verdict.refusal
    facts: VerdictFacts = {
        "line": verdict.line,
        "seat": verdict.seat,
        "action": verdict.action,
        "ok": verdict.ok,
        "code": refusal and refusal.code.value,
        "why": refusal and refusal_sentence(refusal, names),
        "rule": refusal and refusal.rule,
        "expected": verdict.expected,
        "found": verdict.found,
    }
    return {key: value for key, value in facts.items() if value is not None}
