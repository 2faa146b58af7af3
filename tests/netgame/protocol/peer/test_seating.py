"""How the chair gives seats: strangers stay a minority, and misbehaviour costs the next seat."""

import pytest

from netgame.limits import NEWCOMER_S, NEWCOMER_STEP_S
from netgame.protocol import notices
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.seating import SeatAsked, StrangersLead, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, in_turn, take_seat
from tests.netgame.protocol.peer.test_coming_and_going import told_of_seat
from tests.netgame.simtable import SimTable, full_table, kill, link_all, revive
from tests.netgame.small_games import end_whole, until_round

OPEN = ("newcomers=open", "patience=vote")
KEYS = ("Vic", "Wim", "Xan", "Yan", "Zoe")
SLACK_S = 3.0
"""The time that polls and steps take besides waiting for newcomers."""


def in_play(seats=3, *, rounds=3, options=OPEN, attended=True, known=False, seed=1):
    """Return a table in its first round, with a person at each seat unless `attended` is False.

    Each seat's door knows every key if `known`, and no key otherwise.
    """
    settings = wire.Settings("standard", (), 6, seats, rounds, 3, options)
    table = full_table(NAMES[:seats], settings, seed=bytes([seed]) * 32)
    table.knows = lambda _key: known
    for each in table.sitters:
        each.parts.chair.knows = table.knows
        each.context.attended = attended
    until_round(table)
    return table


def come(table, *names):
    """Let newcomers with these names ask for a seat in play, in order; return the newcomers.

    Each hears the answer before the next one asks. Nobody moves meanwhile.
    """
    comers, table.bots = [], False
    for name in names:
        comers.append(table.seat(name))
        table.run(lambda comer=comers[-1]: bool(told_of_seat(comer)))
    table.bots = True
    table.move(in_turn(table, [each for each in table.sitters if each.view.sits]))
    return comers


def allow(table, who, *keys):
    """Let somebody at the table allow the keys of these sitters."""
    for key in keys:
        table.act(who, lambda parts, key=key.key: parts.chair.allow(key))
    table.pass_time(0.02)


def whys(comer):
    """Return the reasons that this player read for having no seat, in order; None for a promise."""
    return [each.no_seat and each.no_seat.why for each in comer.told_of(notices.SeatLater)]


def names_of(table):
    """Return the names of the seated players who are not in `NAMES`."""
    state = table.host.state
    return sorted(member.name for member in state.seats if member.name not in NAMES)


def only_themselves(*keys):
    """Make these sitters miss everybody but one another as soon as they sit."""
    own = {each.key for each in keys}
    for each in keys:
        context = each.context
        each.parts.wishes.misses = lambda context=context: (
            frozenset(context.state.company.now.here) - own
            if context.sits(context.key)
            else frozenset()
        )


# ---- strangers at an open table -------------------------------------------------------------


@pytest.mark.parametrize("says_yes", [False, True])
def test_four_keys_do_not_take_over_an_open_table_of_three(says_yes):
    """Four strangers do not take over an open table of three.

    They sit only if the chair allows them, and even then stay fewer than the players.
    """
    table = in_play()
    players = table.sitters[:3]
    keys = come(table, *KEYS[:4])
    only_themselves(*keys)
    assert [whys(each) for each in keys] == [[WhyNoSeat.STRANGER]] * 4
    if says_yes:
        allow(table, table.host, *keys)
    until_round(table, 2)
    assert names_of(table) == (list(KEYS[:2]) if says_yes else [])
    table.run_game()
    state = table.host.state
    assert state.phase is Phase.OVER
    assert all(state.seat_of(each.key) not in state.gone for each in players)
    end_whole(table)


def test_a_stranger_sits_once_the_chair_says_yes():
    """A stranger sits once the chair allows it; the chair's player reads once who asks.

    Until then, the stranger's view says that it has asked.
    """
    table = in_play()
    ann, ben = table.sitters[:2]
    (zoe,) = come(table, "Zoe")
    assert zoe.view.own is OwnPlace.ASKED
    (asked,) = ann.told_of(SeatAsked)
    assert asked == SeatAsked("Zoe", fingerprint(zoe.key), WhyNoSeat.STRANGER)
    assert [each.name for each in ann.view.asking] == ["Zoe"]
    assert not ben.told_of(SeatAsked)
    assert not ben.view.asking
    until_round(table, 1)
    assert not names_of(table), "nobody has said yes"
    assert len(ann.told_of(SeatAsked)) == 1, "and she is told once"
    allow(table, ann, zoe)
    assert zoe.view.own is OwnPlace.PROMISED
    assert not ann.view.asking
    until_round(table, 2)
    assert zoe.view.own is OwnPlace.SEAT
    end_whole(table)


def test_where_nobody_plays_by_hand_strangers_watch():
    """At a table where nobody plays by hand, strangers watch, but `allow` still seats them."""
    table = in_play(attended=False)
    (zoe,) = come(table, "Zoe")
    assert whys(zoe) == [WhyNoSeat.NOBODY_THERE]
    until_round(table, 1)
    assert zoe.view.own is OwnPlace.ASKED
    allow(table, table.host, zoe)
    until_round(table, 2)
    assert zoe.view.own is OwnPlace.SEAT


def test_whom_the_door_knows_needs_no_yes_and_is_no_stranger():
    """A key that the door knows sits without the chair's consent, and is not a stranger."""
    table = in_play(known=True)
    comers = come(table, *KEYS[:4])
    assert [told_of_seat(each) for each in comers] == [[True]] * 4
    until_round(table, 1)
    assert names_of(table) == list(KEYS[:4])


def test_who_sat_when_the_game_began_comes_back_without_a_yes():
    """A player who sat when the game began comes back without the chair's consent."""
    table = in_play()
    cy = table.sitters[2]
    table.act(cy, leave_for_good)
    table.run(lambda: bool(table.host.state.gone))
    kill(table, cy)
    revive(table, cy)
    link_all(table)
    until_round(table, 1)
    assert not table.host.state.gone
    assert told_of_seat(cy) == [True]


def test_where_few_are_left_no_further_stranger_sits_and_none_comes_back():
    """A stranger does not come back if strangers would then be as many as the others present.

    A player who comes back makes room for a stranger.
    """
    table = in_play(seats=4, rounds=5)
    ann, ben, cy, dee = table.sitters
    zoe, yan = come(table, "Zoe", "Yan")
    allow(table, ann, zoe, yan)
    until_round(table, 1)
    for gone in (zoe, cy, dee):
        table.act(gone, leave_for_good)
        table.run(lambda gone=gone: ann.state.seat_of(gone.key) in ann.state.gone)
        kill(table, gone)
    revive(table, zoe)
    link_all(table)
    table.run(lambda: whys(zoe)[-1:] == [WhyNoSeat.STRANGERS])  # two against Ann and Ben
    assert not ann.told_of(StrangersLead)
    until_round(table, 2)
    assert len(ann.state.present) == 3
    revive(table, cy)
    link_all(table)
    until_round(table, 3)
    assert ann.state.seat_of(cy.key) in ann.state.present
    until_round(table, 4)
    assert ann.state.seat_of(zoe.key) in ann.state.present, "two against three again"
    assert ben.view.sits


def test_it_is_told_when_strangers_become_the_majority():
    """A player left behind reads once, with names, that strangers have become the majority."""
    table = in_play(rounds=4)
    ann, ben, cy = table.sitters
    zoe, yan = come(table, "Zoe", "Yan")
    for each in (ann, ben, cy):
        allow(table, each, zoe, yan)
    until_round(table, 2)
    for gone in (ben, cy):
        assert not ann.told_of(StrangersLead)
        table.act(gone, leave_for_good)
        table.run(lambda gone=gone: ann.state.seat_of(gone.key) in ann.state.gone)
        kill(table, gone)
    table.pass_time(0.02)
    (told,) = ann.told_of(StrangersLead)
    assert (sorted(told.names), told.votes) == (["Yan", "Zoe"], 3)
    assert not zoe.told_of(StrangersLead), "one key of three is a stranger there"


def test_a_chair_that_was_not_the_host_judges_by_what_it_knows():
    """A chair that was not the host asks its player about a key that only the host's door knew."""
    table = in_play(seats=3, rounds=4)
    ann = table.host
    ann.parts.chair.knows = lambda _key: True
    (zoe,) = come(table, "Zoe")
    assert told_of_seat(zoe) == [True]
    table.act(ann, leave_for_good)
    table.run(lambda: all(s.state.gone for s in table.sitters[1:3]))
    kill(table, ann)
    chair = next(s for s in table.sitters[1:3] if s.seat == s.state.chair)
    table.run(lambda: whys(zoe)[-1:] == [WhyNoSeat.STRANGER])
    (asked,) = chair.told_of(SeatAsked)
    assert asked.name == "Zoe"
    allow(table, chair, zoe)
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    table.until(zoe, Phase.ROSTER)
    assert zoe.state.seat_of(zoe.key) == 3


# ---- tables with a join code ----------------------------------------------------------------


def without_the_host(*names):
    """Return a table with a join code; the host has no seat, and the players join through it."""
    table = SimTable(wire.Settings("standard", (), 6, 3, 7, 3, ("patience=vote",)))
    table.knows = lambda _key: False
    table.seat("Wall", start_at=2, seated=False)
    for name in names:
        table.seat(name)
    until_round(table)
    return table


def test_the_host_vouches_for_keys_that_have_shown_it_the_code():
    """The host vouches for keys that have shown the code, even if it has no seat."""
    table = without_the_host("Ann", "Ben")
    comers = [table.seat(name) for name in KEYS[:3]]
    table.run(lambda: all(each.view.own is OwnPlace.SEAT for each in comers))
    assert not any(each.told_of(StrangersLead) for each in table.sitters[1:3])


def test_the_word_of_another_member_is_not_enough():
    """Keys for which only another member vouches count as strangers."""
    table = without_the_host("Ann", "Ben")
    wall, ann, ben = table.sitters
    chair, other = (ann, ben) if ann.seat == ann.state.chair else (ben, ann)
    comers = []
    for name in KEYS[:3]:
        comers.append(table.seat(name, door=other))
        apart(table, [wall], comers)
    link_all(table)
    table.run(lambda: all(told_of_seat(each) for each in comers))
    assert sorted(map(told_of_seat, comers)) == [[False], [False], [True]]
    assert {why for each in comers for why in whys(each)} == {None, WhyNoSeat.STRANGERS}
    assert not chair.told_of(SeatAsked), "a yes would change nothing"


# ---- newcomers who fall silent --------------------------------------------------------------


def fall_silent(*keys, beside=0):
    """Make each of these newcomers fall silent at a different attempt to seat them.

    `beside` more newcomers sit down with them.
    """
    for number, each in enumerate(keys):
        write, first = each.parts.writer.write_owed, len(keys) + beside - number

        def written(each=each, write=write, first=first):
            if len(each.state.newcomers) != first:
                write()

        each.parts.writer.write_owed = written


@pytest.mark.parametrize("count", [1, 2, 5])
def test_one_half_minute_is_for_all_who_fall_silent_one_after_the_other(count):
    """The first newcomer who falls silent at the seating costs half a minute.

    Each further one costs only the shortest wait for a step.
    """
    table = in_play(rounds=2, options=("patience=vote",), known=True)
    keys = come(table, *KEYS[:count])
    fall_silent(*keys)
    table.until(table.host, Phase.ROSTER)
    begun = table.now
    until_round(table, 1)
    ann, least = table.host, NEWCOMER_S + (count - 1) * NEWCOMER_STEP_S
    assert len([each for each in ann.ledger.decisions if each.goes]) == count, "one in each try"
    assert least <= table.now - begun < least + count * SLACK_S
    assert not names_of(table)
    end_whole(table)


def test_who_was_silent_once_gets_no_seat_until_the_chair_says_yes():
    """A newcomer who was silent once gets no seat until the chair allows it.

    Another newcomer is seated at once. The chair still knows of the silence after a restart.
    """
    table = in_play(rounds=4, options=("patience=vote",), known=True)
    ann = table.host
    yan, zoe = come(table, "Yan", "Zoe")
    fall_silent(zoe, beside=1)
    until_round(table, 1)
    assert names_of(table) == ["Yan"]
    assert yan.view.sits
    del zoe.parts.writer.write_owed
    table.run(lambda: whys(zoe)[-1:] == [WhyNoSeat.SILENT])
    assert [each.why for each in ann.told_of(SeatAsked)] == [WhyNoSeat.SILENT]
    kill(table, ann)
    revive(table, ann)
    link_all(table)
    until_round(table, 2)
    assert not zoe.view.sits
    allow(table, ann, zoe)
    until_round(table, 3)
    assert zoe.view.sits
    end_whole(table)


def test_who_is_silent_again_after_a_yes_is_out_again():
    """A newcomer who is silent again, after being allowed, is barred again."""
    table = in_play(rounds=5, options=("patience=vote",), known=True)
    (zoe,) = come(table, "Zoe")
    fall_silent(zoe)
    until_round(table, 1)
    allow(table, table.host, zoe)
    until_round(table, 2)
    table.run(lambda: whys(zoe)[-1:] == [WhyNoSeat.SILENT])
    until_round(table, 3)
    assert not names_of(table)


# ---- a second look at the deal --------------------------------------------------------------


def leaves_at_the_deal(table, who, round_number):
    """Let somebody leave while the shares of this round's hands are due, and come back."""
    ann = table.host

    def is_due():
        state = who.state
        return state.phase is Phase.SHARES and state.table.round_number == round_number

    table.run(is_due)
    table.act(who, leave_for_good)
    table.run(lambda: who.key not in ann.state.company.now.here)
    assert ann.ledger.decisions[-1].phase is Phase.SHARES
    kill(table, who)
    revive(table, who, f"life after {round_number}")
    link_all(table)


def test_who_has_gone_twice_while_hands_were_dealt_gets_no_seat_until_the_chair_says_yes():
    """A player who leaves twice during a deal gets no seat until the chair allows it.

    After the first time they are back in the next round, like anybody whose link broke.
    """
    table = in_play(rounds=6, options=("patience=vote",), known=True)
    ann, _, cy = table.sitters
    leaves_at_the_deal(table, cy, 1)
    until_round(table, 2)
    assert cy.view.sits
    leaves_at_the_deal(table, cy, 3)
    table.run(lambda: whys(cy)[-1:] == [WhyNoSeat.LEFT_TWICE])
    assert [(each.name, each.why) for each in ann.told_of(SeatAsked)] == [
        ("Cy", WhyNoSeat.LEFT_TWICE)
    ]
    until_round(table, 4)
    assert not cy.view.sits
    allow(table, ann, cy)
    until_round(table, 5)
    assert cy.view.sits
    end_whole(table)


# ---- the convicted --------------------------------------------------------------------------


def test_a_convicted_key_gets_no_seat_in_play_until_the_chair_says_yes():
    """A convicted key gets no seat in play until the chair allows it, even if the door knows it."""
    table = in_play(rounds=4, options=("patience=vote",), known=True)
    ann = table.host
    (zoe,) = come(table, "Zoe")
    ann.parts.chair.convicted.add(zoe.key)
    table.pass_time(0.02)
    table.act(ann, lambda _parts: None)
    until_round(table, 1)
    assert whys(zoe)[-1:] == [WhyNoSeat.CONVICTED]
    assert not zoe.view.sits
    allow(table, ann, zoe)
    until_round(table, 2)
    assert zoe.view.sits


def test_a_yes_is_for_what_was_known_and_not_for_what_comes_later():
    """Allowing a key covers the faults known by then; a later fault bars it again."""
    ann = in_play(rounds=2).host
    chair, key = ann.parts.chair, bytes(32)
    ann.context.guilty[key] = 1
    chair.convicted.add(key)
    assert chair.why_barred(key) is WhyNoSeat.CONVICTED
    chair.allow(key)
    assert chair.why_barred(key) is not WhyNoSeat.CONVICTED
    ann.context.guilty[key] = 2
    assert chair.why_barred(key) is WhyNoSeat.CONVICTED


def test_a_convicted_key_gets_no_seat_in_the_lobby_until_the_host_says_yes():
    """A convicted key gets no seat in the lobby until the host allows it.

    The guest reads why, and the host reads once who asks.
    """
    table = SimTable(wire.Settings("standard", (), 6, 3, 1, 3), bots=False)
    ann = table.seat("Ann")
    zoe = table.seat("Zoe", looks_first=True)
    ann.parts.chair.convicted.add(zoe.key)
    table.pass_time(0.02)
    for _ in range(2):
        take_seat(table, zoe)
        table.act(zoe, lambda parts: parts.joiner.ask_again())
        table.pass_time(0.02)
    refused = zoe.told_of(notices.SeatRefused)
    assert {each.no_seat.why for each in refused} == {WhyNoSeat.CONVICTED}
    assert [each.name for each in ann.view.asking] == ["Zoe"]
    assert len(ann.told_of(SeatAsked)) == 1
    allow(table, ann, zoe)
    assert not ann.view.asking
    table.act(zoe, lambda parts: parts.joiner.ask_again())
    table.pass_time(0.02)
    assert zoe.view.sits
