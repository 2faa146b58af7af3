"""Everything that can happen at a table has a sentence."""

import dataclasses
import itertools

import pytest
from msgspec.structs import replace

from cli.exits import sentence_of
from cli.scene import Scene
from cli.wording.events import event_sentence, events_text
from cli.wording.moves import HeldDraws, forced_text
from cli.wording.notices import notice_text
from cli.wording.refusals import refusal_sentence, rule_sentence
from engine.refusals import Refusal, RefusalCode, RefusalReason
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.ruleset import RuleSet
from engine.rules.spec import make_spec
from engine.rules.switches import Branching, Partners
from engine.table import events, moves
from engine.table.table import Ending, Owed
from engine.table.trains import MEXICAN, Position, Seat, TrainId
from engine.tiles import Tile
from netgame.protocol import notices
from netgame.protocol.seating import NoSeat, SeatAsked, StrangersLead, VoteWithheld, WhyNoSeat
from tests.cli.fakes import played as sat_at
from tests.cli.scenes import scene_after

NAMES = ("Ana", "Ben", "Cy")
FACTS = (
    ("to_move", 1),
    ("tile", Tile(4, 9)),
    ("train", 1),
    ("double", Tile(5, 5)),
    ("pip", 3),
    ("pip", 7),
    ("seat", 2),
)
SCENE = scene_after(9, 3, 7)


def is_sentence(text: str) -> bool:
    """Return True for printable text with no small letter first and `.`, `?` or `!` at the end."""
    return bool(text) and not text[0].islower() and text[-1] in ".?!" and text.isprintable()


IN_PLAY = {code for code in RefusalCode if code is not RefusalCode.IMPOSSIBLE_TABLE}
OF_RULES = {
    RefusalReason.UNKNOWN_PRESET,
    RefusalReason.UNKNOWN_SWITCH,
    RefusalReason.UNKNOWN_VALUE,
    RefusalReason.CLASH,
}
OF_SIZES = {
    RefusalReason.SET_UNKNOWN,
    RefusalReason.SEATS_OUT_OF_RANGE,
    RefusalReason.PARTNER_SEATS,
    RefusalReason.ROUNDS_OUT_OF_RANGE,
    RefusalReason.DEAL_UNLISTED,
    RefusalReason.DEAL_OUT_OF_RANGE,
}
"""These refusals always have facts; the engine gives each of them below."""


@pytest.mark.parametrize("facts", [(), FACTS])
def test_every_reason_has_a_sentence(facts):
    """Each refusal at a table has a sentence, with and without facts, for players and watchers."""
    for reason in {*RefusalReason} - OF_RULES - OF_SIZES:
        refusal = Refusal(reason, facts)
        assert is_sentence(refusal_sentence(refusal, NAMES)), reason
        assert is_sentence(refusal_sentence(refusal, NAMES, Seat(1))), reason


@pytest.mark.parametrize("preset", RULE_SETS)
def test_every_refusal_has_a_rule_to_say(preset):
    """Every refusal cites a rule and its section; only refused tables cite the rule on tables."""
    for reason in RefusalReason:
        rule = rule_sentence(Refusal(reason), RULE_SETS[preset])
        assert is_sentence(rule), reason
        assert rule.endswith(f". See {reason.section} of the rules."), reason
        assert rule.startswith("A game is played at") == (reason.code not in IN_PLAY), reason


def test_a_rule_that_a_switch_decides_is_said_as_it_stands():
    """The refusal of a last double cites the rule on last doubles, in the switch's own words."""
    rules = parse_rules("standard", {"last-double": "refused"})
    assert rule_sentence(Refusal(RefusalReason.LAST_DOUBLE), rules) == (
        f"{rules.last_double.sentence} See §7.1 of the rules."
    )


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (Refusal(RefusalReason.END_MISMATCH, FACTS), "9-4 does not fit: Ben's train takes 3 or 7."),
        (Refusal(RefusalReason.ANOTHERS_TURN, FACTS), "It is Ben's turn."),
        (Refusal(RefusalReason.NO_OPENING_DRAW), "start your train, or pass if you cannot."),
        (Refusal(RefusalReason.PRIVATE_TRAIN, (("train", -1),)), "The Mexican train"),
        (Refusal(RefusalReason.PRIVATE_TRAIN, (("train", 0),)), "Ana's train"),
        (Refusal(RefusalReason.PRIVATE_TRAIN, (("train", "zoe"),)), "zoe"),
        (parse_rules("roundhose", {}), "no rule set roundhose; did you mean roundhouse?"),
        (parse_rules("standard", {"tap-penalty": "7"}), "cannot be 7; it can be: 0, 1, 2."),
        (parse_rules("standard", {"deal": "x"}), " or a number from 1 to 95."),
        (parse_rules("standard", {"start-double": "19"}), "lowest or a number from 0 to 18."),
    ],
)
def test_a_refusal_says_what_there_is_instead(refusal, said):
    """A refusal names the player, train or pips concerned, or the words that are possible."""
    assert said in refusal_sentence(refusal, NAMES)


RULES = (
    ("nonsense", {}),
    ("standard", {"nonsense": "1"}),
    ("standard", {"blanks": "7"}),
    ("standard", {"deal": "x"}),
    ("standard", {"marker-double": "free", "double-public": "yes"}),
)
SIZES = (
    (RuleSet(), 7, 4, None, None),
    (RuleSet(), 12, 15, None, None),
    (RuleSet(), 6, 2, 8, None),
    (RuleSet(), 6, 9, None, None),
    (RuleSet(), 6, 4, None, 9),
    (RuleSet(partners=Partners.YES), 6, 3, None, None),
)


@pytest.mark.parametrize(
    ("refused", "reasons"),
    [
        ([parse_rules(*words) for words in RULES], OF_RULES),
        ([make_spec(*sizes) for sizes in SIZES], OF_SIZES),
    ],
    ids=["rules", "sizes"],
)
def test_everything_that_makes_no_table_has_a_sentence(refused, reasons):
    """Every reason to refuse rules or sizes is tried here, and each refusal has a sentence."""
    assert {refusal.reason for refusal in refused} == reasons
    for refusal in refused:
        assert is_sentence(refusal_sentence(refusal))


TILE = Tile(4, 9)
EVENTS = (
    events.TileLaid(Seat(1), TILE, TrainId(1), 9),
    events.TileLaid(Seat(1), TILE, MEXICAN, 4),
    events.TileDrawn(Seat(1), Position(30)),
    events.Passed(Seat(1)),
    events.MarkerUp(TrainId(1)),
    events.MarkerDown(TrainId(1)),
    events.DoubleOwed(TrainId(1), Tile(5, 5), Seat(1)),
    events.DoubleCovered(TrainId(1), Tile(5, 5)),
    events.DoubleDead(TrainId(1), Tile(5, 5)),
    events.RoundEnded(Ending.OUT, Seat(1)),
    events.RoundEnded(Ending.BLOCKED, None),
    events.RoundEnded(Ending.REDEAL, None),
    events.EndOfLine(TrainId(1), 4),
    events.HubLaid(Seat(1), Tile(9, 9)),
    *(events.NothingHeld(Seat(1), claimed=claims) for claims in (True, False)),
    events.TileDenied(Seat(1), TILE),
    events.TileShown(Seat(1), Position(3), TILE),
    events.TileTurned(Seat(1), Position(30), None),
    events.TileTurned(Seat(1), Position(30), TILE),
    events.TileReturned(Seat(1), Seat(1)),
    events.TileReturned(Seat(1), Seat(0)),
    events.TurnDone(Seat(1)),
    events.Tapped(Seat(1)),
    events.Caught(Seat(1), Seat(0), 1),
    events.Caught(Seat(1), Seat(0), 2),
    events.BulletTrain(Seat(1)),
    events.LastPlays(Seat(1)),
    events.RoundScored((0, 3, 9), (0, 3, 9)),
    events.GameEnded((Seat(1),)),
    events.GameEnded((Seat(0), Seat(1))),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_has_a_sentence_for_those_it_happens_to_and_for_others(event):
    """An event has a sentence for the seat concerned and one for the other seats."""
    for seat in (Seat(0), Seat(1)):
        scene = Scene(SCENE.table, None, SCENE.names, seat, can_move=False)
        assert is_sentence(event_sentence(scene, event))


def test_every_kind_of_event_is_tried_above():
    """The list above has every kind of event except `TurnBegan`, which has no sentence."""
    kinds = {type(event) for event in EVENTS} | {events.TurnBegan}
    assert kinds == set(events.Event.__args__)


def test_whose_turn_it_is_is_told_by_the_board():
    """The beginning of a turn has no sentence, because the board shows whose turn it is."""
    assert event_sentence(SCENE, events.TurnBegan(Seat(0))) == ""
    assert events_text(SCENE, (events.Passed(Seat(0)), events.TurnBegan(Seat(1)))).count(".") == 1


def test_trains_that_end_for_want_of_one_value_are_one_sentence():
    """Trains that end because one value is used up share a sentence, which names each once."""
    scene = Scene(SCENE.table, None, ("Ana", "Ben", "Cy"), Seat(2), can_move=False)
    ends = [events.EndOfLine(TrainId(at), 6) for at in (0, 1, 0, 2)]
    text = events_text(scene, (ends[0], *ends, events.EndOfLine(MEXICAN, 4)))
    assert text == (
        "Ana's train, Ben's train and your train are at the end of the line: every 6 is on the "
        "table. The Mexican train is at the end of the line: every 4 is on the table."
    )


def test_why_a_double_needs_no_cover_is_said_once():
    """The reason why a double needs no cover is given once, with the train that ends, if any."""
    dead, end = events.DoubleDead(TrainId(0), Tile(4, 4)), events.EndOfLine(TrainId(0), 4)
    why = "every 4 is on the table."
    scene = Scene(SCENE.table, None, ("Ana", "Ben", "Cy"), Seat(2), can_move=False)
    both = f"4=4 needs no cover. Ana's train is at the end of the line: {why}"
    assert events_text(scene, (dead, end)) == both
    assert events_text(scene, (dead,)) == f"4=4 needs no cover: {why}"


def test_who_talks_is_named_as_a_name_is():
    """A chat line names its author: a player, a watcher, or "Host" for a host without a seat."""
    talk = {"the host": "Host", "Eve (watching)": "Eve (watching)", "Ben": "Ben"}
    for name, speaker in talk.items():
        assert notice_text(SCENE, notices.ChatHeard(name, "hi")) == f"{speaker}: hi"


def vote_cast(name, without, *agreed, own=False, may_agree=False):
    """Return a vote that needs two voters; each of `agreed` pairs names to go with their voters."""
    agreed = tuple(itertools.starmap(notices.Agreed, agreed))
    return notices.VoteCast(name, without, 2, own=own, may_agree=may_agree, agreed=agreed)


SPOKEN_ENDS = set(notices.LinkEnd) - {notices.LinkEnd.LEFT}
NOTICES = (
    *(notices.TableClosed(why) for why in notices.WhyClosed),
    notices.GameStarted(),
    notices.Dealt(0),
    notices.Played(Seat(1), (events.Passed(Seat(1)),)),
    notices.RoundOver((events.RoundScored((0, 3, 9), (0, 3, 9)),)),
    notices.GameOver((events.GameEnded((Seat(1),)),)),
    notices.ChatHeard("Ben", "hello there!"),
    notices.AgainHeard("Ben", opens=False),
    notices.AgainHeard("Zoe (watching)", opens=False),
    notices.AgainHeard("Ben", opens=True),
    notices.LinkChanged("Ben", up=True),
    notices.AnswerAwaited("Ben", came=False),
    notices.AnswerAwaited("Ben", came=False, linked=True),
    notices.AnswerAwaited("Ben", came=True),
    *(notices.LinkChanged("Ben", up=False, end=end) for end in SPOKEN_ENDS),
    vote_cast("Ben", ("Cy",), (("Cy",), ("Ben",)), may_agree=True),
    vote_cast("Ana", ("Ben", "Cy"), (("Ben", "Cy"), ("Ana", "Zoe")), own=True),
    vote_cast("Ben", ("Ana", "Cy"), (("Cy",), ("Ben", "Zoe")), (("Ana",), ("Ben",))),
    notices.VoteTakenBack("Ben", ("Ana", "Cy"), own=False),
    notices.VoteTakenBack("Ana", ("Cy",), own=True),
    notices.SeatsCame(("Ana",)),
    notices.SeatsCame(("Ana", "Ben")),
    notices.VotesCame(("Ana",)),
    notices.VotesCame(("Ana", "Ben")),
    VoteWithheld("Ben"),
    notices.NobodyDecides(),
    notices.FaultFound("Ben", "fork", "Ben signed twice.", "evidence-3-fork.bin"),
    notices.FaultFound("Ben", "signature", "Ben passed that on.", "evidence-3-signature.bin"),
    *(
        notices.FaultFound("Ben (abcd2345)", "fork", "Ben signed twice.", "evidence.bin", then)
        for then in notices.AfterFault
    ),
    notices.PlaysOn(),
    notices.SeatRefused(NoSeat(WhyNoSeat.TAKEN, 4)),
    notices.OtherRules(2, 1),
    notices.OtherRules(1, 2),
    notices.MayCall(3.0),
    notices.Reshuffled(None),
    notices.Reshuffled(None, ("Ben",)),
    notices.Reshuffled(Seat(1)),
    notices.SeatsLeft(("Ben",)),
    notices.MovesUndone(),
    notices.SeatsCame(("Cy",)),
    notices.SaidFarewell("Ben"),
    notices.SaidFarewell("Ben", 3, 5),
    *(notices.Trouble(kind, ("Ann", "so")) for kind in notices.TroubleKind),
    notices.Trouble(notices.TroubleKind.OF_COMPUTER, ("the disk is full",), of_bot=True),
    notices.WatcherChanged("Zoe", watches=True),
    notices.WatcherChanged("Zoe", watches=False),
    notices.SeatLater(),
    notices.SeatLater(watched=2),
    *(notices.SeatLater(NoSeat(why, 6)) for why in WhyNoSeat),
    *(SeatAsked("Zoe", "ABCD", why) for why in WhyNoSeat if why.may_be_lifted),
    StrangersLead(("Ben", "Zoe"), 3),
    notices.Announcing("Ann", "7-otter-violin"),
    notices.Announcing("", "7-otter-violin"),
    notices.Announcing("Ann", ""),
    notices.Announcing("", ""),
    notices.StandIn(up=True, name="Ben"),
    notices.StandIn(up=True, name="Ben", left=True),
    notices.StandIn(up=False, name="Ann"),
    notices.StandIn(up=False, name="the host"),
    notices.NetworkChanged(notices.NetworkState.DOUBTED, notices.NetworkState.WORKS),
    notices.NetworkChanged(notices.NetworkState.LOST, notices.NetworkState.DOUBTED),
    notices.NetworkChanged(notices.NetworkState.WORKS, notices.NetworkState.LOST),
    notices.ComputerSlept(45.0),
    notices.ProgramStopped(45.0),
)
QUIET = (
    notices.LobbyChanged(),
    notices.DealStage(notices.DealPhase.DECK, "Ann"),
    notices.YourTurn(),
    notices.CaughtUp(),
    notices.FellBehind(),
    notices.HostMoved(),
    notices.StandIn(up=True),
    notices.Announcing("Ann", "", ends=True),
    notices.NetworkChanged(notices.NetworkState.WORKS, notices.NetworkState.DOUBTED),
    notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.LEFT),
)


@pytest.mark.parametrize("notice", NOTICES, ids=lambda notice: type(notice).__name__)
def test_every_notice_has_a_sentence(notice):
    """Each of these notices has a whole sentence."""
    assert is_sentence(notice_text(SCENE, notice))


@pytest.mark.parametrize("notice", QUIET, ids=lambda notice: type(notice).__name__)
def test_what_the_screen_shows_is_not_said_too(notice):
    """Notices of changes that the screen shows have no sentence."""
    assert notice_text(SCENE, notice) == ""


def test_every_kind_of_notice_is_tried_above():
    """The two lists above together have every kind of notice."""
    kinds = {type(notice) for notice in itertools.chain(NOTICES, QUIET)}
    assert kinds == set(notices.Notice.__args__)


def test_notices_before_there_is_a_table_are_sentences_or_nothing():
    """Without a scene, the text of a notice is a whole sentence or empty."""
    for notice in (*NOTICES, *QUIET):
        text = notice_text(None, notice)
        assert text == "" or is_sentence(text)


LET_GO = notices.AfterFault.LET_GO
STOPS = notices.AfterFault.STOPS
LAST = "0 points, the same as last place: nobody gains by missing rounds."


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        (
            vote_cast("Ben", ("Cy",), (("Cy",), ("Ben",)), may_agree=True),
            "Ben votes to go on without Cy (1 of 2 needed: Ben); type without Cy to agree.",
        ),
        (  # the deciding vote asks nobody to agree
            vote_cast("Ben", ("Cy",), (("Cy",), ("Zoe", "Ben")), may_agree=True),
            "Ben votes to go on without Cy (2 of 2 needed: Zoe and Ben).",
        ),
        (
            vote_cast("Ana", ("Ben", "Cy"), (("Ben", "Cy"), ("Ana", "Zoe")), own=True),
            "You vote to go on without Ben and Cy (2 of 2 needed: you and Zoe).",
        ),
        (
            notices.VoteTakenBack("Ben", ("Ana", "Cy"), own=False),
            "Ben takes back the vote to go on without you and Cy.",
        ),
        (
            notices.VoteTakenBack("Ana", ("Cy",), own=True),
            "You take back your vote to go on without Cy.",
        ),
        (
            vote_cast("Ben", ("Ana",), (("Ana",), ("Ben",))),
            "Ben votes to go on without you (1 of 2 needed: Ben).",
        ),
        (  # each name has its own count
            vote_cast(
                "Ben",
                ("Cy", "Zoe"),
                (("Cy",), ("Zoe", "Ben")),
                (("Zoe",), ("Ben",)),
                may_agree=True,
            ),
            "Ben votes to go on without Cy and Zoe (Cy: 2 of 2 needed, Zoe and Ben; Zoe: 1 of 2 "
            "needed, Ben); type without Cy Zoe to agree.",
        ),
        (notices.SeatsCame(("Ana",)), "You sit down with 0 points, the same as last place."),
        (
            notices.SeatsCame(("Ana", "Ben", "Cy"), back=("Ana", "Ben"), raised=("Ana",)),
            f"You are back in your old seat, with {LAST} Ben is back in their old seat, with the "
            "points they had. Cy sits down with 0 points, the same as last place.",
        ),
        (
            notices.SeatsCame(("Ana", "Ben"), back=("Ana", "Ben"), raised=("Ben",)),
            "You are back in your old seat, with the points you had. Ben is back in their old "
            f"seat, with {LAST}",
        ),
        (
            notices.SeatLater(watched=4, returns=True),
            "You are back at the table: you watch round 4, and get your old seat when round 5 is "
            "dealt.",
        ),
        (  # a wrong signature binds nobody, so there is no file
            notices.FaultFound("Ben", "signature", "Ben did that.", ""),
            "Ben did that. You saw it, but nobody else can check it.",
        ),
        (
            notices.FaultFound("Ben", "fork", "Ben did that.", "file.bin"),
            "Ben did that. The proof is in file.bin.",
        ),
        (
            notices.FaultFound("Ben (abcd2345)", "rules", "Ben did that.", "file.bin", LET_GO),
            "Ben did that. The proof is in file.bin. Your program and the others vote to go on "
            "without Ben: you need not type anything.",
        ),
        (
            notices.FaultFound("Ben (abcd2345)", "rules", "Ben did that.", "file.bin", STOPS),
            "Ben did that. The proof is in file.bin. The table stops.",
        ),
        (notices.PlaysOn(), "The table plays on: this can no longer harm it."),
        (  # somebody may have sat down before this is told
            notices.RoundOver((events.RoundScored((3, 9), (3, 9)),)),
            "Points of the round: Ana 3, Ben 9.",
        ),
    ],
)
def test_a_notice_says_who_did_what_and_what_it_means(notice, said):
    """Each of these notices has exactly this sentence, which calls the reader "you"."""
    assert notice_text(SCENE, notice) == said


def told(*turns, scene=SCENE) -> list[str]:
    """Return the texts that are shown for these moves, with draws held back; omit empty ones."""
    draws = HeldDraws()
    texts = [draws.told(scene, each, events_text(scene, each.events)) for each in turns]
    return [text for text in (*texts, draws.flushed(scene)) if text]


def played(seat: int, *happened) -> notices.Played:
    """Return the notice that a seat has made a move with these events."""
    return notices.Played(Seat(seat), happened)


def test_a_draw_and_what_comes_of_it_are_one_line():
    """A draw and its result are one sentence; your own tile and an owed double are named."""
    assert SCENE.hand is not None
    at, tile = SCENE.hand.tiles[-1]
    own = played(0, events.TileDrawn(Seat(0), at))
    drew, passed = played(1, events.TileDrawn(Seat(1), Position(90))), events.Passed(Seat(1))
    opened = events.MarkerUp(TrainId(1))
    laid = events.TileLaid(Seat(1), TILE, MEXICAN, 9)
    mine = f"{tile.high}{'=' if tile.is_double else '-'}{tile.low}"
    assert told(drew, played(1, passed, opened)) == [
        "Ben drew a tile and passed. Ben's train is open to all now."
    ]
    assert told(drew, drew, played(1, laid)) == [
        "Ben drew 2 tiles and played 9-4 on the Mexican train."
    ]
    assert told(own, played(0, events.Passed(Seat(0)))) == [
        f"Nothing you hold fits: you drew {mine} and passed."
    ]
    assert told(own) == [f"Nothing you held fits: you drew {mine}."]
    mine_passed = played(0, events.Passed(Seat(0)))
    assert told(mine_passed) == ["Nothing you hold fits: you passed."]
    table = replace(SCENE.table, owed=(Owed(MEXICAN, 0, Tile(5, 5)),))
    owes, covers = dataclasses.replace(SCENE, table=table), "Nothing you hold covers 5=5: you"
    assert told(mine_passed, scene=owes) == [f"{covers} passed."]
    assert told(own, mine_passed, scene=owes) == [f"{covers} drew {mine} and passed."]
    assert told(drew, played(2, events.Passed(Seat(2)))) == ["Ben drew a tile. Cy passed."]


@pytest.mark.parametrize("kind", [moves.LayHub, moves.Declare])
def test_an_engine_that_must_be_laid_is_named(kind):
    """The sentence about a forced engine names it, whether it is laid or declared."""
    move = kind(Seat(0), Position(3), Tile(9, 9))
    assert forced_text(move) == "You hold the engine 9=9: it is played for you."


def test_the_text_of_an_exception_becomes_a_sentence():
    """The text of an exception gets a capital letter, and a full stop if it has no end mark."""
    assert sentence_of("the port is taken") == "The port is taken."
    assert sentence_of("Really?") == "Really?"


@pytest.mark.parametrize(
    ("branching", "rule"),
    [
        (Branching.NONE, "After a double you play"),
        (Branching.THREE_REQUIRED, "Three tiles must go on a double"),
    ],
)
async def test_why_says_the_rule_of_a_pass_that_was_made_for_its_player(branching, rule):
    """`why` explains a pass made for the player; after a refused move it explains the refusal."""
    rules = dataclasses.replace(SCENE.table.rules, branching=branching)
    spec = dataclasses.replace(SCENE.table.spec, rules=rules)
    table = replace(SCENE.table, spec=spec, owed=(Owed(MEXICAN, 0, Tile(5, 5)),))
    passed = [notices.Played(SCENE.seat, (events.Passed(SCENE.seat),))]
    scene = dataclasses.replace(SCENE, table=table)
    _, front = await sat_at(scene, "why", "8-8", "why", told=passed)
    first, last = (said for said in front.said if "of the rules" in said)
    assert first.startswith(f"Nothing you hold covers 5=5: you passed. {rule}")
    assert last.startswith("A tile you hold joins an open end with the same number")
