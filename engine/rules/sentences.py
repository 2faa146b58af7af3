"""The sentences of a rule sheet, chosen to fit the other rules of the table.

Each value of a switch has its own sentence, and each chapter has a general one. Where other
switches change such a sentence, a row of `sheet_rows` replaces or extends it.
"""

from collections.abc import Iterator

from engine.rules.chapters import CHAPTERS
from engine.rules.ruleset import SWITCHES, RuleSet
from engine.rules.sheet_rows import ALSO, INSTEAD, SheetSentence
from engine.rules.switches import Switch


def value_sentences(rules: RuleSet, switch: str) -> tuple[str, ...]:
    """Return the sentences on a switch's value under these rules; () if there are none.

    No sentence is empty, and each can be translated by itself. For a switch that is a number, the
    sentence has `{count}` in place of the number.
    """
    kind = SWITCHES[switch]
    value: Switch | int = getattr(rules, kind.field)
    if isinstance(value, int):
        return (kind.counted,) if kind.counted else ()
    return _told(rules, f"{switch} {value.value}", value.sentence)


def chapter_sentences(rules: RuleSet, title: str) -> tuple[str, ...]:
    """Return the general sentences of a chapter under these rules; () if there are none.

    Raise StopIteration if no chapter has this title.
    """
    usual = next(always for name, always, _ in CHAPTERS if name == title)
    return _told(rules, title, usual)


def holds(rules: RuleSet, where: str) -> bool:
    """Return True if the rules have, for each switch in `where`, one of the values named there."""
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
