"""Talk at a table: all hear each line once, under its author's name only."""

import pytest

from netgame import limits
from netgame.crypto.signing import make_signing_key
from netgame.limits import CHAT_BURST, DROP_S
from netgame.protocol import notices
from netgame.protocol.peer.people.talk import signed_chat
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import apart, begin, hears
from tests.netgame.protocol.peer.test_watching import guest_at, in_play
from tests.netgame.simtable import LATENCY_S, SimTable, standard


def test_all_hear_what_is_said_before_the_game_and_during_it():
    """All hear each line once, before the game and during it.

    The announcer of the table passes lines on between peers that have no link.
    """
    table = SimTable(standard(6, 3, 1), bots=False)
    people = [table.seat("Ann"), table.seat("Ben"), table.seat("Cy")]
    people += [table.seat(name, watches=True) for name in ("Yan", "Zoe")]
    for moment in ("early", "late"):
        table.pass_time(2.0)
        for one in people:
            table.act(one, lambda parts, text=moment: parts.talk.say(text))
            table.pass_time()
            for other in people:
                last = other.told_of(notices.ChatHeard)[-1]
                name = one.name + " (watching)" * one.parts.joiner.says_it_watches
                assert (last.name, last.text) == (name, moment)
        if moment == "early":
            begin(table)
            table.until(people[-1], Phase.PLAY)
    assert {len(each.told_of(notices.ChatHeard)) for each in people} == {10}


def test_what_is_said_while_somebody_sits_down_is_heard_by_all():
    """All hear once what is said while Cy sits down; Cy hears nothing that was said earlier.

    The two guests have no link to each other yet.
    """
    table = SimTable(standard(6, 3, 1), bots=False)
    ann, ben = table.seat("Ann"), table.seat("Ben")
    table.pass_time(2.0)
    table.act(ben, lambda parts: parts.talk.say("nobody else is here"))
    table.pass_time(5.0)
    cy = table.seat("Cy")
    table.run(lambda: cy.view.sits and len(ben.view.seats) == 3)
    assert cy.key not in ben.parts.context.links.greeted()
    assert ben.key not in cy.parts.context.links.greeted()
    table.act(cy, lambda parts: parts.talk.say("hello"))
    table.act(ben, lambda parts: parts.talk.say("welcome"))
    table.pass_time(2.0)
    for one in (ann, ben, cy):
        said = sorted(each.text for each in one.told_of(notices.ChatHeard))
        assert said == ["hello", *["nobody else is here"] * (one is not cy), "welcome"]


@pytest.mark.parametrize("seated", [True, False])
def test_what_is_said_while_a_cable_is_out_is_heard_once_when_it_is_back(seated, monkeypatch):
    """Lines said during a cut are heard once when the cut is over.

    This includes lines said before anybody could notice the cut, and lines by a host without a
    seat.
    """
    table = SimTable(standard(6, 3, 1), bots=False)
    people = ann, ben, cy = [table.seat("Ann", seated=seated), table.seat("Ben"), table.seat("Cy")]
    table.pass_time(2.0)
    begin(table)
    table.until(cy, Phase.PLAY)
    table.pass_time(60.0)

    def all_say(moment):
        for one in people:
            table.act(one, lambda parts: parts.talk.say(moment))

    all_say("before")
    table.pass_time(20.0)

    monkeypatch.setattr(table, "delays", lambda *ends: () if cy in ends else (LATENCY_S,))
    table.pass_time(2.0)
    all_say("into a dead link")
    table.pass_time(DROP_S)
    apart(table, [cy], [ann, ben])
    all_say("without a link")
    table.pass_time(120.0)
    monkeypatch.undo()
    table.cut.clear()
    table.pass_time(60.0)
    moments = ("before", "into a dead link", "without a link")
    for one in people:
        heard = [(each.name, each.text) for each in one.told_of(notices.ChatHeard)]
        names = ["Ann" if seated else "the host", "Ben", "Cy"]
        assert sorted(heard) == sorted((name, text) for name in names for text in moments)


@pytest.mark.parametrize("letter", ["x", "x\u0323\u0331", "\u0e01\u0e38\u0e48"])
def test_no_line_is_too_long_for_others(letter):
    """A line is cut to the allowed number of characters, even if marks fill it."""
    table = in_play(bots=False)
    ann, ben, _ = table.sitters
    table.pass_time(2.0)
    table.act(ben, lambda parts: parts.talk.say(letter * 400))
    table.pass_time()
    (line,) = ann.told_of(notices.ChatHeard)
    assert line.text == (letter * 400)[: limits.CHAT_CHARS_MAX]
    assert is_linked(ann, ben)


# ---- authors --------------------------------------------------------------------------------


def line_of(who, text="hello", number=1, *, life=b"", table=b""):
    """Return a line signed by this author."""
    at = who.core.context
    line = wire.ChatLine(table or at.table_id, life, number, at.name, text)
    return signed_chat(at.signer, line)


def heard(who):
    """Return the lines that this player has heard, with their authors."""
    return [(each.name, each.text) for each in who.told_of(notices.ChatHeard)]


def is_linked(who, other):
    """Return True if this seat has not ended its link to the other."""
    return not who.parts.context.links.peers[other.key].dropped


FORGERIES = {
    "a line that another has signed": lambda ben, cy: wire.Chat(
        line_of(cy).line, ben.key, line_of(cy).signature
    ),
    "another text": lambda ben, cy: wire.Chat(
        line_of(cy, "quit!").line, cy.key, line_of(cy).signature
    ),
    "another table": lambda ben, cy: line_of(ben, table=bytes(64)),
    "no line": lambda ben, cy: wire.Chat(b"hello", ben.key, bytes(64)),
    "an endless line": lambda ben, cy: line_of(ben, "x" * (limits.CHAT_CHARS_MAX + 1)),
    "a key that nobody has": lambda ben, cy: wire.Chat(line_of(ben).line, bytes(32), bytes(64)),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_nobody_puts_words_into_anothers_mouth(forgery):
    """A peer that sends a forged or invalid line loses its link, and nothing is shown."""
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    table.pass_time(2.0)
    for liar, other in ((cy, ann), (ann, cy)):
        hears(table, other, liar, FORGERIES[forgery](ben, liar))
        assert heard(other) == []
        assert not is_linked(other, liar)


def test_what_is_passed_on_is_its_authors():
    """A line that is passed on is shown under its author's name in the log.

    An author outside the log is marked as watching, whatever name the line gives.
    """
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    hears(table, cy, ann, line_of(ben))
    zoe = make_signing_key(bytes(range(32)))
    for number, (name, shown) in enumerate(
        [("Zoe", "Zoe"), ("Ben", "Ben-2"), ("\x1b[2J", "[2J"), ("", "somebody")], 1
    ):
        line = wire.ChatLine(ann.core.context.table_id, b"", number, name, "hello\x07")
        hears(table, cy, ann, signed_chat(zoe, line))
        assert heard(cy)[-1] == (f"{shown} (watching)", "hello")
    assert heard(cy)[0] == ("Ben", "hello")
    assert cy.told_of(notices.ChatHeard)[0].key == ben.key


def test_a_line_is_shown_once_however_it_comes():
    """A line is shown once, whichever way it comes, and an older line is not shown after it.

    Lines from a different process of the author count separately. A player's own lines are not
    shown to them.
    """
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    table.pass_time(2.0)
    for number, sender in ((2, ben), (2, ann), (2, ben), (1, ann), (0, ann)):
        hears(table, cy, sender, line_of(ben, f"number {number}", number))
    hears(table, cy, ann, line_of(ben, "again", 1, life=b"another"))
    assert heard(cy) == [("Ben", "number 2"), ("Ben", "again")]
    hears(table, cy, ann, line_of(cy, "what I said"))
    assert len(heard(cy)) == 2, "nobody tells me what I have said"


def test_a_member_who_cannot_be_dialled_and_a_watcher_hear_each_other():
    """A member and a watcher without a link hear each other through the announcer."""
    table = in_play(bots=False)
    ben, zoe = table.sitters[1], table.seat("Zoe", watches=True)
    apart(table, [ben], [zoe])
    table.pass_time(2.0)
    table.act(ben, lambda parts: parts.talk.say("hello"))
    table.act(zoe, lambda parts: parts.talk.say("welcome"))
    table.pass_time(1.0)
    for each in (ben, zoe):
        assert sorted(heard(each)) == [("Ben", "hello"), ("Zoe (watching)", "welcome")]


def test_a_guest_passes_nothing_on():
    """A guest's own lines are heard, but only members may pass on lines."""
    table = in_play(bots=False)
    ann, ben, _ = table.sitters
    guest = guest_at(table)
    guest.say(line_of(ben))
    assert heard(ann) == []
    guest.talk("hello")
    assert heard(ann) == [("somebody (watching)", "hello")]


def test_what_is_kept_of_authors_is_bounded():
    """The number of remembered authors and processes is bounded; strangers push out no member."""
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    hears(table, cy, ann, line_of(ben))
    kept = cy.parts.talk._heard
    for number in range(2 * limits.STRANGERS_HEARD_MAX):
        table.pass_time(3.0)
        stranger = make_signing_key(number.to_bytes(32))
        line = wire.ChatLine(ann.core.context.table_id, b"", 1, "Zoe", "hello")
        hears(table, cy, ann, signed_chat(stranger, line))
        hears(table, cy, ben, line_of(ben, life=bytes([number])))
    assert len(kept) == limits.STRANGERS_HEARD_MAX + 1
    assert len(kept[ben.key]) == limits.LIVES_HEARD_MAX


def test_a_flood_of_what_others_say_counts_for_who_passes_it_on():
    """Lines that a peer passes on count against its own allowance for talk."""
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    table.pass_time(60.0)
    for number in range(1, 10 * CHAT_BURST):
        hears(table, cy, ann, line_of(ben, number=number))
    assert len(heard(cy)) == CHAT_BURST
