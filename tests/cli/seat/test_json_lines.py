"""What other programs read from `--json`: written out, so that no rename changes it."""

import json

from cli.seat.frontend import Happened
from cli.seat.json_lines import EVENT_WORDS, NOTICE_WORDS, facts_of
from engine.table import events
from engine.table.trains import Seat
from netgame.protocol import notices
from tests.cli.said.test_wording import EVENTS, NOTICES, QUIET

NOTICE_FIELDS = {
    "announcing": {"host", "code", "text"},
    "caught-up": {"text"},
    "chat-heard": {"name", "text"},
    "deal-stage": {"step", "name", "text"},
    "dealt": {"round_number", "text"},
    "fault-found": {"name", "check", "sentence", "evidence", "text"},
    "game-over": {"events", "text"},
    "game-started": {"text"},
    "link-changed": {"name", "up", "end", "text"},
    "lobby-changed": {"text"},
    "may-call": {"seconds", "text"},
    "played": {"seat", "events", "text"},
    "refused": {"code", "sentence", "text"},
    "reshuffled": {"lead", "text"},
    "round-over": {"events", "text"},
    "said-farewell": {"name", "text"},
    "seat-later": {"sentence", "granted", "text"},
    "seats-came": {"names", "text"},
    "seats-left": {"names", "text"},
    "stand-in": {"up", "text"},
    "table-closed": {"reason", "why", "text"},
    "trouble": {"sentence", "kind", "facts", "of_bot", "text"},
    "vote-cast": {"name", "without", "agreed", "needed", "own", "may_agree", "text"},
    "watcher-changed": {"name", "watches", "text"},
    "your-turn": {"text"},
}
EVENT_FIELDS = {
    "BulletTrain": {"seat"},
    "Caught": {"seat", "by", "count"},
    "DoubleCovered": {"train", "tile"},
    "DoubleDead": {"train", "tile"},
    "DoubleOwed": {"train", "tile", "seat"},
    "EndOfLine": {"train", "pip"},
    "GameEnded": {"winners"},
    "HubLaid": {"seat", "tile"},
    "LastPlays": {"first"},
    "MarkerDown": {"train"},
    "MarkerUp": {"train"},
    "NothingHeld": {"seat", "claimed"},
    "Passed": {"seat"},
    "RoundBegan": {"round_number", "hub", "first"},
    "RoundEnded": {"outcome", "seat"},
    "RoundScored": {"scores", "totals"},
    "Tapped": {"seat"},
    "TileDrawn": {"seat", "position"},
    "TileLaid": {"seat", "tile", "train", "joined"},
    "TileReturned": {"seat", "by"},
    "TileTurned": {"seat", "position", "tile"},
    "TurnBegan": {"seat"},
    "TurnDone": {"seat"},
}


def printed(notice: notices.Notice, sentence: str = "") -> tuple[str, dict[str, object]]:
    """What a program reads of a notice: its type and its facts, once through JSON."""
    word, facts = facts_of(Happened(notice, sentence))
    return word, json.loads(json.dumps(facts, default=lambda each: each.value))


def test_every_notice_has_its_word_and_fields():
    """A class or a field of ours that is renamed changes nothing here."""
    assert set(NOTICE_WORDS) == set(notices.Notice.__args__)
    assert sorted(NOTICE_WORDS.values()) == sorted(NOTICE_FIELDS)
    for notice in (*NOTICES, *QUIET):
        word, facts = printed(notice)
        assert set(facts) == NOTICE_FIELDS[word], word


def test_every_event_has_its_word_and_fields():
    """They stand in the `events` of a notice, each with its type."""
    assert set(EVENT_WORDS) == set(events.Event.__args__)
    assert sorted(EVENT_WORDS.values()) == sorted(EVENT_FIELDS)
    for event in (*EVENTS, events.TurnBegan(Seat(0))):
        _, facts = printed(notices.Played(Seat(1), (event,)))
        (found,) = facts["events"]
        assert set(found) == {"type", *EVENT_FIELDS[found["type"]]}, found


def test_what_has_a_code_is_told_in_words_too():
    """A refused seat, a closed table and trouble: the sentence beside the code."""
    assert printed(notices.SeatRefused("full", "All seats are taken."))[0] == "refused"
    _, closed = printed(notices.TableClosed(notices.WhyClosed.BY_HOST))
    assert (closed["why"], closed["reason"]) == ("by-host", "The host has closed it.")
    trouble = notices.Trouble(notices.TroubleKind.DISK_FULL, ("no space",))
    _, facts = printed(trouble, "Your seat waits: no space.")
    assert (facts["kind"], facts["sentence"]) == ("disk-full", "Your seat waits: no space.")
