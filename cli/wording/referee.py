"""The referee's verdict on a written game: that it is right, or which line is wrong and why."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from cli.language import say, say_count
from cli.wording.refusals import refusal_sentence, rule_sentence
from engine.notation.referee import LineVerdict, LineVerdictKind
from engine.rules.ruleset import RuleSet


def right_sentence(count: int) -> str:
    """Return a sentence saying that all of the game's lines are right."""
    return say_count("The 1 line of this game is right.", "All {count} lines are right.", count)


def wrong_sentences(
    verdict: LineVerdict, names: Sequence[str], rules: RuleSet | None, left: int
) -> Iterator[str]:
    """Yield what is wrong with a line, the rule that it breaks, and how to go on.

    `names` are in the order of the seats. The rule is included for a refused action if the `rules`
    of the table are given. `left` is the number of lines after the wrong one, which cannot be
    judged until it is corrected.
    """
    yield _wrong_sentence(verdict, names, rules)
    is_action = verdict.kind is LineVerdictKind.ACTION
    if is_action and verdict.refusal is not None and rules is not None:
        yield rule_sentence(verdict.refusal, rules)
    text = "Correct line {line}, then judge the game again."
    if is_action:
        text = (
            "Correct line {line}, then judge the game again. To keep it as a move that the rules "
            "refuse, begin it with an exclamation mark (!)."
        )
    said = say(text, line=verdict.line)
    if left:
        one = "The line after it has not been judged yet."
        said += f" {say_count(one, 'The {count} lines after it have not been judged yet.', left)}"
    yield said


def _wrong_sentence(verdict: LineVerdict, names: Sequence[str], rules: RuleSet | None) -> str:
    refusal = verdict.refusal
    match verdict.kind:
        case LineVerdictKind.ACTION:
            text = "Line {line}, {words}: {why}"
        case LineVerdictKind.REFUSAL if refusal is None:
            text = "Line {line}, {words}: you wrote that this is refused, and the rules allow it."
        case LineVerdictKind.REFUSAL:
            text = (
                "Line {line}, {words}: you wrote that this is refused as {expected}, and it is "
                "refused as {found}. {why}"
            )
        case LineVerdictKind.ASSERTION:
            text = "Line {line}, {words}: you wrote {expected}, and the table has {found}."
        case LineVerdictKind.TABLE:
            text = "Line {line}: this header makes no table. {why}"
        case _:
            assert_never(verdict.kind)
    return say(
        text,
        line=verdict.line,
        words=_words(verdict),
        why="" if refusal is None else refusal_sentence(refusal, names, rules=rules),
        expected=verdict.expected or say("nothing"),
        found=verdict.found or say("nothing"),
    )


def _words(verdict: LineVerdict) -> str:
    """Return the seat's name and its action in the line's words, or only what a claim is about."""
    is_claim = verdict.kind is LineVerdictKind.ASSERTION
    named = verdict.seat is not None and not is_claim  # a claim's words include the name
    return f"{verdict.seat} {verdict.action}" if named else verdict.action
