"""Commentary: a sentence on each event at the table, beside the drawings."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from cli.language import say
from cli.scene import Scene, plays_alone
from cli.session.contacts import Contacts
from cli.session.frontend import FrontEnd, NoticeShown
from cli.wording.departures import departures_text, own_departure_text, price_text
from cli.wording.moves import HeldDraws, call_sentences
from cli.wording.notices import gap_text, notice_text
from cli.wording.search import Search
from netgame.limits import DROP_S
from netgame.protocol import notices
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.peer.view import TableView

_OF_LOG: Final = (
    notices.Played
    | notices.Dealt
    | notices.RoundOver
    | notices.GameOver
    | notices.GameStarted
    | notices.MovesUndone
    | notices.Reshuffled
    | notices.SeatsCame
    | notices.SeatsLeft
    | notices.VotesCame
)
"""The notices that are read from the log, perhaps late; all others come when they happen."""

_OF_TABS: Final = {
    notices.LinkEnd.SILENT: "{name}'s page has not answered for {seconds:g} seconds: it may be "
    "asleep.",
    notices.LinkEnd.BROKEN: "{name}'s page is gone: it was closed, or its connection stopped.",
}
"""The sentence on a browser tab's lost link, by how the link ended; nobody can dial a tab."""

_WHILE_AWAY: Final = (
    notices.Played | notices.Dealt | notices.RoundOver | notices.SeatsLeft | notices.YourTurn
)
"""The notices that can begin or end the part of the game that was played while somebody was away.
"""


class Course(Enum):
    """The state of play; it decides whether the table waits for a player whose link is lost."""

    RUNS = "the game is played, or about to be"
    STOPPED = "a fault has stopped the table"
    OVER = "the game is over"


class CourseNews(Enum):
    """The news that changes the course."""

    FAULT = "a fault stops the table"
    ON = "the table plays on"
    END = "the game is over"


COURSE_TRANSITIONS: Final = {
    (Course.RUNS, CourseNews.FAULT): Course.STOPPED,
    (Course.RUNS, CourseNews.END): Course.OVER,
    (Course.STOPPED, CourseNews.ON): Course.RUNS,
    (Course.STOPPED, CourseNews.END): Course.OVER,
}
"""The next state, by state and news; no other pair changes anything."""


def course_after(course: Course, notice: notices.Notice) -> Course:
    """Return the table's course after this notice."""
    match notice:
        case notices.FaultFound(then=notices.AfterFault.STOPS):
            news = CourseNews.FAULT
        case notices.PlaysOn():
            news = CourseNews.ON
        case notices.GameOver():
            news = CourseNews.END
        case _:
            return course
    return COURSE_TRANSITIONS.get((course, news), course)


class OwnAbsence(Enum):
    """The person's knowledge of their own absence from the table."""

    RETURNS = "they are back, and have not read what was played meanwhile"
    HERE = "they have, or were not away"
    KNOWS_WAY = "they have read that the table went on without them, and how they sit down again"


class AbsenceRead(Enum):
    """The news that changes the `OwnAbsence`, once the person has read it."""

    MISSED = "what was played is told, their turn comes, or nothing comes for a while"
    WAY_BACK = "it is told who went on without them, and that they get their seat back"


ABSENCE_TRANSITIONS: Final = {
    (OwnAbsence.RETURNS, AbsenceRead.MISSED): OwnAbsence.HERE,
    (OwnAbsence.HERE, AbsenceRead.WAY_BACK): OwnAbsence.KNOWS_WAY,
}
"""The next state, by state and news; no other pair changes anything.

A person reads of their own departure below the heading of missed moves, so by then they are
`HERE`."""


class LogProgress(Enum):
    """The progress of our log, compared with the others'."""

    LEVEL = "our log is level with the others'"
    BEHIND = "our log lags behind: what it tells has happened before"


class LogNews(Enum):
    """The news that changes the progress."""

    AHEAD = "the others have played on meanwhile"
    CAUGHT_UP = "all of that is told"


LOG_TRANSITIONS: Final = {
    (LogProgress.LEVEL, LogNews.AHEAD): LogProgress.BEHIND,
    (LogProgress.BEHIND, LogNews.CAUGHT_UP): LogProgress.LEVEL,
}
"""The next state, by state and news; no other pair changes anything."""


def progress_after(progress: LogProgress, notice: notices.Notice) -> LogProgress:
    """Return the progress of our log after this notice."""
    match notice:
        case notices.FellBehind():
            news = LogNews.AHEAD
        case notices.CaughtUp():
            news = LogNews.CAUGHT_UP
        case _:
            return progress
    return LOG_TRANSITIONS.get((progress, news), progress)


@dataclass(slots=True)
class Commentary:
    """The commentary for one person: each notice once, and reminders of possible calls."""

    key: bytes
    """The person's key."""
    front: FrontEnd
    draws: HeldDraws
    reminds: bool
    """True to remind them of possible calls."""
    absence: OwnAbsence = OwnAbsence.HERE
    """The person's knowledge of their own absence; missed moves come under a heading."""
    contacts: Contacts = field(default_factory=Contacts)
    """The contact with each of the other players."""
    _course: Course = Course.RUNS
    _search: Search = field(default_factory=Search)
    _reminders: tuple[str, ...] = ()
    _progress: LogProgress = LogProgress.LEVEL

    def take(self, scene: Scene | None, notice: notices.Notice, view: TableView) -> None:
        """Tell a notice, then the calls that have become possible.

        Call this for every notice, in order, with the view at that time.
        """
        self._course = course_after(self._course, notice)
        sentence = self._search.told(scene, notice, self._text(scene, notice, view))
        told = self.draws.told(scene, notice, sentence)
        knows_way = self.absence is OwnAbsence.KNOWS_WAY
        if knows_way and isinstance(notice, notices.SeatLater) and notice.returns:
            told = ""  # the sentence that the others go on without them has said it
        is_of_then = isinstance(notice, _WHILE_AWAY)
        if self.absence is OwnAbsence.RETURNS and is_of_then and told:
            self.front.say(say("Since you left:"))
        self._progress = progress_after(self._progress, notice)
        is_past = self._is_behind and isinstance(notice, _OF_LOG)
        self.front.tell(NoticeShown(notice, sentence, told, is_past))
        if is_of_then and (told or isinstance(notice, notices.YourTurn)):
            self.has_read(AbsenceRead.MISSED)
        if view.no_seat is None and self._own_departure(notice, view) is not None:
            self.has_read(AbsenceRead.WAY_BACK)
        if scene is not None and self.reminds:
            self._remind(scene)

    @property
    def _is_behind(self) -> bool:
        return self._progress is LogProgress.BEHIND

    def has_read(self, what: AbsenceRead) -> None:
        """Note what the person has read of the time when they were away."""
        self.absence = ABSENCE_TRANSITIONS.get((self.absence, what), self.absence)

    def _text(self, scene: Scene | None, notice: notices.Notice, view: TableView) -> str:
        """Return the sentence for a notice by itself; empty for a link that is not news.

        Links to this host's own bots, which play in this program, are not news. After the game, or
        once a fault has stopped the table, nobody waits: a player whose link goes down has left.
        """
        is_news = self.contacts.is_news(notice)
        bots = [info.name for info in view.seats if info.bot]
        match notice:
            case notices.LinkChanged(name=name) if view.is_host and name in bots:
                return ""
            case notices.LinkChanged(name=name, up=is_up) if self._course is not Course.RUNS:
                return "" if is_up else say("{name} has left.", name=name)
            case notices.LinkChanged() | notices.AnswerAwaited() if not is_news:
                return ""
            case notices.FellBehind() | notices.CaughtUp():
                return self._catching_up_text(notice)
            case notices.ComputerSlept() | notices.ProgramStopped() if plays_alone(view):
                return gap_text(notice)
            case notices.NetworkChanged() if scene is not None and plays_alone(view):
                return ""
            case _:
                text = notice_text(scene, notice)
                return text and (self._about_who_is_away(scene, notice, view, bots) or text)

    def _about_who_is_away(
        self, scene: Scene | None, notice: notices.Notice, view: TableView, bots: Collection[str]
    ) -> str:
        """Return a sentence on a departure, vote or link to replace the notice's own sentence.

        Empty if the notice's own sentence is enough.
        """
        own_name = view.name_of(self.key)
        tabs = [info.name for info in view.seats if info.in_tab]
        match notice:
            case notices.SeatsLeft(names):
                own = self._own_departure(notice, view)
                if own is not None:
                    return own_departure_text(own, view.no_seat)
                return departures_text(names, view.departures, own_name)
            case notices.VoteCast(without=names) if own_name in names:
                return f"{notice_text(scene, notice)} {say('That vote ends when you move.')}"
            case notices.VoteCast(name=name, without=names):
                price = price_text(view, names) if notice.may_agree else ""
                rule = "A bot votes with a person, once somebody has been away for a minute."
                is_own_alone = notice.own and any(info.bot for info in view.here)
                why = say(rule) if name in bots or is_own_alone else ""
                return " ".join(filter(None, (notice_text(scene, notice), price, why)))
            case notices.LinkChanged(name=name, up=False, end=end) if name in tabs:
                return say(_OF_TABS[end], name=name, seconds=DROP_S) if end in _OF_TABS else ""
            case notices.AnswerAwaited(name=name, came=False) if name in tabs:
                text = "{name}'s page does not answer: it may be asleep. The table waits for it."
                return say(text, name=name)
            case notices.LinkChanged(name=name, up=True):
                text = "You are connected to {name} again." if self.contacts.rejoins(name) else ""
                is_known = scene is not None and name in scene.names
                if scene and is_known and scene.names.index(name) not in scene.table.present:
                    text = "{name} is back, and watches."
                return text and say(text, name=name)
            case _:
                return ""

    def _catching_up_text(self, notice: notices.FellBehind | notices.CaughtUp) -> str:
        """Return the sentence on falling behind the others, or on catching up in full or in part.

        Empty if our log was never behind, as for a latecomer. Empty too if the others have played
        on while the person was away: a heading over the missed moves says so instead.
        """
        if isinstance(notice, notices.FellBehind):
            text = "The others have played on meanwhile: your program is catching up."
            return "" if self.absence is OwnAbsence.RETURNS else say(text)
        if not self._is_behind:
            return ""
        if notice.is_level:
            return say("You have caught up with the table.")
        return say("The rest of what the others have played has not come yet.")

    def _own_departure(self, notice: notices.Notice, view: TableView) -> GoneSeat | None:
        """Return the departure of this person's own seat, if the notice tells it; else None."""
        own_name = view.name_of(self.key)
        if not (isinstance(notice, notices.SeatsLeft) and own_name in notice.names):
            return None
        return next((each for each in reversed(view.departures) if each.name == own_name), None)

    def _remind(self, scene: Scene) -> None:
        """Out of turn, say once that a last tile must be called, or who may be caught.

        In the person's own turn the board says so. The possible calls change with every play: a
        sentence that stops applying and applies again later is repeated.
        """
        before, self._reminders = self._reminders, call_sentences(scene)
        for sentence in self._reminders:
            if not scene.can_move and sentence not in before:
                self.front.say(sentence)
