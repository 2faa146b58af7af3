"""The way to the company's next table without going back to the shell: ask, wait, and find it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, assert_never

from cli.exits import ExitCode
from cli.language import capitalized, say
from cli.program import typed_in_shell
from cli.scene import plays_alone
from cli.session.answers import NOT_BEGUN
from cli.session.endings.outlook import AfterGame, Learnt, Opened, Outlook, after
from cli.session.frontend import FrontEnd, NoticeShown
from cli.session.sitting import Sitting
from cli.session.stay import GIVE_UP_S, GoTo, NextTableOffer, Rematch, WayOut
from cli.session.tasks import Tasks, now, sleep, within
from cli.wording.notices import notice_text
from netgame.errors import NetgameError
from netgame.io.abilities import ABILITIES
from netgame.io.network.addresses import Address, parse_address
from netgame.io.node.node import Node
from netgame.io.tables.again import another_table_at
from netgame.protocol import notices
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView

LOOK_AGAIN_S: Final = 1.0
"""The pause between two looks at the host's door."""

_LOOK_S: Final = 3.0
"""The longest that one look at a door may take."""

_ANEW_S: Final = 4.0
"""How long a script waits for a host who has closed its lobby to open another."""

_SOON_S: Final = 2.0
"""The time within which a host usually reopens its table; until then, a person is told nothing."""

_ASKS: Final = "Another game with the same company? Type again, score, rules or quit."

_HAS_LEFT: Final = (
    "{host} left. If {host} opens another game within {seconds} seconds you are in it; if not, "
    "type quit, then {command} to open your own."
)
_LEFT_TO_ANOTHER: Final = (
    "{host} left. If {host} opens another game within {seconds} seconds you are in it; if not, "
    "{name} can open it."
)
_LEFT_TO_YOU: Final = (
    "{host} left. If {host} opens another game within {seconds} seconds you are in it; if not, "
    "you can open it."
)

_IS_GONE: Final = (
    "{host} is gone, so there is no other game here. Type quit, then {command} to open your own."
)
_ANOTHER_OPENS: Final = (
    "{host} is gone, so {name}, who has the lowest seat of those still here, can open the next "
    "table. To come along, type again."
)
_YOU_OPEN: Final = (
    "{host} is gone, and you have the lowest seat of those still here: type again to open the next "
    "table."
)
_LEFT_TO_NOBODY: Final = (
    "{host} left. If {host} opens another game within {seconds} seconds you are in it; if not, "
    "type quit: nobody can come to a table in a browser tab."
)
_TAB_IS_GONE: Final = (
    "{host} is gone, so there is no other game here: nobody can come to a table in a browser tab. "
    "Type quit."
)
_PASSED_BY: Final = (
    "{host} is gone. Of the players here whom others can join, {name} has the lowest seat "
    "and can open the next table. To come along, type again."
)
_PASSES_YOU_BY: Final = (
    "{host} is gone. You have the lowest seat of those still here, but nobody can come to a table "
    "in a browser tab: {name} can open the next one. To come along, type again."
)
_LEFT_BY_TABS: Final = (
    "{host} is gone. Of the players here whom others can join, you have the lowest seat: "
    "type again to open the next table."
)
_WAITS_FOR_ANOTHER: Final = (
    "You are in. {host} is gone: waiting for {name} to type again, too; quit leaves."
)

_HAS_CLOSED: Final = (
    "{host} closed the table. If {host} reopens it within {seconds} seconds you are back at it; "
    "if not, this program ends."
)


@dataclass(slots=True)
class NextTable:
    """One person's way to the company's next table: the question after the game, and the search.

    To go there, it ends this session with a `NextTableOffer`.
    """

    node: Node
    front: FrontEnd
    sitting: Sitting
    way_out: WayOut
    tasks: Tasks
    outlook: Outlook = AfterGame.PLAYING
    """The person's knowledge of the next table; `outlook.TRANSITIONS` changes it."""
    _wants: bool = False
    """True once the person has said that they are in; a script may say so during the game."""
    _opener: bytes = b""
    """The key of the player last named to open the next table in place of a host who is gone."""

    @property
    def is_asked(self) -> bool:
        """True once this game is over, all others have gone from it, or the next table is open."""
        return self.outlook not in (AfterGame.PLAYING, AfterGame.REOPENING, AfterGame.WITHOUT_HOST)

    def _learn(self, learnt: Learnt, where: str = "", host: bytes = b"") -> None:
        self.outlook = after(self.outlook, learnt, where, host)

    def ask(self) -> bool:
        """Ask for another game once this one is over; return whether one may follow.

        Before the end, only return that. No game may follow for a seat that a bot plays without
        other people here, or for a script that has not typed `again`. If a script has typed it, go
        on without asking. For a guest, begin to look for the host's next table.
        """
        view = self.node.view()
        if not (self.front.asks_back or self._wants):
            return False
        if self.sitting.auto and not self._has_company(view):
            return False
        if not self.is_asked and view.stage is TableStage.OVER:
            self._learn(Learnt.OVER_AS_HOST if view.is_host else Learnt.OVER_AS_GUEST)
            if self._wants:
                self.tasks.start_soon(self.again)
            else:
                self.front.say(say(_ASKS))
            if not view.is_host:
                self.tasks.start_soon(self._follow, view)
        return True

    def say_what_follows(self) -> None:
        """Repeat the question for another game, if it was asked."""
        if self.is_asked:
            self.front.say(say(_ASKS))

    def _has_company(self, view: TableView) -> bool:
        """Return True if other people sit here.

        A seat that a bot plays stays for them, too: a host that left would close the table.
        """
        return any(not info.bot and info.key != self.node.key for info in view.here)

    def say_over(self) -> None:
        """Tell a person who tries to play on that the game is over; tell a script nothing."""
        if self.front.asks_back:
            asks = say(_ASKS) if self.is_asked else ""
            self.front.say(f"{say('This game is over.')} {asks}".rstrip())

    def come_along(self, closed: notices.TableClosed) -> None:
        """Wait, in a task, for a host who has closed its lobby to reopen the table.

        If the host does so in time, the session ends with an offer to go there. If not, tell the
        notice `closed`, and end the session as failed.
        """
        self._learn(Learnt.LOBBY_CLOSED)
        self.tasks.start_soon(self._come_along, self.node.view(), closed)

    async def _come_along(self, view: TableView, closed: notices.TableClosed) -> None:
        addresses = self._door_of_host(view)
        goes_along = partial(self._go_along, view, addresses)
        reads = self.front.asks_back
        if await within(_SOON_S if reads else _ANEW_S, goes_along):
            return
        if reads:  # the host's computer may be slow, or its cable out
            self.answer(_HAS_CLOSED, view)
            if await within(GIVE_UP_S, goes_along):
                return
        self.front.tell(NoticeShown(closed, notice_text(None, closed)))
        text = "If the host opens a table again, come back with: {command}"
        self.front.say(say(text, command=typed_in_shell("join")))
        self.way_out.end(ExitCode.FAILED)

    async def _go_along(self, view: TableView, addresses: Sequence[Address]) -> None:
        """Look until the host has reopened its table; end the session with an offer to go there.

        It looks for ever: the caller must cancel it in time.
        """

        async def look() -> None:
            self._learn(*await _seen_at(addresses, view.host_key, view))

        while not isinstance(self.outlook, Opened):
            await within(_LOOK_S, look)  # a door that is being closed may not answer at all
            if not isinstance(self.outlook, Opened):
                await sleep(_ANEW_S / 10)
        self.answer("{host} is reopening the table, and you stay.", view)
        self.way_out.end(NextTableOffer(GoTo(self.outlook.where, view.host_key, sits=view.sits)))

    def _door_of_host(self, view: TableView) -> tuple[Address, ...]:
        """Return the addresses at which to dial the host, or else those at which it was found.

        Empty if neither is known.
        """
        found_at = self.sitting.visit.host_at
        return self.node.addresses_of(view.host_key) or tuple(map(parse_address, found_at))

    def is_to_be_expected(self, notice: notices.Notice) -> bool:
        """Return True if a notice is not news here, and so is not told.

        A lobby that the host has closed is not news, and neither is what follows from that. In a
        lobby only the host's link is news. After the game the links of the bots and of the host are
        not news. Once this person goes on or the host has gone, no link is news.
        """
        view = self.node.view()
        if is_closed_lobby(notice, view):
            return True
        if self.outlook is AfterGame.REOPENING and isinstance(notice, notices.LobbyChanged):
            return True
        if not isinstance(notice, notices.LinkChanged):
            return False
        if self.outlook is AfterGame.REOPENING:
            return True
        host = next((info for info in view.seats if info.key == view.host_key), None)
        if view.stage is TableStage.LOBBY:  # losing a link there loses the seat, which is told
            return host is None or notice.name != host.name
        goes_on = self._wants or isinstance(self.outlook, Opened) or not view.is_host_here
        quiet = {info.name for info in view.seats if info.bot or goes_on or info == host}
        return self.is_asked and notice.name in quiet

    def host_moved(self) -> None:
        """Say that the host is at another table, and in a task follow it once nobody else is here.

        Our log does not show how the game here ended.
        """
        view = self.node.view()
        self._learn(Learnt.HOST_MOVED)
        self.answer("{host} is at another table now.", view)
        self.tasks.start_soon(self._stay_behind, view)

    async def _stay_behind(self, view: TableView) -> None:
        """Stay while anybody else is linked, since they may send more of the log; then follow.

        A script that has not typed `again` ends as failed. Do nothing if the game's end has come
        meanwhile.
        """
        alone_since = now()
        while now() < alone_since + _ANEW_S:
            if any(info.connected for info in self.node.view().seats if info.key != self.node.key):
                alone_since = now()
            await sleep(LOOK_AGAIN_S)
        if self.is_asked:
            return
        self._learn(Learnt.ALL_GONE)
        if not (self.front.asks_back or self._wants):
            self.way_out.end(ExitCode.FAILED)
        await self._follow(view)

    def hear(self, notice: notices.Notice) -> None:
        """Tell a host, once, when everybody else is in; tell a guest when the stand-in changes.

        The stand-in is the player who can open the next table in place of a host who is gone.
        """
        view = self.node.view()
        others = (info for info in view.here if info.connected and info.key != self.node.key)
        people = {info.key for info in others if not info.bot}
        if self.outlook is AfterGame.MAY_OPEN and people and people <= view.again:
            self._learn(Learnt.OTHERS_IN)
            self.front.say(say("Everybody else is in: type again here to open the table."))
        is_link = isinstance(notice, notices.LinkChanged)
        if self.outlook is AfterGame.GONE and is_link and self._stand_in(view) != self._opener:
            self._say_gone()

    def _stand_in(self, view: TableView) -> bytes:
        """Return the key of the player who may open the table if the host is gone; else empty.

        It is the first person of `_left_here` whom others can dial, if there is anybody to play
        with.
        """
        people = self._left_here(view)
        listen = [info.key for info in people if info.listens]
        company = view.again.union(info.key for info in people)
        return listen[0] if listen and len(company) > 1 else b""

    def _left_here(self, view: TableView) -> list[SeatInfo]:
        """Return the people still here, without the host, in seat order, the same for everybody."""
        here = (info for info in view.here if info.connected or info.key == self.node.key)
        return [info for info in here if not info.bot and info.key != view.host_key]

    async def again(self) -> None:
        """Act on the person's wish for another game.

        A host, or the stand-in for one who is gone, leaves to open the next table. Anybody else
        goes to that table if it is open; if it is not, they wait, and the others hear of the wish.
        While this game lasts, only say so, and keep a script's wish.
        """
        view = self.node.view()
        match self.outlook:
            case AfterGame.PLAYING | AfterGame.REOPENING | AfterGame.WITHOUT_HOST:
                self._too_early(view)
            case AfterGame.MAY_OPEN | AfterGame.ALL_IN:
                await self._open(view)
            case AfterGame.WAITING | AfterGame.AWAY:
                await self._be_in(view)
                self._say_waits(view)
            case AfterGame.GONE if self._stand_in(view) == self.node.key:
                await self._open(view)
            case AfterGame.GONE:
                await self._be_in(view)
                self._say_gone()
            case Opened(where, host):
                self._go_over(where, host, view)
            case _:
                assert_never(self.outlook)

    async def _open(self, view: TableView) -> None:
        """Tell all others that this program opens the next table, and end the session to do so."""
        await self.node.play_again(opens=True)
        self.way_out.end(NextTableOffer(Rematch(self._seats_needed(view))))

    async def _be_in(self, view: TableView) -> None:
        """Note that the person wants another game, and tell the others if the person would sit."""
        self._wants = True
        if self._would_sit(view):
            await self.node.play_again()

    def _say_waits(self, view: TableView) -> None:
        """Tell a person who wants another game what they are waiting for."""
        stand_in = self._stand_in(view)
        text = "You are in. Waiting for {host} to type again, too; quit leaves."
        if view.is_hosted_apart:
            text = "You are in. Somebody must type again at the host's computer, too; quit leaves."
        if self.outlook is AfterGame.AWAY or not view.is_host_here:
            alone = _LEFT_TO_NOBODY if ABILITIES.get().is_tab else _HAS_LEFT
            text = _LEFT_TO_ANOTHER if stand_in else alone
            text = _LEFT_TO_YOU if stand_in == self.node.key else text
        self.answer(text, view, view.name_of(stand_in))

    def _seats_needed(self, view: TableView) -> int:
        """Count the players who have a seat, and the others here who want another game.

        This includes a host who is gone, since they may come back.
        """
        sat = {info.key for info in view.seats if not info.left}
        return len(sat | view.again)

    def say_not_over(self, view: TableView) -> None:
        """Say that the game has not begun, or that it is not over and how to give it up."""
        text = (
            "This game is not over. Type again when it is. To give it up, type leave: the "
            "others go on without you."
        )
        if plays_alone(view):
            text = (
                "This game is not over. Type again when it is. To give it up, type leave; then "
                "begin another with: {command}"
            )
        text = NOT_BEGUN if view.stage is TableStage.LOBBY else text
        self.front.say(say(text, command=typed_in_shell("play")))

    def _too_early(self, view: TableView) -> None:
        """Tell a person that the game is not over; keep a script's wish until it is."""
        if self.front.asks_back or self.sitting.auto:
            self.say_not_over(view)
            return
        self._wants = True
        self.front.say(say("You play again when this game is over."))
        self.ask()

    async def _follow(self, view: TableView) -> None:
        """Look every second until the host or a stand-in has another table; then go, or say so.

        Once nobody has answered at the host's door for `GIVE_UP_S`, say so, which ends a script's
        session. For a person keep looking, since a host may come back.
        """
        addresses = self._door_of_host(view)
        heard_at = now()
        while True:
            self._learn(*await _seen_at(addresses, view.host_key, view))
            if self.outlook is AfterGame.GONE:
                await self._look_at_stand_ins(view)
            match self.outlook:
                case Opened(where, host):
                    if self._wants or (self.sitting.watches and not view.sits):
                        self._go_over(where, host, view)
                    else:
                        text = "{name} has opened another game: type again to play, or quit."
                        self.answer(text, view, _name_of(host, view))
                    return
                case AfterGame.WAITING:
                    heard_at = now()
                case AfterGame.AWAY if now() >= heard_at + GIVE_UP_S:
                    self._learn(Learnt.SILENCE)
                    self._say_gone()
                case _:
                    pass
            await sleep(LOOK_AGAIN_S)

    async def _look_at_stand_ins(self, view: TableView) -> None:
        """Look at the doors of players who say that they open the table in the host's place."""
        for key in self.node.view().openers:
            learnt, where = (await _seen_at(self.node.addresses_of(key), key, view))[:2]
            if learnt is Learnt.TABLE:
                self._learn(Learnt.STAND_IN, where, key)
                return

    def _go_over(self, where: str, host: bytes, view: TableView) -> None:
        """End the session with an offer to go to the next table, at the address `where`.

        A person who came to watch, and has no seat here, watches there.
        """
        self.way_out.end(NextTableOffer(GoTo(where, host, sits=self._would_sit(view))))

    def _would_sit(self, view: TableView) -> bool:
        return view.sits or not self.sitting.watches

    def answer(self, text: str, view: TableView, name: str = "") -> None:
        """Say a sentence about the next table.

        The text may use `host`, a name or "the host"; `name`, of another player; `seconds`, the
        wait before giving up; and `command`, which opens a table of the person's own.
        """
        host, command = _name_of(view.host_key, view), typed_in_shell("host")
        said = say(text, host=host, name=name, seconds=round(GIVE_UP_S), command=command)
        self.front.say(capitalized(said))

    def _say_gone(self) -> None:
        """Say who can open the table now that the host is gone, and end a script's session."""
        view = self.node.view()
        self._opener = self._stand_in(view)
        text = _TAB_IS_GONE if ABILITIES.get().is_tab else _IS_GONE
        if self._opener:
            lowest = self._left_here(view)[0].key
            is_passed_by = lowest != self._opener
            text = _PASSED_BY if is_passed_by else _ANOTHER_OPENS
            text = _PASSES_YOU_BY if is_passed_by and lowest == self.node.key else text
            text = _WAITS_FOR_ANOTHER if self._wants else text
            if self._opener == self.node.key:
                text = _LEFT_BY_TABS if is_passed_by else _YOU_OPEN
        self.answer(text, view, view.name_of(self._opener))
        if not self.front.asks_back:
            self.way_out.end(ExitCode.OK)


def _name_of(key: bytes, view: TableView) -> str:
    """Return a player's name, or "the host" for a host without a seat."""
    return view.name_of(key) or say("the host")


async def _seen_at(
    addresses: Sequence[Address], host: bytes, view: TableView
) -> tuple[Learnt, str, bytes]:
    """Look at a player's door; return the news, the next table's address or "", and `host`."""
    try:
        found = await another_table_at(addresses, PeerKey(host), view.table_id)
    except NetgameError:
        return Learnt.NO_ANSWER, "", host
    return (Learnt.TABLE if found else Learnt.ANSWER), found, host


def is_closed_lobby(notice: notices.Notice, view: TableView) -> bool:
    """Return True if the notice tells a guest that the host has closed its lobby, or is gone."""
    away = (notices.WhyClosed.BY_HOST, notices.WhyClosed.HOST_GONE)
    is_closed = isinstance(notice, notices.TableClosed) and notice.why in away
    return is_closed and view.stage is TableStage.LOBBY and not view.is_host
