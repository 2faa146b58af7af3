"""`boneyard judge`: have the referee judge written games line by line."""

import argparse
from collections.abc import Iterable
from typing import Final, TypeAlias

from cli.exits import CommandFailed, ExitCode
from cli.files import read_octets
from cli.language import say, say_count
from cli.visible import print_json, print_line
from cli.wording.referee import right_sentence, wrong_sentences
from cli.wording.refusals import refusal_sentence
from engine.notation.game import GameText, NotationProblem
from engine.notation.notation import parse
from engine.notation.referee import LineVerdict, follow
from engine.rules.ruleset import RuleSet

_TEXT_BYTES_MAX: Final = 4 * 1024 * 1024
"""The limit of a file; a whole game of 14 seats and 19 rounds is about 200 kB in notation."""

VerdictFacts: TypeAlias = dict[str, object]


def run(options: argparse.Namespace) -> ExitCode:
    """Judge each game and say whether it is right; show a person only its first wrong line.

    Returns `FAILED` if a line is wrong, else `OK`. A single file that cannot be read, is not
    notation, or has no line to judge raises `CommandFailed`. Among several files such a file is
    reported, and the highest code is returned.
    """
    several = len(options.file) > 1
    show = _show_facts if options.json else _show
    code, failed, unread = ExitCode.OK, 0, 0
    for name in options.file:
        try:
            if not show(_game_in(name), name if several else ""):
                failed += 1
                code = max(code, ExitCode.FAILED)
        except CommandFailed as problem:
            if not several:
                raise
            unread += 1  # the other files are judged all the same
            code = max(code, problem.code)
            if options.json:
                print_json({"file": name, "error": problem.sentence})
            else:
                print_line(problem.sentence)
    if several:
        _show_sum(options, failed, unread)
    return code


def _show(game: GameText, name: str) -> bool:
    """Print the verdict on a game up to its first wrong line; return True if the game is right.

    If there is a `name`, the output begins with it.
    """
    said, is_right = judged(game)
    first, *more = said
    print_line(f"{name}: {first}" if name else first)
    for sentence in more:
        print_line(sentence)
    return is_right


def judged(game: GameText) -> tuple[tuple[str, ...], bool]:
    """Judge a game up to its first wrong line; return sentences, and True if no line is wrong."""
    count = 0
    for verdict, here in follow(game):
        if not verdict.ok:
            rules = None if here is None else here.table.rules
            left = sum(line.line > verdict.line for each in game.rounds for line in each.lines)
            return (*wrong_sentences(verdict, game.names, rules, left),), False
        count += 1
    return (right_sentence(count),), True


def _show_facts(game: GameText, name: str) -> bool:
    """Print an object for every line of a game, then the sums; return True if all lines are right.

    If there is a `name`, it is in each object, and right lines are not printed.
    """
    lines, failed = judge_lines(game)
    shown: Iterable[VerdictFacts] = lines
    if name:
        wrong = (facts for facts in lines if facts.get("ok") is False or "passed" in facts)
        shown = ({"file": name, **facts} for facts in wrong)
    for facts in shown:
        print_json(facts)
    return not failed


def _show_sum(options: argparse.Namespace, failed: int, unread: int) -> None:
    games = len(options.file)
    if options.json:
        sums: VerdictFacts = {"games": games, "failed": failed}
        print_json(sums | ({"unreadable": unread} if unread else {}))
        return
    right, wrong = games - failed - unread, say_count("1 wrong", "{count} wrong", failed)
    text = "{games} games: {right} right, {wrong}."
    if unread:
        text = "{games} games: {right} right, {wrong}, {unread} not judged."
    print_line(say(text, games=games, right=right, wrong=wrong, unread=unread))


def _game_in(name: str) -> GameText:
    """Return the game in a file; raises `CommandFailed` if there is none with a line to judge."""
    octets = read_octets(name, _TEXT_BYTES_MAX)
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets[: error.start].count(b"\n") + 1
        column = error.start - (octets.rfind(b"\n", 0, error.start) + 1) + 1
        where = f"{name}, line {line}, column {column}"
        raise CommandFailed(ExitCode.BAD_FILE, f"{where}: expected UTF-8 text.") from None
    if not text.strip():
        empty = say("{name} is empty: there is no game to judge.", name=name)
        raise CommandFailed(ExitCode.BAD_FILE, empty)
    game = parse(text)
    if isinstance(game, NotationProblem):
        where = f"{name}, line {game.line}, column {game.column}"
        raise CommandFailed(ExitCode.BAD_FILE, f"{where}: expected {game.expected.rstrip('.')}.")
    if next(follow(game), None) is None:
        bare = "{name} has no line below its header: there is nothing to judge."
        raise CommandFailed(ExitCode.BAD_FILE, say(bare, name=name))
    return game


def judge_lines(game: GameText) -> tuple[tuple[VerdictFacts, ...], int]:
    """Judge a game: return an object per line and one of sums, and the number of wrong lines."""
    lines: list[VerdictFacts] = []
    failed = 0
    for verdict, here in follow(game):
        rules = None if here is None else here.table.rules
        lines.append(_verdict_facts(verdict, game.names, rules))
        failed += not verdict.ok
    return (*lines, {"passed": len(lines) - failed, "failed": failed}), failed


def _verdict_facts(
    verdict: LineVerdict, names: tuple[str, ...], rules: RuleSet | None
) -> VerdictFacts:
    refusal = verdict.refusal
    facts: VerdictFacts = {
        "line": verdict.line,
        "seat": verdict.seat,
        "action": verdict.action,
        "ok": verdict.ok,
        "code": refusal and refusal.code.value,
        "why": refusal and refusal_sentence(refusal, names, rules=rules),
        "rule": refusal and refusal.rule,
        "expected": verdict.expected,
        "found": verdict.found,
    }
    return {key: value for key, value in facts.items() if value is not None}
