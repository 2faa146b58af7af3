"""`boneyard judge`: written games before the referee, line by line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.files import read_octets
from cli.said.refusals import refusal_sentence
from engine.written.game import GameText
from engine.written.referee import LineVerdict

_TEXT_BYTES_MAX: Final = 4 * 1024 * 1024
"""A whole game of 14 seats and 19 rounds in notation is about 200 kB."""


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command."""
    return _judge(options.file)


def _judge(names: Sequence[str]) -> ExitCode:
    """Judge one game line by line; of several say what is wrong, and a sum for each and all."""
    failed, unread = 0, 0
    for name in names:
        try:
            lines, wrong = _judged_file(name)
        except CommandFailed as problem:
            if len(names) == 1:
                raise
            # The others are judged all the same.
            print(json.dumps({"file": name, "error": problem.sentence}, ensure_ascii=False))
            unread += 1
            continue
        failed += bool(wrong)
        if len(names) > 1:
            shown = [facts for facts in lines if facts.get("ok") is False or "passed" in facts]
            lines = tuple({"file": name, **facts} for facts in shown)
        for facts in lines:
            print(json.dumps(facts, ensure_ascii=False))
    if len(names) > 1:
        facts_of_all = {"games": len(names), "failed": failed}
        print(json.dumps(facts_of_all | ({"unreadable": unread} if unread else {})))
    if unread:
        return ExitCode.USAGE
    return ExitCode.FAILED if failed else ExitCode.OK


def _judged_file(name: str) -> tuple[tuple[dict[str, object], ...], int]:
    from engine.written.game import NotationProblem
    from engine.written.notation import parse

    octets = read_octets(name, _TEXT_BYTES_MAX)
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets[: error.start].count(b"\n") + 1
        column = error.start - (octets.rfind(b"\n", 0, error.start) + 1) + 1
        raise CommandFailed(
            ExitCode.USAGE, f"{name}, line {line}, column {column}: expected UTF-8 text."
        ) from None
    game = parse(text)
    if isinstance(game, NotationProblem):
        where = f"{name}, line {game.line}, column {game.column}"
        raise CommandFailed(ExitCode.USAGE, f"{where}: expected {game.expected.rstrip('.')}.")
    return judge_lines(game)


def judge_lines(game: GameText) -> tuple[tuple[dict[str, object], ...], int]:
    """Judge a written game: one object for each line and one with the sums; then the failures."""
    from engine.written.referee import judge

    verdicts = judge(game)
    failed = sum(not verdict.ok for verdict in verdicts)
    lines = [_verdict_facts(verdict, game.names) for verdict in verdicts]
    lines.append({"passed": len(verdicts) - failed, "failed": failed})
    return tuple(lines), failed


def _verdict_facts(verdict: LineVerdict, names: tuple[str, ...]) -> dict[str, object]:
    facts: dict[str, object] = {"line": verdict.line}
    if verdict.seat is not None:
        facts["seat"] = verdict.seat
    facts["action"] = verdict.action
    facts["ok"] = verdict.ok
    if verdict.refusal is not None:
        facts["code"] = verdict.refusal.code.value
        facts["why"] = refusal_sentence(verdict.refusal, names)
        facts["rule"] = verdict.refusal.rule
    if verdict.expected is not None:
        facts["expected"] = verdict.expected
    if verdict.found is not None:
        facts["found"] = verdict.found
    return facts
