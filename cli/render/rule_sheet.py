"""The rules of one table, chapter by chapter, as a player reads them before sitting down.

Every line is the sentence of one switch's value. `*` marks what `standard` has otherwise, `+` what
this table has changed in its preset. Switches that cannot matter under these rules are left out,
and what is just not played is told in one line at the end.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cli.language import say, say_count
from cli.render.cells import Canvas, hang, wrap_words
from cli.render.palette import Line, Paint, Span
from engine.refusals import Refusal
from engine.rules.chapters import CHAPTERS, NOT_PLAYED, holds_always, idle_switches
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, by_name, parse_rules, value_text
from engine.rules.deals import DEALS, dealt_hand, spans
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.spec import rounds_usual
from netgame.protocol.state.options import OPTIONS, OptionProblem, parse_options
from netgame.wire.messages import Settings

_LEGEND: Final = ("* differs from standard", "+ changed for this table")


@dataclass(frozen=True, slots=True)
class Offer:
    """The game played or offered at a table; None is left open."""

    preset: str
    rules: RuleSet
    changed: frozenset[str] = frozenset()
    """Names of the switches that were set on top of the preset."""
    pip_max: int | None = None
    seats: int | None = None
    rounds: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    """The options of the table that are not the usual ones: what it hides and shows."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One switch of a table: its value and sentence, and how it stands out."""

    switch: str
    value: str
    sentence: str
    standard: bool
    """Whether `standard` has the same value."""
    changed: bool
    """Whether the table changed it in its preset."""

    @property
    def mark(self) -> str:
        """`+` if the table changed it, else `*` if `standard` has another value, else a blank."""
        return "+" if self.changed else " " if self.standard else "*"


def offer_from(
    preset: str,
    rules: RuleSet,
    switches: Iterable[str],
    pip_max: int | None = None,
    seats: int | None = None,
    rounds: int | None = None,
    hand: int | None = None,
    options: Iterable[tuple[str, str]] = (),
) -> Offer:
    """Make an offer of a preset, the `rules` that `switches` have made of it, and the size.

    It has changed only what then differs from the preset, and has only the `options` that are not
    the usual ones. A `hand` sets the deal. Raise `KeyError` for a preset or name that is unknown.
    """
    names = {*switches} if hand is None else {*switches, "deal"}
    if hand is not None:
        rules = replace(rules, deal=hand)
    base = RULE_SETS[preset]
    changed = frozenset(name for name in names if value_text(rules, name) != value_text(base, name))
    unusual = tuple(
        (name, value) for name, value in options if value != next(iter(OPTIONS[name])).value
    )
    return Offer(preset, rules, changed, pip_max, seats, rounds, unusual)


def offer_of(settings: Settings, seats: int | None = None) -> Offer | None:
    """Read what a host offers; None if there are no such rules. `seats` None is left open.

    The settings may be hostile: also None for options that do not exist. Rounds or hand of 0 are
    left open.
    """
    switches = by_name(settings.switches)
    rules = parse_rules(settings.preset, switches)
    chosen = parse_options(settings.options)
    if isinstance(rules, Refusal) or isinstance(chosen, OptionProblem):
        return None
    return offer_from(
        settings.preset,
        rules,
        switches,
        pip_max=settings.pip_max,
        seats=seats,
        rounds=settings.rounds or None,
        hand=settings.hand or None,
        options=((kind.key, kind.value) for kind in chosen),
    )


def _deal_text(offer: Offer) -> str:
    """Say how many tiles each gets, as exactly as the offer allows."""
    deal = offer.rules.deal
    if isinstance(deal, int):
        return _each(deal)
    if offer.pip_max is None:
        return say(deal.sentence)
    hand = dealt_hand(deal, offer.pip_max, offer.seats) if offer.seats else None
    if hand is not None:
        return _each(hand)
    rows = spans(DEALS[deal].get(offer.pip_max, {}))
    told = ", ".join(say("{seats} seats {tiles}", seats=a, tiles=b) for a, b in rows)
    text = "Tiles each: {spans}." if told else "No number of tiles is known for this set."
    return say(text, spans=told)


def _each(tiles: int) -> str:
    return say_count("{count} tile each.", "{count} tiles each.", tiles)


def _line(offer: Offer, switch: str) -> SheetLine:
    value = value_text(offer.rules, switch)
    kind = SWITCHES[switch]
    if switch == "deal":
        sentence = _deal_text(offer)
    else:
        number = kind.number(value)
        text = kind.counted if number is not None else kind(value).sentence
        sentence = say(text, count=number)
    standard = value == value_text(RULE_SETS[STANDARD], switch)
    return SheetLine(switch, value, sentence, standard, switch in offer.changed)


def sheet_of(offer: Offer) -> tuple[tuple[str, str, tuple[SheetLine, ...]], ...]:
    """Return the chapters: title, the sentence that always holds, if any, and the lines.

    Lines have a mark, or can matter at this table and are played. Chapters without line and
    sentence are left out; the options come last, all of them.
    """
    idle = idle_switches(offer.rules)
    found = []
    for title, usual, switches in CHAPTERS:
        lines = [_line(offer, switch) for switch in switches]
        kept = tuple(
            line
            for line in lines
            if line.mark != " " or (line.switch not in idle and not _not_played(line))
        )
        text = holds_always(offer.rules, title, usual)
        if text or kept:
            found.append((say(title), say(text) if text else "", kept))
    return (*found, (say("What is hidden, and what is shown"), "", _option_lines(offer)))


def _option_lines(offer: Offer) -> tuple[SheetLine, ...]:
    """Return what the table hides and shows, each with its sentence."""
    chosen = dict(offer.options)
    usual = {name: next(iter(kind)) for name, kind in OPTIONS.items()}
    values = [kind(chosen.get(name, usual[name].value)) for name, kind in OPTIONS.items()]
    return tuple(
        SheetLine(key, each.value, say(each.sentence), each is usual[key], key in chosen)
        for key, each in zip(OPTIONS, values, strict=True)
    )


def _not_played(line: SheetLine) -> bool:
    return line.switch in NOT_PLAYED and line.value in ("no", "none")


def offer_name(offer: Offer) -> str:
    """Say preset, set, seats and rounds: `standard (double-9, 4 seats, 10 rounds)`.

    Set and seats are left out if they are open. Open rounds are the usual number for a set, and
    left out without one.
    """
    parts = [say("double-{pips}", pips=offer.pip_max)] if offer.pip_max is not None else []
    if offer.seats is not None:
        parts.append(say("{count} seats", count=offer.seats))
    if offer.pip_max is not None or offer.rounds is not None:
        rounds = offer.rounds or rounds_usual(offer.rules, offer.pip_max or 0)
        parts.append(say_count("1 round", "{count} rounds", rounds))
    return f"{offer.preset} ({', '.join(parts)})" if parts else offer.preset


def offer_title(offer: Offer) -> str:
    """Say what is played, and what its preset is known for, in one line."""
    return f"{offer_name(offer)}: {say(PRESETS[offer.preset].sentence)}"


def _sentence_lines(line: SheetLine, columns: int) -> tuple[Line, ...]:
    usual = line.mark == " "
    word, paint = ("", Paint.PLAIN) if usual else (f" ({line.switch}={line.value})", Paint.STRONG)
    sentence = wrap_words(f"{line.sentence}{word}", columns - 4)
    return hang(Span(f" {line.mark}  ", paint), sentence)


def offer_lines(offer: Offer, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the whole sheet: title, chapters, and, if any, what is not played and the marks used."""
    lines = list(canvas.prose(offer_title(offer)))
    told: list[SheetLine] = []
    for title, always, chapter in sheet_of(offer):
        told += chapter
        if not chapter and not always:
            continue
        lines.append((Span(f" {title}", Paint.STRONG),))
        if always:
            lines += [(Span("    "), *text) for text in wrap_words(always, canvas.columns - 4)]
        for line in chapter:
            lines += _sentence_lines(line, canvas.columns)
    off = [say(name) for switch, name in NOT_PLAYED.items() if _not_played(_line(offer, switch))]
    if off:
        lines += canvas.prose(say("Not played: {names}.", names=", ".join(off)))
    marks = {line.mark for line in told}
    legend = ", ".join(say(text) for text in _LEGEND if text[0] in marks)
    return (*lines, *canvas.prose(f"{legend}.")) if legend else tuple(lines)


def changed_lines(offer: Offer, canvas: Canvas) -> tuple[Line, ...]:
    """Draw only the title and the lines that have a mark, for somebody about to sit down.

    A sentence in their place if there are none.
    """
    every = (*(_line(offer, name) for name in SWITCHES), *_option_lines(offer))
    told = [line for line in every if line.mark != " "]
    lines = [text for line in told for text in _sentence_lines(line, canvas.columns)]
    if not told:
        lines += canvas.prose(say("These are the usual rules, without changes."))
    return (*canvas.prose(offer_title(offer)), *lines)
