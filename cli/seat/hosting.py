"""What a host may still change while the table waits: who sits, which bots, what is played.

Bots and rules belong to the table that was opened. So the host's program opens it anew at the same
place, and everybody's comes along; what changes is said to all first, as a line of talk.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from cli.choices.table import RULES, read_changes
from cli.drawn.rule_sheet import offer_of
from cli.language import say, say_count
from cli.said.refusals import refusal_sentence
from cli.seat.frontend import FrontEnd
from cli.seat.stay import Onward, Sitting, WayOut
from cli.settings.bots import BOTS
from cli.settings.declared import NAME
from cli.typed.intent import Allow, ChangeTable, Kick, LobbyOrder, SeatBots
from cli.visible import begun_so, named_so
from engine.bots.levels import BotLevel
from engine.rules.switches import First
from netgame.io.node.node import Node
from netgame.io.tables.again import level_of
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.wire.messages import Settings

ONLY_HOST = "Only the host can do that, before the game begins."


@dataclass(slots=True)
class LobbyOrders:
    """Carries out what the host orders in the lobby, or says why not."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    way_out: WayOut

    def why_not(self) -> str:
        """Say why nobody can order anything here now; empty if one can."""
        view = self.node.view()
        if not view.is_host:
            return say(ONLY_HOST)
        begun = view.stage is not TableStage.LOBBY
        return say("You can do that only before the game begins.") if begun else ""

    async def carry_out(self, order: LobbyOrder) -> None:
        """Do what the host has ordered."""
        view = self.node.view()
        if problem := self.why_not():
            self.front.say(problem)
            return
        match order:
            case Kick(name):
                await self._kick(name, view)
            case Allow(name):
                await self._allow(name)
            case SeatBots(words):
                await self._seat_bots(words, view)
            case ChangeTable(words):
                await self._change(words, view)
            case _:
                assert_never(order)

    async def start(self, first: str | None) -> None:
        """Begin the game, with whoever is named `first` playing first; or say why not."""
        view = self.node.view()
        if view.stage is not TableStage.LOBBY:
            self.front.say(say("The game has begun already."))
        elif not view.is_host:
            self.front.say(say("Only the host can start the game."))
        elif len(view.seats) < 2:
            self.front.say(say("The game needs at least two players."))
        elif first is not None and (why_not := why_not_first(view, first)):
            self.front.say(why_not)
        elif (problem := await self.node.begin(first)) is not None:
            self.front.say(refusal_sentence(problem))

    async def rename(self, name: str) -> None:
        """Be called otherwise; who sits reads it in the lobby, like everybody else."""
        view, found = self.node.view(), NAME.kind.read(name)
        if view.stage is not TableStage.LOBBY:
            self.front.say(say("You can change your name only before the game begins."))
        elif found is None:
            self.front.say(NAME.why_not(name))
        else:
            await self.node.rename(found)
            if not view.sits:
                self.front.say(say("You are now called {name}.", name=found))

    async def _kick(self, name: str, view: TableView) -> None:
        """Take somebody's seat back: that key gets no other, and others need a new code."""
        found = _named(view, name, self.node.key)
        if isinstance(found, str):
            self.front.say(found)
        elif found.key == self.node.key:
            self.front.say(say("You cannot kick yourself; quit closes the table."))
        elif found.bot:
            left = [bot for bot in self.node.bots if bot.key != found.key]
            await self._reopen(
                say("{name} leaves the table.", name=found.name),
                bots=tuple(map(level_of, left)),
                names=tuple(view.name_of(bot.key) for bot in left),
            )
        else:
            await self.node.chat(say("{name} has no seat here any more.", name=found.name))
            door = self.node.door
            door.kicked[PeerKey(found.key)] = found.name
            if door.change_code():  # another key cannot be told from a newcomer's
                text = "The join code of this table is now {code}."
                self.front.say(say(text, code=str(door.code)))
            await self.node.kick(PeerKey(found.key))
            self.front.say(say("To let {name} join again, type allow {name}.", name=found.name))

    async def _allow(self, name: str) -> None:
        """Let somebody sit down again who was kicked."""
        kicked = self.node.door.kicked
        names, keys = ", ".join(kicked.values()), list(kicked)
        found = [keys[at] for at in named_so(list(kicked.values()), name)]
        for key in found:
            name = kicked.pop(key)
            await self.node.kick(key, back=True)
        if found:
            self.front.say(say("{name} may join again.", name=name))
        else:
            text = "Name one of: {names}." if names else "You have kicked nobody."
            self.front.say(say(text, names=names))

    async def _seat_bots(self, words: Sequence[str], view: TableView) -> None:
        """Have just these bots at the table: so many, or one for each level."""
        typed = " ".join(words)
        bots = BOTS.kind.read(typed)
        if bots is None:
            self.front.say(BOTS.why_not(typed))
        elif problem := _too_few_seats(view.seats_offered, view, len(bots)):
            self.front.say(problem)
        else:
            levels = ", ".join(level.value for level in bots) or say("none")
            said = say("Bots at this table now: {levels}.", levels=levels)
            await self._reopen(said, bots=bots)

    async def _change(self, words: Sequence[str], view: TableView) -> None:
        """Play by other rules, with another set, and so on; what does not fit is said."""
        if view.settings is None:
            return
        bots = sum(info.bot for info in view.seats)
        found = self.sitting.change(
            view.settings, words, lambda new: _too_few_seats(new.seats, view, bots)
        )
        if isinstance(found, str):
            self.front.say(found)
        elif found == view.settings:
            self.front.say(say("The table is like that already."))
        else:
            told = ", ".join(" ".join(each) for each in read_changes(words))
            told = told.removeprefix(f"{RULES.key} ")
            said = say("The rules change: {words}.", words=told)
            if found.seats != view.settings.seats:
                said = f"{said} {say('The table has {seats} seats now.', seats=found.seats)}"
            await self._reopen(said, settings=found)

    async def _reopen(
        self,
        said: str,
        *,
        bots: tuple[BotLevel, ...] | None = None,
        settings: Settings | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        """Say it to all, oneself included, and open the table anew."""
        await self.node.chat(f"{said} {say('I open the table anew, and you come along.')}")
        self.way_out.end(Onward(bots=bots, settings=settings, names=names))


def _too_few_seats(seats: int, view: TableView, bots: int) -> str:
    """Say that so many bots and the people who sit do not find a seat each; empty if they do."""
    people = sum(not info.bot for info in view.seats)
    if people + bots <= seats:
        return ""
    text = "{seats} seats are too few for {people}: kick somebody first."
    if bots:
        text = (
            "{seats} seats are too few for {people} and {bots}: have fewer bots, or kick somebody."
        )
    persons = say_count("a person", "{count} people", people)
    added = say_count("a bot", "{count} bots", bots)
    return say(text, seats=seats, people=persons, bots=added)


def _named(view: TableView, name: str, own_key: bytes) -> SeatInfo | str:
    """Return who has this name, oneself too, or else whose begins so; or what to type instead."""
    others = [info for info in view.seats if info.key != own_key]
    names = ", ".join(info.name for info in others)
    text = "Name one of: {names}." if names else "Nobody else sits here."
    in_full = named_so([info.name for info in view.seats], name)
    if len(in_full) == 1:
        return view.seats[in_full[0]]
    return one_named(others, name) or say(text, names=names)


def one_named(seats: Sequence[SeatInfo], name: str) -> SeatInfo | None:
    """Return whose name this is, or the only one whose begins so; None if there is none."""
    names = [info.name for info in seats]
    found = named_so(names, name) or begun_so(names, name)
    return seats[found[0]] if len(found) == 1 else None


def why_not_first(view: TableView, name: str) -> str | None:
    """Say why the game cannot begin with whoever has this name playing first, or None."""
    offer = None if view.settings is None else offer_of(view.settings)
    if offer is None or offer.rules.first is not First.CHOSEN_ROTATE:
        return say("These rules decide who plays first; type start alone.")
    if any(info.name.casefold() == name.casefold() for info in view.seats):
        return None
    text = "Nobody of that name sits here. Name one of: {names}."
    return say(text, names=", ".join(info.name for info in view.seats))
