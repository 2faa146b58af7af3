"""The rules of one table, chapter by chapter, as a player reads them before sitting down.

Every line is the meaning of one switch's value under these rules. `*` marks a difference from
`standard`, `+` a change that this table makes to its preset. Switches that cannot matter under
these rules are left out, unless this table has changed them. Variants that are simply not played
share one line at the end.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cli.language import joined, say, say_count
from cli.render.cells import Canvas, hang, wrap_words
from cli.render.palette import Line, Paint, Span
from engine.refusals import Refusal
from engine.rules.chapters import CHAPTERS, NOT_PLAYED, idle_switches
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, by_name, parse_rules, value_text
from engine.rules.deals import DEALS, dealt_hand, spans
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.sentences import chapter_sentences, value_sentences
from engine.rules.spec import ROUNDS_MAX, is_open_ended, rounds_usual
from netgame.protocol.state.options import OPTIONS, OptionProblem, parse_options
from netgame.wire.messages import Settings

_LEGEND: Final = ("* differs from standard", "+ changed for this table")


@dataclass(frozen=True, slots=True)
class Offer:
    """The game played or offered at a table; None leaves a size open."""

    preset: str
    rules: RuleSet
    changed: frozenset[str] = frozenset()
    """The names of the switches that were changed in the preset."""
    pip_max: int | None = None
    seats: int | None = None
    rounds: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    """The options of the table that are not the usual ones: what it hides and shows."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One switch of a table: its value and sentence, and its marks."""

    switch: str
    value: str
    sentence: str
    standard: bool
    """True if `standard` has the same value."""
    changed: bool
    """True if the table changed it in its preset."""
    idle: bool = False
    """True if it makes no difference under these rules."""

    @property
    def mark(self) -> str:
        """`+` if the table changed it, else `*` if `standard` has another value, else a blank.

        A switch that makes no difference has `+` or a blank.
        """
        return "+" if self.changed else " " if self.standard or self.idle else "*"


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
    """Return an offer of a preset, the `rules` that `switches` have made of it, and the sizes.

    Its `changed` contains only the switches whose value differs from the preset's, and its
    `options` only those that are not the usual ones. A `hand` sets the deal. Raises `KeyError` for
    an unknown preset or name.
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
    """Return a host's settings as an offer; None if they name rules or options that do not exist.

    The settings may be hostile. A 0 for rounds or hand leaves that size open, and None for `seats`
    leaves the number of seats open.
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
    """Return a sentence on how many tiles each player gets, as exactly as the offer allows."""
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


def _rounds_text(offer: Offer) -> str:
    """Return a sentence on how many rounds the game has, as exactly as the offer allows."""
    rounds = _rounds(offer)
    if is_open_ended(offer.rules) and rounds in (None, ROUNDS_MAX):
        text = "The game has as many rounds as it takes, {rounds} at most."
        return say(text, rounds=ROUNDS_MAX)
    if rounds is None:
        return say("The game has one round for each double, or as many as the table agrees on.")
    return say_count("The game has {count} round.", "The game has {count} rounds.", rounds)


def _rounds(offer: Offer) -> int | None:
    """Return the number of rounds offered, else the usual one for the set; None without either."""
    if offer.rounds is None and offer.pip_max is not None:
        return rounds_usual(offer.rules, offer.pip_max)
    return offer.rounds


def _lines(offer: Offer, switches: Iterable[str]) -> list[SheetLine]:
    idle = idle_switches(offer.rules)
    return [_line(offer, switch, idle=switch in idle) for switch in switches]


def _line(offer: Offer, switch: str, *, idle: bool) -> SheetLine:
    value = value_text(offer.rules, switch)
    kind = SWITCHES[switch]
    if switch == "deal":
        sentence = _deal_text(offer)
    elif idle:
        sentence = say("This has no effect under these rules.")
    else:
        told = value_sentences(offer.rules, switch)
        sentence = " ".join(say(text, count=kind.number(value)) for text in told)
    standard = value == value_text(RULE_SETS[STANDARD], switch)
    return SheetLine(switch, value, sentence, standard, switch in offer.changed, idle)


def sheet_of(offer: Offer) -> tuple[tuple[str, str, tuple[SheetLine, ...]], ...]:
    """Return the chapters, each as its title, the sentences on the whole chapter, and its lines.

    The sentences are empty if there are none. A line is included if it has a mark, or if it can
    matter at this table and its variant is played. Chapters without lines or a sentence are left
    out. All the options come last.
    """
    found = []
    for title, _, switches in CHAPTERS:
        kept = tuple(
            line
            for line in _lines(offer, switches)
            if line.mark != " " or not (line.idle or _not_played(line))
        )
        always = [say(text) for text in chapter_sentences(offer.rules, title)]
        if switches[0] == "engine":
            always.append(_rounds_text(offer))
        if always or kept:
            found.append((say(title), " ".join(always), kept))
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
    return line.switch in NOT_PLAYED and line.value in ("no", "none") and not line.idle


def offer_name(offer: Offer) -> str:
    """Return preset, set, seats and rounds: `standard (double-9, 4 seats, 10 rounds)`.

    Set and seats are left out if they are open. Open rounds become the usual number for a set, or
    are left out without one.
    """
    parts = [say("double-{pips}", pips=offer.pip_max)] if offer.pip_max is not None else []
    if offer.seats is not None:
        parts.append(say("{count} seats", count=offer.seats))
    rounds = _rounds(offer)
    if rounds is not None:
        parts.append(say_count("1 round", "{count} rounds", rounds))
    return f"{offer.preset} ({', '.join(parts)})" if parts else offer.preset


def offer_title(offer: Offer) -> str:
    """Return the name of an offer, with the preset's own sentence or the changes made to it."""
    name = offer_name(offer)
    if not offer.changed:
        return f"{name}: {say(PRESETS[offer.preset].sentence)}"
    changes = [f"{key}={value_text(offer.rules, key)}" for key in SWITCHES if key in offer.changed]
    return say("{name}, but with {changes}.", name=name, changes=joined(changes))


def _sentence_lines(line: SheetLine, columns: int) -> tuple[Line, ...]:
    usual = line.mark == " "
    word, paint = ("", Paint.PLAIN) if usual else (f" ({line.switch}={line.value})", Paint.STRONG)
    sentence = wrap_words(f"{line.sentence}{word}", columns - 4)
    return hang(Span(f" {line.mark}  ", paint), sentence)


def offer_lines(offer: Offer, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the whole sheet: title, chapters, then any variants not played and the marks used."""
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
    off = [say(NOT_PLAYED[line.switch]) for line in _lines(offer, NOT_PLAYED) if _not_played(line)]
    if off:
        lines += canvas.prose(say("Variants not played: {names}.", names=", ".join(off)))
    marks = {line.mark for line in told}
    legend = ", ".join(say(text) for text in _LEGEND if text[0] in marks)
    return (*lines, *canvas.prose(f"{legend}.")) if legend else tuple(lines)


def changed_lines(offer: Offer, canvas: Canvas) -> tuple[Line, ...]:
    """Draw only the title and the lines that have a mark, for somebody about to sit down.

    If there are no such lines, a sentence says that these are the usual rules.
    """
    every = (*_lines(offer, SWITCHES), *_option_lines(offer))
    told = [line for line in every if line.mark != " "]
    lines = [text for line in told for text in _sentence_lines(line, canvas.columns)]
    if not told:
        lines += canvas.prose(say("These are the usual rules, without changes."))
    return (*canvas.prose(offer_title(offer)), *lines)
