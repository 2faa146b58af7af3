"""Everything that is told of a table: its moves, and beside them links, deals, seats, trouble.

The search for the engine is told briefly, one sentence a question: every seat answers each, most
answers are no, and a person wants to hear what came of it.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from cli.exits import sentence_of
from cli.said.events import events_text
from cli.scene import Scene, tile_text, who
from engine.rules.switches import Engine
from engine.table.events import HubLaid, NothingHeld, TileDrawn
from engine.table.trains import Seat
from engine.table.turn import Seek, SeekStep
from netgame.limits import DROP_S
from netgame.protocol import notices
from netgame.protocol.notices import DealPhase, LinkEnd, TroubleKind, WhyClosed
from netgame.protocol.text import join_names


def notice_text(scene: Scene | None, notice: notices.Notice) -> str:  # noqa: C901 - one branch each
    """Say a notice as a sentence; empty for those that only make the screen change."""
    match notice:
        case notices.Played() | notices.RoundOver() | notices.GameOver():
            return "" if scene is None else events_text(scene, notice.events)
        case notices.GameStarted():
            return "The game begins: everybody shuffles, and everybody checks everybody else."
        case notices.Dealt():
            return _dealt_text(scene, notice)
        case notices.ChatHeard():
            return f"{notice.name}: {notice.text}"
        case notices.MayCall():
            return f"{notice.seconds:g} seconds to tap, or to catch somebody."
        case notices.Reshuffled():
            return _reshuffled_text(scene, notice)
        case notices.SaidFarewell():
            return f"{notice.name} leaves for good."
        case notices.SeatsCame():
            return _came_text(scene, notice)
        case notices.VoteCast():
            return _vote_text(scene, notice)
        case notices.SeatsLeft(names):
            return f"The table goes on without {join_names(names)}."
        case notices.TableClosed():
            return f"The table is closed. {CLOSED[notice.why]}"
        case notices.LinkChanged():
            if notice.end is LinkEnd.LEFT:
                return ""
            end = LinkEnd.ENDED_HERE if notice.end is None else notice.end
            return f"{notice.name} {'is back.' if notice.up else _LINKS[end]}"
        case notices.FaultFound(is_hearsay=True):
            return f"{notice.sentence} You saw it; {notice.evidence} proves it to nobody else."
        case notices.FaultFound():
            return f"{notice.sentence} The proof is in {notice.evidence}."
        case notices.SeatRefused() | notices.SeatLater():
            return notice.sentence
        case notices.Trouble():
            said = sentence_of(_TROUBLES[notice.kind].format(*notice.facts))
            return f"A bot of yours: {said}" if notice.of_bot else said
        case notices.WatcherChanged():
            return f"{notice.name} {'watches' if notice.watches else 'no longer watches'}."
        case notices.Announcing():
            return _announcing_text(notice)
        case notices.LobbyChanged() | notices.YourTurn() | notices.DealStage():
            return ""
        case notices.CaughtUp() | notices.StandIn():
            return ""
    assert_never(notice)


CLOSED: Final[Mapping[WhyClosed, str]] = {
    WhyClosed.TOO_FEW: "Too few players are left for it.",
    WhyClosed.BY_HOST: "The host has closed it.",
    WhyClosed.HOST_GONE: "The host has left before the game began.",
    WhyClosed.WITHOUT_YOU: "The others have gone on without you.",
    WhyClosed.ELSEWHERE: "Another program plays with the key of this seat, perhaps from a copy of "
    "its folder; this one stops, so that no move is signed twice. Close all but one, then come "
    "back to the table.",
    WhyClosed.NO_SECRET: "The secret of this seat is no longer on this computer, so nobody can "
    "play on for it.",
}
"""Why there is nothing left to do at a table."""

_TROUBLES: Final[Mapping[TroubleKind, str]] = {
    TroubleKind.LINK_CLOSED: "The link to {} was closed: {}",
    TroubleKind.TABLE_UNFIT: "These rules do not allow a table of those seated here.",
    TroubleKind.NOBODY_CALLED: "Nobody here is called {}, so {} plays first.",
    TroubleKind.OTHER_COURSE: "The others show another course of this game than the one your seat "
    "has signed on this computer. So that nobody can see your tiles, it signs nothing more in this "
    "round; the others can go on without it, and you can come back with the next round.",
    TroubleKind.LOST_END: "The record of this table has lost its end. Your seat signs nothing "
    "until the others show the game up to where it had come.",
    TroubleKind.DISK_FULL: "Your seat waits: {}. It goes on by itself when there is room.",
    TroubleKind.DISK_ROOM: "There is room on the disk again; your seat goes on.",
    TroubleKind.SEAT_PAUSED: "Your seat is paused: {}. Fix that, then come back to the table.",
    TroubleKind.RECORD_DAMAGED: "The record was damaged at octet {} ({}); what stood there is "
    "asked of the others again.",
    TroubleKind.NOT_COPIED: "{}; the record is still in {}.",
    TroubleKind.CODE_CHANGED: "Wrong join codes came from {}. The join code of this table is now "
    "{}.",
    TroubleKind.OF_COMPUTER: "{}",
}
"""What went wrong; the facts of each are listed beside its kind."""

DEALING: Final[Mapping[DealPhase, str]] = {
    DealPhase.KEY_COMMIT: "keys committed",
    DealPhase.KEY_OPEN: "keys opened",
    DealPhase.DECK: "mixed by {}",
    DealPhase.PROOF: "checking the proofs",
    DealPhase.CHECKED: "mixed, and checked by all",
}
"""How far a deal has come, in a few words; by whom."""


_LINKS: Final[Mapping[LinkEnd, str]] = {
    LinkEnd.QUIT: "has quit, and may come back.",
    LinkEnd.BROKEN: "is gone: that program or its connection stopped. Trying again.",
    LinkEnd.SILENT: f"has not answered for {DROP_S:g} seconds. Trying again.",
    LinkEnd.ENDED_HERE: "is not connected. Trying again.",
}
"""What a link that goes down in this way says of who was at its other end."""


def _came_text(scene: Scene | None, notice: notices.SeatsCame) -> str:
    """Say who has sat down; nobody, if they have left again."""
    own = None if scene is None or scene.seat is None else scene.names[scene.seat]
    names = [name for name in notice.names if name != own]
    if own in notice.names:
        names.insert(0, "you" if names else "You")
    level = "level with last place so far"
    verb = "sits" if len(names) == 1 and names != ["You"] else "sit"
    text = f"{join_names(names)} {verb} down, {level}." * bool(names)
    return text[:1].upper() + text[1:] if names[:1] == ["you"] else text


def _vote_text(scene: Scene | None, notice: notices.VoteCast) -> str:
    """Say who votes for what, how many have, and how to agree."""
    own = None if scene is None or scene.seat is None else scene.names[scene.seat]
    about = join_names(["you" if name == own else name for name in notice.without])
    who_votes = "You vote" if notice.own else f"{notice.name} votes"
    count = f"{notice.agreed} of {notice.needed}"
    how = f"; type without {' '.join(notice.without)} to agree" if notice.may_agree else ""
    return f"{who_votes} to go on without {about} ({count}){how}."


def _reshuffled_text(scene: Scene | None, notice: notices.Reshuffled) -> str:
    """Say why everybody shuffles between two deals."""
    if scene is None or notice.lead is None:
        return "Tiles go back into the boneyard, and everybody shuffles it again."
    verb = "have" if notice.lead == scene.seat else "has"
    highest = f"{who(scene, notice.lead)} {verb} turned up the highest tile"
    return f"{highest}: all tiles go back, and everybody shuffles again."


def _dealt_text(scene: Scene | None, notice: notices.Dealt) -> str:
    """Say what a new round is about."""
    if scene is None:
        return f"Round {notice.round_number + 1} is dealt."
    table = scene.table
    number = f"Round {table.round_number + 1} of {table.spec.rounds} is dealt"
    if table.hub is None:
        # who begins may hang on who has the engine
        return f"{number}. Who has the engine?"
    own = table.first == scene.seat
    first = "you begin" if own else f"{scene.names[table.first]} begins"
    return f"{number}: engine {tile_text(table.hub)}, {first}."


def _announcing_text(notice: notices.Announcing) -> str:
    """Say that this computer lets others find the table, or need do so no more."""
    code = f"its join code is {notice.code}"
    match notice.host, notice.code:
        case "", "":
            return "Your computer announces the table; newcomers need no join code."
        case "", _:
            return f"Your computer announces the table; {code}."
        case host, "":
            return f"{host}'s computer is back, and announces the table again."
        case host, _:
            return f"{host}'s computer is gone: your computer now announces the table; {code}."


# ---- the search for the engine --------------------------------------------------------------


class Search:
    """What has been answered to the question that is being asked now."""

    def __init__(self) -> None:
        self._going_on = False
        self._question: Seek | None = None
        self._claims: dict[Seat, bool] = {}

    def told(self, scene: Scene | None, notice: notices.Notice, sentence: str) -> str:
        """Return what to say of a notice: its sentence, or the outcome of a question, or nothing.

        To be called for every notice in its order.
        """
        if isinstance(notice, notices.Dealt):
            self._going_on = scene is not None and scene.table.hub is None
            self._claims.clear()
        if self._going_on and isinstance(notice, notices.Played) and scene is not None:
            sentence = self._in_search(scene, notice, sentence)
        if not self._claims:
            # the answers of one step come together, when the table is at the next one already
            self._question = scene.table.seek if scene is not None else None
        return sentence

    def _answered(self, scene: Scene, seat: Seat, *, claims: bool = True) -> tuple[bool, ...]:
        """Note an answer; with the last one return what all claim, and forget it."""
        self._claims[seat] = claims
        if len(self._claims) < len(scene.table.present):
            return ()
        found, self._claims = tuple(self._claims.values()), {}
        return found

    def _in_search(self, scene: Scene, notice: notices.Played, sentence: str) -> str:
        if any(isinstance(event, HubLaid) for event in notice.events):
            self._going_on = False
            return sentence
        match notice.events:
            case (NothingHeld() as answer, *rest):
                outcome = self._denied(scene, answer)
                return " ".join(filter(None, (outcome, events_text(scene, rest))))
            case (TileDrawn() as draw,):
                return self._drawn(scene, draw, sentence)
            case _:
                return sentence

    def _drawn(self, scene: Scene, draw: TileDrawn, sentence: str) -> str:
        """Draws of all at once are one sentence; draws in turn are told one by one."""
        if self._question is None or self._question.step is not SeekStep.ALL_DRAW:
            return sentence
        return "Everybody draws a tile." if self._answered(scene, draw.seat) else ""

    def _denied(self, scene: Scene, answer: NothingHeld) -> str:
        """Say the outcome with the last answer; nothing where one seat alone was asked."""
        question = self._question
        if question is None or question.step in (SeekStep.DRAWN, SeekStep.LOOKED):
            return ""
        claims = self._answered(scene, answer.seat, claims=answer.claimed)
        return _outcome(scene, question, all_claim=all(claims)) if claims else ""


def _outcome(scene: Scene, question: Seek, *, all_claim: bool) -> str:
    """Say what all answers to a question come to. [docs/rules.md §1.6, §1.7]"""
    stocked = bool(scene.table.boneyard)
    match question.step:
        case SeekStep.IN_TURN:
            return "Nobody has a double that may be the engine."
        case SeekStep.CLAIM if all_claim:
            follows = ": players turn up tiles of the boneyard" if stocked else ""
            return f"Nobody holds a double that may be the engine{follows}."
        case SeekStep.CLAIM:
            looked = "players look through the boneyard"
            forced = "the highest double must be played"
            return f"Somebody keeps silent: {looked if stocked else forced}."
        case step:
            asked = tile_text(question.asked[0])
            declared = step is SeekStep.ASK and scene.table.rules.engine is Engine.DECLARED
            return f"Nobody {'declares' if declared else 'has'} {asked}."
