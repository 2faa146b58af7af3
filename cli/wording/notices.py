"""Every sentence about events at a table: moves, deals, seats, links and trouble."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, assert_never

from cli.exits import sentence_of
from cli.language import joined, say, translated
from cli.scene import Scene, rounds_text, tile_text
from cli.wording.events import events_text
from cli.wording.seats import no_seat_text, seat_later_text
from engine.play.calls import may_tap, offenders
from engine.play.hub_search import asks_heaviest
from engine.scoring import totals
from engine.table.trains import Seat
from netgame.limits import DROP_S, UNANSWERED_S
from netgame.protocol import notices
from netgame.protocol.notices import DealPhase, LinkEnd, TroubleKind, WhyClosed
from netgame.protocol.seating import SeatAsked, StrangersLead, VoteWithheld, WhyNoSeat
from netgame.saying import saying


def notice_text(scene: Scene | None, notice: notices.Notice) -> str:  # noqa: C901 - one branch each
    """Return a notice as a sentence; empty for a notice that only changes the screen.

    It is also empty if another notice says the same, for draws that are taken back, and, without a
    scene, for notices that need one, such as moves.
    """
    match notice:
        case notices.Played() | notices.RoundOver() | notices.GameOver():
            return "" if scene is None else events_text(scene, notice.events)
        case notices.GameStarted():
            return say("The game begins: everybody shuffles, and everybody checks everybody else.")
        case notices.Dealt():
            return _dealt_text(scene, notice)
        case notices.ChatHeard():
            return f"{_speaker(notice.name)}: {notice.text}"
        case notices.AgainHeard(opens=opens):
            text = "{name} is opening the table for another game." if opens else _IS_IN
            return say(text, name=_speaker(notice.name))
        case notices.MayCall():
            return _call_text(scene, notice.seconds)
        case notices.Reshuffled():
            return _reshuffled_text(scene, notice)
        case notices.SaidFarewell():
            return _farewell_text(notice)
        case notices.SeatsCame():
            return _came_text(scene, notice)
        case notices.VotesCame() | VoteWithheld() | notices.NobodyDecides():
            return _franchise_text(scene, notice)
        case notices.VoteCast():
            return _vote_text(scene, notice)
        case notices.VoteTakenBack():
            return _taken_back_text(scene, notice)
        case notices.SeatsLeft(names):
            return say("The table goes on without {names}.", names=joined(names))
        case notices.MovesUndone(only_draws):
            text = "The last moves are taken back: not everybody who plays on had seen them."
            return "" if only_draws else say(text)  # a draw is told with its result
        case notices.TableClosed():
            return say("The table is closed. {reason}", reason=say(CLOSED[notice.why]))
        case notices.LinkChanged():
            if notice.end is LinkEnd.LEFT:
                return ""
            text = "{name} is back." if notice.up else _LINKS[notice.end or LinkEnd.ENDED_HERE]
            return say(text, name=notice.name, seconds=DROP_S)
        case notices.AnswerAwaited(name, came, linked):
            text = "{name} does not answer, and the table waits for them."
            if linked:
                text = "{name}'s program has not answered for {seconds:g} seconds."
            text = "{name} answers again." if came else text
            return say(text, name=name, seconds=UNANSWERED_S)
        case notices.FaultFound():
            return _fault_text(notice)
        case notices.PlaysOn():
            return say("The table plays on: this can no longer harm it.")
        case notices.OtherRules(revision, ours):
            return _other_rules_text(revision, ours)
        case notices.SeatRefused(no_seat):
            return no_seat_text(no_seat)
        case notices.SeatLater():
            return seat_later_text(notice)
        case notices.Trouble():
            facts = dict(zip(("first", "second"), notice.facts, strict=False))
            trouble = sentence_of(translated(saying(_TROUBLES[notice.kind], **facts)))
            return say("A bot of yours: {trouble}", trouble=trouble) if notice.of_bot else trouble
        case notices.WatcherChanged():
            comes = "{name} watches." if scene else "{name} is here, without a seat."
            goes = "{name} no longer watches." if scene else "{name} has left, without a seat."
            return say(comes if notice.watches else goes, name=notice.name)
        case SeatAsked() | StrangersLead():
            return _strangers_text(notice)
        case notices.StandIn() | notices.Announcing():
            return _announcing_text(notice)
        case notices.CaughtUp() | notices.FellBehind() | notices.LobbyChanged():
            return ""
        case notices.ComputerSlept() | notices.ProgramStopped():
            return f"{gap_text(notice)} {say('Connecting to the others again.')}"
        case notices.NetworkChanged():
            return _network_text(notice)
        case notices.YourTurn() | notices.DealStage() | notices.HostMoved():
            return ""
    assert_never(notice)


_IS_IN: Final = "{name} is in for another game."


def _fault_text(notice: notices.FaultFound) -> str:
    """Return sentences on who broke the protocol, where the proof is, and what the table does."""
    text = "{fault} The proof is in {evidence}."
    if not notice.evidence:
        text = "{fault} You saw it, but nobody else can check it."
    facts = {"fault": notice.sentence, "evidence": notice.evidence}
    match notice.then:
        case notices.AfterFault.NOTHING:
            return say(text, **facts)
        case notices.AfterFault.LET_GO:
            text = (
                "{fault} The proof is in {evidence}. Your program and the others vote to go on "
                "without {name}: you need not type anything."
            )
            return say(text, **facts, name=notice.called)
        case notices.AfterFault.STOPS:
            text = "{fault} The proof is in {evidence}. The table stops."
            return say(text, **facts)
    assert_never(notice.then)


def _strangers_text(notice: SeatAsked | StrangersLead) -> str:
    """Return sentences on a request for a seat and the objection, or on the strangers' votes."""
    if isinstance(notice, SeatAsked):
        name = notice.name
        text = say(_ASKED[notice.why], name=name, fingerprint=notice.fingerprint)
        return f"{text} {say('To give {name} a seat, type allow {name}.', name=name)}"
    text = (
        "{names} are strangers here, and have {count} of the {votes} votes on who goes on now: "
        "together they can go on without the others."
    )
    return say(text, names=joined(notice.names), count=len(notice.names), votes=notice.votes)


def _farewell_text(notice: notices.SaidFarewell) -> str:
    """Return a sentence on who leaves, and how that changes a vote."""
    text = "{name} leaves for good."
    if notice.needed:
        text = (
            "{name} leaves for good: to go on without somebody, {needed} of the {all} players must "
            "agree now."
        )
    return say(text, name=notice.name, needed=notice.needed, all=notice.all)


def _other_rules_text(theirs: int, ours: int) -> str:
    """Return a warning that the table plays a different revision, saying who should update."""
    text = (
        "This table plays revision {theirs} of the rules, and your Boneyard plays revision {ours}: "
        "ask the host to update theirs."
    )
    if theirs > ours:
        text = (
            "This table plays revision {theirs} of the rules, and your Boneyard plays revision "
            "{ours}: update yours, and come again."
        )
    return say(text, theirs=theirs, ours=ours)


CLOSED: Final[Mapping[WhyClosed, str]] = {
    WhyClosed.TOO_FEW: "Too few players are left for it.",
    WhyClosed.BY_HOST: "The host has closed it.",
    WhyClosed.HOST_GONE: "The host has left before the game began.",
    WhyClosed.ELSEWHERE: "Another program plays with the key of this seat, perhaps from a copy of "
    "its folder; this one stops, so that no move is signed twice. Close all but one, then come "
    "back to the table.",
    WhyClosed.NO_SECRET: "The secret of this seat is no longer on this computer, so nobody can "
    "play on for it.",
}
"""A sentence for each reason why a table is closed."""

_TROUBLES: Final[Mapping[TroubleKind, str]] = {
    TroubleKind.LINK_CLOSED: "The link to {first} was closed: {second}",
    TroubleKind.LEFT_OUT: "Too many lines by or about people without a seat; left out: {first}.",
    TroubleKind.TABLE_UNFIT: "These rules do not allow a table of those seated here.",
    TroubleKind.NOBODY_CALLED: "Nobody here is called {first}, so {second} plays first.",
    TroubleKind.OTHER_COURSE: "The others' log of this game differs from what your seat signed "
    "on this computer. To protect your tiles, your seat signs nothing "
    "more in this round. The others can go on without it, and you can "
    "come back at the next round.",
    TroubleKind.CLAIMS_MORE: "{first}'s program claims to have more of this game than it "
    "shows. Your seat may have forgotten what it signed, so for now "
    "it signs nothing. You and the others can go on without {first}.",
    TroubleKind.LOST_END: "The end of this table's record is missing. Your seat signs nothing "
    "until the others have sent the game up to that point.",
    TroubleKind.DISK_FULL: "Your seat waits: {first}. It goes on by itself when there is room.",
    TroubleKind.DISK_ROOM: "There is room on the disk again; your seat goes on.",
    TroubleKind.SEAT_PAUSED: "Your seat is paused: {first}. Fix that, then come back to the table.",
    TroubleKind.RECORD_DAMAGED: "The record was damaged at octet {first} ({second}); the program "
    "asks the others for that part again.",
    TroubleKind.JOURNAL_DAMAGED: "The journal of what your seat signed was damaged at octet "
    "{first} ({second}); what comes before that is kept.",
    TroubleKind.JOURNAL_DOUBT: "Your seat may have signed something that this computer no longer "
    "knows about. Signing it again in another way could show your hand or look like cheating, so "
    "your seat signs nothing for now. Ask {first} of the others to type without and your name: "
    "then they play on, and you get your seat back at the next round. If they cannot, this game "
    "cannot go on.",
    TroubleKind.NO_WAY_ON: "Your seat may have signed something that this computer no longer "
    "knows about. Signing it again in another way could show your hand or look like cheating, so "
    "your seat signs nothing more. The others are too few to go on without you, so this game "
    "cannot go on: start another one.",
    TroubleKind.NOT_COPIED: "{first}; the record is still in {second}.",
    TroubleKind.CODE_ASKED: "Somebody at {first} is asked for the join code: {second}.",
    TroubleKind.WRONG_CODE: "A wrong join code came from {first}.",
    TroubleKind.CODE_CHANGED: "Wrong join codes came from {first}. The join code of this table is "
    "now {second}. If they go on, type block.",
    TroubleKind.CODE_ELSEWHERE: "The join code of this table has changed, so this screen no longer "
    "shows it. Newcomers ask whoever announces the table.",
    TroubleKind.MOVE_REFUSED: "The rules refuse the move that the program chose ({first}), so it "
    "plays this seat no longer. That is a mistake in Boneyard: please report it.",
    TroubleKind.OF_COMPUTER: "{first}",
}
"""Sentences for each kind of trouble; the facts of each are listed beside its kind."""

DEALING: Final[Mapping[DealPhase, str]] = {
    DealPhase.KEY_COMMIT: "keys committed",
    DealPhase.KEY_OPEN: "keys opened",
    DealPhase.DECK: "mixed by {name}",
    DealPhase.PROOF: "checking the proofs",
    DealPhase.CHECKED: "mixed, and checked by all",
}
"""The stages of a deal, in a few words, with the seat's name."""


_ASKED: Final[Mapping[WhyNoSeat, str]] = {
    WhyNoSeat.STRANGER: "{name} asks for a seat, and your program does not know this key: "
    "{fingerprint}.",
    WhyNoSeat.NOBODY_THERE: "{name} asks for a seat, and your program does not know this key: "
    "{fingerprint}.",
    WhyNoSeat.SILENT: "{name} ({fingerprint}) asks for a seat, was given one in this game before, "
    "and did not answer then.",
    WhyNoSeat.LEFT_TWICE: "{name} ({fingerprint}) asks for a seat, and has gone twice in this game "
    "while the hands were dealt.",
    WhyNoSeat.CONVICTED: "{name} ({fingerprint}) asks for a seat, with a key whose program has "
    "broken the rules.",
}
"""The objection to a person who asks for a seat, if the person here can still say yes."""

NOT_CONNECTED: Final = "{name} is not connected. Trying again."

_LINKS: Final[Mapping[LinkEnd, str]] = {
    LinkEnd.QUIT: "{name} has quit, and may come back.",
    LinkEnd.BROKEN: "{name} is gone: that program or its connection stopped. Trying again.",
    LinkEnd.SILENT: "{name} has not answered for {seconds:g} seconds. Trying again.",
    LinkEnd.ENDED_HERE: NOT_CONNECTED,
    LinkEnd.FORWARDER: NOT_CONNECTED,
}
"""A sentence for each way in which a peer's link can go down."""


def _call_text(scene: Scene | None, seconds: float) -> str:
    """Return a sentence on how long players may tap or catch, worded for this seat."""
    text = "{seconds:g} seconds to tap, or to catch somebody."
    silent = () if scene is None else offenders(scene.table)
    if silent and scene and not (scene.seat is not None and may_tap(scene.table, scene.seat)):
        text = "{seconds:g} seconds to catch somebody."
        if silent == (scene.seat,):
            text = "The others have {seconds:g} seconds to catch you."
    return say(text, seconds=seconds)


def _speaker(name: str) -> str:
    """Return the speaker's name, with a note if they watch; `Host` for a host without a seat."""
    if name == notices.CHAIR_NAME:
        return say("Host")
    watcher = name.removesuffix(notices.WATCHES)
    return name if watcher == name else say("{name} (watching)", name=watcher)


def _came_text(scene: Scene | None, notice: notices.SeatsCame) -> str:
    """Return sentences on who has sat down or is back, with how many points.

    Return "" without a scene or names. Raises `KeyError` for a name that is not in the scene.
    """
    if scene is None:
        return ""
    own = None if scene.seat is None else scene.names[scene.seat]
    points, said = dict(zip(scene.names, totals(scene.table), strict=False)), []
    for name in notice.names:
        text = "{name} sits down with {points} points, the same as last place."
        if name == own:
            text = "You sit down with {points} points, the same as last place."
        if name in notice.back:
            text = "{name} is back in their old seat, with the points they had."
            if name == own:
                text = "You are back in your old seat, with the points you had."
        if name in notice.raised:
            text = (
                "{name} is back in their old seat, with {points} points, the same as last "
                "place: nobody gains by missing rounds."
            )
            if name == own:
                text = (
                    "You are back in your old seat, with {points} points, the same as last "
                    "place: nobody gains by missing rounds."
                )
        said.append(say(text, name=name, points=points[name]))
    return " ".join(said)


def _franchise_text(
    scene: Scene | None, notice: notices.VotesCame | VoteWithheld | notices.NobodyDecides
) -> str:
    """Return sentences on who now has a vote, who gets none from you, or that nobody has one."""
    match notice:
        case VoteWithheld(name):
            text = (
                "Your program does not know {name}, so it gives {name} no vote on who goes on. If "
                "you do, type allow {name}."
            )
            return say(text, name=name)
        case notices.NobodyDecides():
            text = (
                "Everybody who had a vote has left, and you have none yet: nobody can decide that "
                "the game goes on. Type leave."
            )
            return say(text)
        case notices.VotesCame(names):
            own = None if scene is None or scene.seat is None else scene.names[scene.seat]
            others = [name for name in names if name != own]
            text = "{names} can now vote on going on without somebody."
            said = [say(text, names=joined(others))] if others else []
            if own in names:
                said.insert(0, say("You can now vote on going on without somebody."))
            return " ".join(said)


def _taken_back_text(scene: Scene | None, notice: notices.VoteTakenBack) -> str:
    """Return a sentence on who takes back a vote to go on without somebody."""
    own = None if scene is None or scene.seat is None else scene.names[scene.seat]
    others = joined([say("you") if name == own else name for name in notice.without])
    text = "{name} takes back the vote to go on without {others}."
    if notice.own:
        text = "You take back your vote to go on without {others}."
    return say(text, name=notice.name, others=others)


def _vote_text(scene: Scene | None, notice: notices.VoteCast) -> str:
    """Return a sentence on a vote to go on without somebody, with its count and how to agree."""
    own = None if scene is None or scene.seat is None else scene.names[scene.seat]

    def called(names: Sequence[str]) -> str:
        return joined([say("you") if name == own else name for name in names])

    text = "{name} votes to go on without {others} ({agreed})."
    if notice.own:
        text = "You vote to go on without {others} ({agreed})."
    elif notice.may_agree and any(len(each.by) < notice.needed for each in notice.agreed):
        text = "{name} votes to go on without {others} ({agreed}); type without {words} to agree."
    counts = [_agreed_text(notice, each, called) for each in notice.agreed]
    return say(
        text,
        name=notice.name,
        others=called(notice.without),
        agreed="; ".join(counts),
        words=" ".join(notice.without),
    )


def _agreed_text(
    vote: notices.VoteCast, agreed: notices.Agreed, called: Callable[[Sequence[str]], str]
) -> str:
    """Return how many of those needed agree, and who; if votes differ, also whom they name."""
    facts = {"agreed": len(agreed.by), "needed": vote.needed, "by": called(agreed.by)}
    if len(vote.agreed) == 1:
        return say("{agreed} of {needed} needed: {by}", **facts)
    return say(
        "{others}: {agreed} of {needed} needed, {by}", others=called(agreed.without), **facts
    )


def _reshuffled_text(scene: Scene | None, notice: notices.Reshuffled) -> str:
    """Return a sentence on why everybody shuffles again."""
    if scene is None or notice.lead is None:
        text = "Tiles go back into the boneyard, and everybody reshuffles it."
        if notice.left:
            text = "The tiles of {left} go back into the boneyard, and everybody reshuffles it."
        return say(text, left=joined(notice.left))
    text = "{name} has turned up the highest tile: all tiles go back, and everybody shuffles again."
    if notice.lead == scene.seat:
        text = (
            "You have turned up the highest tile: all tiles go back, and everybody shuffles again."
        )
    return say(text, name=scene.names[notice.lead])


def _dealt_text(scene: Scene | None, notice: notices.Dealt) -> str:
    """Return a text saying that a round is dealt, and who begins or what is asked first."""
    if scene is None:
        return say("Round {number} is dealt.", number=notice.round_number + 1)
    table = scene.table
    facts = {"number": table.round_number + 1, "rounds": rounds_text(table.spec)}
    mixed = mixed_text(notice.mixers)
    if table.hub is None:
        # the first player may depend on who has the engine
        dealt = say("Round {number} of {rounds} is dealt.", **facts)
        asked = "Who has the engine?"
        if asks_heaviest(table):
            asked = "Who has the heaviest tile?"
        return " ".join(filter(None, (dealt, mixed, say(asked))))
    text = "Round {number} of {rounds} is dealt: engine {tile}, {name} begins."
    if table.first == scene.seat:
        text = "Round {number} of {rounds} is dealt: engine {tile}, you begin."
    dealt = say(text, tile=tile_text(table.hub), name=scene.names[table.first], **facts)
    return f"{dealt} {mixed}".rstrip()


def mixed_text(mixers: Collection[Seat]) -> str:
    """Return a brief sentence on how many seats shuffled the deck and proved it; "" for none."""
    return say("Mixed by {count}, proved.", count=len(mixers)) if mixers else ""


def gap_text(gap: notices.ComputerSlept | notices.ProgramStopped) -> str:
    """Return a sentence on why this program was away, and for how long."""
    text = "This program was stopped for {time}."
    if isinstance(gap, notices.ComputerSlept):
        text = "This computer slept for {time}."
    return say(text, time=time_text(gap.seconds))


def time_text(seconds: float) -> str:
    """Return a duration, rounded: `45 s`, `12 min`, `3 h`."""
    if seconds < 100:
        return say("{count} s", count=round(seconds))
    if seconds < 100 * 60:
        return say("{count} min", count=round(seconds / 60))
    return say("{count} h", count=round(seconds / 3600))


def _network_text(notice: notices.NetworkChanged) -> str:
    """Return sentences saying that this computer has lost the network, or is back on it.

    Return "" after a loss that was only suspected: each link that is back has its own sentence.
    """
    match notice.state:
        case notices.NetworkState.LOST:
            return say(
                "Your computer has lost the network: check its cable or its Wi-Fi. Boneyard "
                "connects again by itself."
            )
        case notices.NetworkState.DOUBTED:
            return say(
                "Nobody else answers any more, so most likely your own computer has lost the "
                "network: check its cable or its Wi-Fi. Boneyard connects again by itself."
            )
        case notices.NetworkState.WORKS if notice.before is notices.NetworkState.LOST:
            return say("Your computer is back on the network. Connecting to the others again.")
        case notices.NetworkState.WORKS:
            return ""
    assert_never(notice.state)


def _announcing_text(notice: notices.Announcing | notices.StandIn) -> str:
    """Return a sentence on which computer announces the table from now on.

    Return "" for a stand-in without a name, and if this computer stops announcing the table.
    """
    if isinstance(notice, notices.StandIn):
        text = "{name}'s computer now announces the table, because the host's does not answer."
        if notice.left:
            text = "{name}'s computer now announces the table, because the host has left."
        if not notice.up:
            text = "{name}'s computer announces the table again."
            if notice.name == notices.CHAIR_NAME:
                text = "The host's computer is back, and announces the table again."
        return say(text, name=notice.name) if notice.name else ""
    name, code = notice.host, notice.code
    if notice.ends:
        return ""
    if not name:
        text = "Your computer announces the table; newcomers need no join code."
        if code:
            text = "Your computer announces the table; its join code is {code}."
    elif notice.left:
        text = (
            "{name} has left: your computer now announces the table; newcomers need no join code."
        )
        if code:
            text = (
                "{name} has left: your computer now announces the table; its join code is {code}."
            )
    elif code:
        text = (
            "{name}'s computer does not answer: your computer now announces the table; its join "
            "code is {code}."
        )
    else:
        text = (
            "{name}'s computer does not answer: your computer now announces the table; newcomers "
            "need no join code."
        )
    return say(text, name=name, code=code)
