"""What a sheet says of each rule, where the rules around it change that.

A value of a switch has its own sentence, and so has a chapter. Where that depends on another
switch, a row of `sheet_rows` says so, and nothing else does: each fact has one sentence.
"""

from collections.abc import Iterator

from engine.rules.chapters import CHAPTERS
from engine.rules.ruleset import SWITCHES, RuleSet
from engine.rules.sheet_rows import ALSO, INSTEAD, SheetSentence
from engine.rules.switches import Switch


def value_sentences(rules: RuleSet, switch: str) -> tuple[str, ...]:
    """Return what a sheet says of a switch, by its key, under these rules; none may be empty.

    A number is left as `{count}` in its sentence. Each can be translated by itself.
    """
    kind = SWITCHES[switch]
    value: Switch | int = getattr(rules, kind.field)
    if isinstance(value, int):
        return (kind.counted,) if kind.counted else ()
    return _told(rules, f"{switch} {value.value}", value.sentence)


def chapter_sentences(rules: RuleSet, title: str) -> tuple[str, ...]:
    """Return what always holds in a chapter under these rules; there may be nothing."""
    usual = next(always for name, always, _ in CHAPTERS if name == title)
    return _told(rules, title, usual)


def holds(rules: RuleSet, where: str) -> bool:
    """Whether the rules have one of the values named of each switch in `where`."""
    for side in where.split(" | "):
        switch, *words = side.split()
        kind = SWITCHES[switch]
        if getattr(rules, kind.field) not in {kind(word) for word in words}:
            return False
    return True


def _told(rules: RuleSet, about: str, usual: str) -> tuple[str, ...]:
    instead = next(_of(INSTEAD, rules, about), usual)
    return tuple(filter(None, (instead, *_of(ALSO, rules, about))))


def _of(rows: tuple[SheetSentence, ...], rules: RuleSet, about: str) -> Iterator[str]:
    for row in rows:
        if about in _abouts(row) and holds(rules, row.where):
            yield row.sentence


def _abouts(row: SheetSentence) -> tuple[str, ...]:
    switch, *values = row.about.split()
    return tuple(f"{switch} {value}" for value in values) if switch in SWITCHES else (row.about,)
