"""The verbs about the company and its rules: talk, who is here, votes, seats, rules."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from cli.choices.table import RULES, TABLE
from cli.input.lexer import Words
from cli.input.phrases import bare_words, mentioned
from cli.input.readers import listed_names, read_word
from cli.language import say
from cli.render.rule_sheet import offer_from, offer_lines, offer_of
from cli.render.rulebook import section_lines
from cli.render.sheets import switch_lines, who_lines
from cli.scene import LobbyScene, Scene
from cli.session.until import OnChange, Until
from cli.session.verbs.verb import Ask, Offers, TableVerb, Where
from cli.session.votes import go_on_without, stay_with
from cli.visible import begun_so, named_so
from cli.wording.fair import FINGERPRINTS
from cli.wording.rulebook import no_section_text, rulebook, section_titled, sections_offered
from engine.rules.choose import RULE_SETS
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from netgame.limits import CHAT_CHARS_MAX
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import clean_text

if TYPE_CHECKING:
    from cli.session.session import Session


_TOO_LONG: Final = (
    "That is too long for one line: it has {count} characters, and {most} fit. It was not "
    "sent; say it in two lines."
)


class SayText(Ask, frozen=True):
    """Send a line of talk to the table."""

    text: str

    async def do(self, session: Session) -> None:
        """Send the text to everybody at the table; if it is too long, only say so."""
        length = len(clean_text(self.text, 2 * len(self.text)))
        if length > CHAT_CHARS_MAX:
            session.front.say(say(_TOO_LONG, count=length, most=CHAT_CHARS_MAX))
            return
        await session.node.chat(self.text)


_SAY: Final = TableVerb(
    "say TEXT",
    "Talk to the table. Chat is not recorded.",
    lambda words: SayText(" ".join(words)),
    "say what?",
    short=("t",),
    spanish=("decir",),
    also=("chat", "talk"),
    examples=("say well played",),
    where=Where.ALWAYS,
    takes_text=True,
)


class Who(Ask, frozen=True):
    """List the players and the watchers."""

    on_change: ClassVar = OnChange.RENEWS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return the people who are here, are coming, or ask for a seat."""
        return (view.seats, view.watchers, view.coming, view.asking)

    async def do(self, session: Session) -> None:
        """Show the list, explain its fingerprints, and show the join code if there is one here."""
        canvas, node = session.front.canvas(), session.node
        lines = who_lines(node.view(), canvas, node.key)
        lines += canvas.prose(say(FINGERPRINTS))
        if code := session.join_code():
            lines += canvas.prose(say("The join code is {code}.", code=code))
        session.front.show(lines)


_WHO: Final = TableVerb(
    "who",
    "List who is seated and who watches, with the fingerprint of each key.",
    Who(),
    spanish=("quién",),
    where=Where.ALWAYS,
)


class GoOnWithout(Ask, frozen=True):
    """Vote to go on without the players named; without names, list who can be voted on."""

    names: tuple[str, ...]
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Vote, or say why this vote cannot be cast."""
        await go_on_without(session.node, session.front, self.names)


def _offer_away(
    scene: Scene | None, before: Words, typing: str, *, takes_back: bool = False
) -> Offers:
    """Offer the players who are away and not named yet; the words may have commas between names."""
    if scene is None:
        return []
    *named, _ = typing.split(",")
    head = "".join(f"{name}," for name in named)
    names = [scene.names[seat] for seat in scene.missed]
    words = listed_names([*before, *filter(None, named)], names)
    meant = [named_so(names, word) or begun_so(names, word) for word in words]
    meta = say("you wait for them again" if takes_back else "goes, if more than half vote so")
    return [(head + name, meta) for at, name in enumerate(names) if (at,) not in meant]


def _is_anybody_missed(place: Scene | LobbyScene) -> bool:
    return isinstance(place, Scene) and bool(place.missed)


_WITHOUT: Final = TableVerb(
    "without NAME …",
    "Vote to go on without players who are away; more than half of the players must agree.",
    lambda words: GoOnWithout(tuple(words)),
    spanish=("sin",),
    examples=("without ben", "without ben, cy"),
    offers=_offer_away,
    is_of_use=_is_anybody_missed,
    also=(
        "go on without",
        "let's go on without",
        "lets go on without",
        "continue without",
        "play without",
        "vote out",
        "seguir sin",
    ),
)


class StayWith(Ask, frozen=True):
    """Take back the person's votes on the players named; without names, take back all of them."""

    names: tuple[str, ...]
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Take the votes back, or say why there are none to take back."""
        await stay_with(session.node, session.front, self.names)


_WITH: Final = TableVerb(
    "with [NAME …]",
    "Take back your vote to go on without players who are away, or all such votes.",
    lambda words: StayWith(tuple(words)),
    spanish=("con",),
    examples=("with ben", "with"),
    offers=partial(_offer_away, takes_back=True),
    is_of_use=_is_anybody_missed,
)


class ChangePlace(Ask, frozen=True):
    """Ask for a seat, now or at the next deal, if `sits` is True; else stop waiting for one."""

    sits: bool
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Ask for a seat, or stop asking; tell a seated player or an unseated host why they cannot.

        In every case, also close an open question about sitting down.
        """
        node = session.node
        view = node.view()
        session.invitation.settle()
        if view.sits:
            text = "You have a seat here; type leave to give it up."
            if view.is_host and view.stage is TableStage.LOBBY:
                text = "You have a seat here; type leave to close your table."
            session.answer(text)
        elif view.is_host and view.seat is None:
            session.answer("You opened this table without a seat, so you only watch.")
        elif self.sits:
            await node.take_seat()
            if view.table is not None and node.view().own is OwnPlace.ASKED:
                session.answer("You have asked for a seat at the next round.")
        else:
            await node.look_on()
            session.answer("You only watch now, and no longer wait for a seat.")


def _only_watches(place: Scene | LobbyScene) -> bool:
    """Return True if this person has no seat, unless they host the table without one."""
    if isinstance(place, Scene):
        return not (place.sits or place.chairs)
    return not (place.view.sits or place.view.is_host)


_SIT: Final = TableVerb(
    "sit",
    "Ask for a seat if you only watch; once the game has begun, you get it at the next round.",
    ChangePlace(sits=True),
    spanish=("sentarse",),
    where=Where.ALWAYS,
    is_of_use=_only_watches,
    also=("sit down", "sentarme"),
)
_WATCH: Final = TableVerb(
    "watch",
    "Stop waiting for a seat, and just watch.",
    ChangePlace(sits=False),
    spanish=("observar",),
    is_of_use=_only_watches,
)


class ReadRules(Ask, frozen=True):
    """Read one section of the rules, or a whole chapter, by its number."""

    number: str

    async def do(self, session: Session) -> None:
        """Show the text of the section; if the number is unknown, say so and list the chapters."""
        section = rulebook().get(self.number)
        if section is None:
            session.front.say(no_section_text(self.number))
        else:
            session.front.show(section_lines(section, session.front.canvas()))


class Rules(Ask, frozen=True):
    """Show the rules of this table, or explain the switch or rule set named."""

    named: str | None = None

    async def do(self, session: Session) -> None:
        """Show the rules, the switch or the rule set; or say that the rules are not known yet."""
        front, view = session.front, session.node.view()
        if self.named is not None and self.named.lower() in PRESETS:
            preset = self.named.lower()
            sheet = offer_lines(offer_from(preset, RULE_SETS[preset], ()), front.canvas())
            front.show(sheet)
            if told := _how_to_play(preset, view):
                front.say(told)
            return
        if self.named is not None:
            front.show(switch_lines(self.named, _rules_here(view), front.canvas()))
            name = self.named.lower()
            if orders_here(view) and name in TABLE and name != RULES.key:
                front.say(TABLE[name].why_not(None))
            return
        seats = len(view.seats) if view.spec is not None else None
        offer = None if view.settings is None else offer_of(view.settings, seats)
        if offer is None:
            session.answer("This table's rules are not known yet.")
            return
        front.show(offer_lines(offer, front.canvas()))
        text = (
            "Type rules and a switch or a rule set, such as rules cover or rules walnut, to see "
            "what else there is."
        )
        session.answer(text)


def _offer_topics(_scene: Scene | None, before: Words, _typing: str) -> Offers:
    """Offer all that `rules` explains: rule sets, choices of a table, sections of the rules."""
    sets = RULES.kind.sentences
    known = {**sets, **{name: choice.about for name, choice in TABLE.items()}}
    told = [(name, say(about)) for name, about in known.items()]
    return [] if before else [*told, *sections_offered()]


def orders_here(view: TableView) -> bool:
    """Return True if this person can change the table now: they host it, before the game."""
    return view.is_host and view.stage is TableStage.LOBBY


def _rules_here(view: TableView) -> RuleSet | None:
    """Return the rules of this table, or the rules that its lobby offers; None while unknown."""
    if view.spec is not None:
        return view.spec.rules
    offer = None if view.settings is None else offer_of(view.settings)
    return None if offer is None else offer.rules


def _how_to_play(preset: str, view: TableView) -> str:
    """Return how to play by a rule set, or that this table does; empty once the game has begun."""
    if view.stage is not TableStage.LOBBY or view.settings is None:
        return ""
    text = "The host can type change {name} to play it."
    if view.is_host:
        text = "Type change {name} to play it."
    if (view.settings.preset, view.settings.switches) == (preset, ()):
        text = "This table plays it."
    return say(text, name=preset)


def _read_rules(words: Words) -> Ask:
    """Read what to explain: a section's title, or a switch or rule set, even within a sentence."""
    said = bare_words(" ".join(words))
    known = mentioned(said, (*TABLE, *PRESETS))
    if len(said) > 1 and (number := section_titled(said)) is not None:
        return ReadRules(number)
    if len(said) == 1 and not known and (number := section_titled(said)) is not None:
        return ReadRules(number)
    return Rules(known[0] if known and len(said) > 1 else read_word(words))


_RULES: Final = TableVerb(
    "rules [TOPIC]",
    "Show the rules of this table, or explain one switch, such as cover, a rule set, or a section "
    "of the rules, such as 2.2.",
    _read_rules,
    short=("r",),
    spanish=("reglas",),
    examples=("rules", "rules cover", "rules walnut", "rules 2.2"),
    offers=_offer_topics,
    where=Where.ALWAYS,
)

VERBS: Final = (_SAY, _WHO, _WITHOUT, _WITH, _SIT, _WATCH, _RULES)
