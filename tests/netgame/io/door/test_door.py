"""The door lets in members and friends, and gives strangers few guesses."""

import pytest

from netgame.io.door.admission import (
    ASKED_TOLD_MAX,
    BLOCKED,
    BUSY,
    CODE_WANTED,
    FULL,
    HERE,
    MEMBERS_ONLY,
    OK,
    Door,
)
from netgame.io.door.codes import JoinCode
from netgame.limits import (
    CODE_ADDRESSES_MAX,
    CODE_PAUSE_S,
    CODE_RUNS_BURST,
    CODE_TRIES_MAX,
    CODE_TRIES_PER_ADDRESS,
    CODE_WAIT_S,
    CODE_WRONG_BURST,
    CODE_WRONG_PER_S,
)
from netgame.protocol.notices import TroubleKind
from netgame.protocol.text import fingerprint, long_fingerprint
from netgame.wire.messages import Verdict

STRANGER, FRIEND, MEMBER = b"s" * 32, b"f" * 32, b"m" * 32


def make_door(**more):
    """Return a host's door, whose codes are 1-otter-violin, 2-otter-violin, and so on.

    It notes the address in each of its notices: in `told` if the code has changed, in `waiting` if
    a stranger is asked for the code, and in `guessed` after any other wrong try.
    """
    codes = (JoinCode(1 + number % 99, "otter", "violin") for number in range(10_000))
    door = Door(next(codes), draw=lambda: next(codes), **more)
    door.told, door.guessed, door.waiting = [], [], []
    kept = {TroubleKind.CODE_CHANGED: door.told, TroubleKind.CODE_ASKED: door.waiting}

    def tell(trouble):
        kept.get(trouble.kind, door.guessed).append(trouble.facts[0])

    door.tell = tell
    return door


def guess_wrong(door, source, now):
    """Try a wrong code once, and return True; return False if the door does not allow the try."""
    if not isinstance(door.begin_try(source, now), JoinCode):
        return False
    door.was_wrong(source, now)
    return True


def test_stranger_needs_the_code_and_nobody_else_does():
    """A stranger needs the code; known keys and members need only their key."""
    door = make_door(known=frozenset({FRIEND}))
    door.sits = lambda peer: peer == MEMBER
    assert door.admit(STRANGER) == CODE_WANTED
    assert door.admit(FRIEND) == door.admit(MEMBER) == OK
    door.known |= {STRANGER}
    assert door.admit(STRANGER) == OK


def test_the_player_is_told_who_is_asked_for_the_code():
    """For each address, the player is told once that a stranger there is asked for the code.

    There are at most `ASKED_TOLD_MAX` such notices, and none where no code is asked for.
    """
    door = make_door(known=frozenset({FRIEND}))
    for key in (STRANGER, b"z" * 32, FRIEND):
        door.admit(key, "10.0.0.1")
    assert door.waiting == ["10.0.0.1"]
    for number in range(100):
        door.admit(STRANGER, f"10.0.1.{number}")
    assert len(door.waiting) == ASKED_TOLD_MAX
    door = make_door()
    door.shut()
    door.admit(STRANGER, "10.0.0.1")
    assert door.waiting == []


def test_open_door_and_members_only():
    """An open door admits anybody while there is room.

    A door that is neither open nor has a code admits no stranger.
    """
    assert Door(anybody=True).admit(STRANGER) == OK
    assert Door(anybody=True).number == 0
    full = Door(anybody=True)
    full.turned_away = lambda _peer: FULL
    assert full.admit(STRANGER) == FULL
    shut = Door()
    assert not shut.change_code()
    assert shut.code is None
    assert shut.admit(STRANGER) == MEMBERS_ONLY
    assert isinstance(shut.begin_try("10.0.0.1", 0.0), Verdict)


def test_a_seat_that_stands_in_draws_a_code_once_and_asks_for_that():
    """A stand-in draws a code when it opens its door, and opening it again keeps that code.

    Once the door is shut, it admits no strangers.
    """
    codes = iter([JoinCode(7, "otter", "violin"), JoinCode(8, "otter", "violin")])
    door = Door(draw=lambda: next(codes))
    assert door.admit(STRANGER) == MEMBERS_ONLY
    assert door.open(frozenset({FRIEND}), anybody=False) == "7-otter-violin"
    assert door.open(frozenset(), anybody=False) == "7-otter-violin"
    assert door.admit(STRANGER) == CODE_WANTED
    assert door.admit(FRIEND) == OK
    door.shut()
    assert door.admit(STRANGER) == MEMBERS_ONLY
    assert door.open(frozenset(), anybody=True) == ""
    assert door.admit(STRANGER) == OK
    door.shut()
    assert door.admit(STRANGER) == MEMBERS_ONLY


def test_third_wrong_try_of_an_address_changes_the_code():
    """The third wrong try of an address changes the code, and that address has to wait.

    Others go on with the new code.
    """
    door = make_door()
    for number in range(CODE_TRIES_PER_ADDRESS):
        assert not door.told
        assert guess_wrong(door, "10.0.0.6", number * CODE_PAUSE_S)
    assert door.told == ["10.0.0.6"]
    assert door.guessed == ["10.0.0.6"] * (CODE_TRIES_PER_ADDRESS - 1)
    assert str(door.code) == "2-otter-violin"
    at = (CODE_TRIES_PER_ADDRESS - 1) * CODE_PAUSE_S
    assert not guess_wrong(door, "10.0.0.6", at + CODE_WAIT_S - 0.1)
    assert door.begin_try("10.0.0.7", at) == door.code
    assert guess_wrong(door, "10.0.0.6", at + CODE_WAIT_S)


def test_code_lasts_for_few_wrong_tries_from_many_addresses():
    """`CODE_TRIES_MAX` wrong tries change the code, even if each is from a different address."""
    door = make_door()
    for number in range(CODE_TRIES_MAX):
        assert not door.told
        assert guess_wrong(door, f"10.0.1.{number}", 0.0)
    assert len(door.told) == 1


def test_new_code_is_never_the_former():
    """A new code has a different number from the old one: codes are drawn until that is so."""
    alike = [JoinCode(1, "otter", "violin")] * 5 + [JoinCode(1, "otter", "visor")]
    same = iter([*alike, JoinCode(2, "otter", "violin")])
    door = Door(next(same), draw=lambda: next(same))
    for number in range(CODE_TRIES_PER_ADDRESS):
        guess_wrong(door, "10.0.0.6", number * CODE_PAUSE_S)
    assert door.code == JoinCode(2, "otter", "violin")


@pytest.mark.parametrize(("address", "told"), [("10.0.0.6", []), ("10.0.0.5", ["10.0.0.6"])])
def test_right_code_wipes_the_slate_of_its_own_address_alone(address, told):
    """The right code clears the wrong tries of its own address, but of no other address.

    The key that has shown the code does not need it again.
    """
    door = make_door()
    for number in range(CODE_TRIES_PER_ADDRESS - 1):
        guess_wrong(door, "10.0.0.6", number * CODE_PAUSE_S)
    door.was_right(STRANGER, address)
    assert door.admit(STRANGER) == OK
    assert door.by_code.get(STRANGER) == address
    assert guess_wrong(door, "10.0.0.6", CODE_TRIES_PER_ADDRESS * CODE_PAUSE_S)
    assert door.told == told


def test_nobody_has_tried_at_a_new_code():
    """When the code changes, the counts of wrong tries start again from zero.

    That holds for the count of each address, and for that of all addresses together.
    """
    door = make_door()
    for number in range(CODE_TRIES_PER_ADDRESS - 1):
        guess_wrong(door, "10.0.0.5", number * CODE_PAUSE_S)
    assert door.change_code()
    assert str(door.code) == "2-otter-violin"
    later = CODE_TRIES_PER_ADDRESS * CODE_PAUSE_S
    assert guess_wrong(door, "10.0.0.5", later)
    assert not door.told
    for number in range(CODE_TRIES_MAX - 2):
        assert guess_wrong(door, f"10.0.1.{number}", later)
        assert not door.told


def test_tries_broken_off_are_slowed_down():
    """An address that breaks off its tries cannot begin the next ones at once."""
    door = make_door()
    begun = sum(isinstance(door.begin_try("10.0.0.6", 0.0), JoinCode) for _ in range(50))
    assert begun == CODE_RUNS_BURST
    for number in (1, 2, 3):
        later = number * CODE_PAUSE_S
        assert not isinstance(door.begin_try("10.0.0.6", later - 0.4 * CODE_PAUSE_S), JoinCode)
        assert isinstance(door.begin_try("10.0.0.6", later), JoinCode)


def test_no_more_addresses_are_remembered_than_there_is_room_for():
    """While the list of addresses is full, a new address cannot begin a try.

    Later, the addresses whose tries no longer matter make room for it.
    """
    door = make_door()
    for number in range(CODE_ADDRESSES_MAX * CODE_RUNS_BURST):
        assert isinstance(door.begin_try(f"host {number % CODE_ADDRESSES_MAX}", 0.0), JoinCode)
    assert isinstance(door.begin_try("one more", 0.0), Verdict)
    assert isinstance(door.begin_try("one more", CODE_RUNS_BURST * CODE_PAUSE_S), JoinCode)


def test_wrong_tries_of_all_addresses_run_dry_together():
    """Wrong tries from all addresses use up one common budget."""
    door = make_door()
    tried = [guess_wrong(door, f"10.1.0.{number}", 0.0) for number in range(CODE_WRONG_BURST + 1)]
    assert tried == [True] * CODE_WRONG_BURST + [False]


@pytest.mark.parametrize("addresses", [1, 250, 5_000])
def test_guesses_of_a_long_night_are_few(addresses):
    """Eight hours of guessing find a code with a chance below 1 in 60.

    It does not matter from how many addresses the guesses come.
    """
    door, hours = make_door(), 8
    guesses = sum(
        guess_wrong(door, f"host {second % addresses}", float(second))
        for second in range(hours * 3600)
    )
    assert guesses <= CODE_WRONG_BURST + hours * 3600 * CODE_WRONG_PER_S + 1
    assert guesses / 65_536 < 1 / 60


# ---- addresses that a person blocks, and keys that a person allows --------------------------

TWO = ("10.0.0.6", "10.0.0.7")
"""Addresses that try wrong codes again and again."""
NEWCOMER = "10.0.0.8"


def besieged(until_s=1800):
    """Return a door at which two addresses have guessed for `until_s` seconds, and the time then.

    They have used up the wrong tries that all addresses share.
    """
    door = make_door()
    for second in range(until_s):
        for source in TWO:
            guess_wrong(door, source, float(second))
    return door, float(until_s)


def test_two_addresses_keep_newcomers_out_until_they_are_blocked():
    """Two addresses that guess leave newcomers almost no tries until a person blocks them."""
    door, now = besieged()
    came = 0
    for second in range(100):
        for source in TWO:
            guess_wrong(door, source, now + second)
        came += isinstance(door.begin_try(NEWCOMER, now + second), JoinCode)
    assert came <= 4, "a token comes every half minute, and two are quicker than one"
    assert [*door.wrong_tries()] in ([*TWO], [*reversed(TWO)])
    for source in TWO:
        door.block(source, now + 100)
        assert door.begin_try(source, now + 200) == BLOCKED
    assert door.wrong_tries() == {}
    assert door.begin_try(NEWCOMER, now + 100) == door.code


def test_a_block_gives_back_no_more_than_was_taken():
    """Blocking an address gives back the wrong tries that it used up, and only once."""
    door = make_door()
    for number in range(CODE_WRONG_BURST):
        assert guess_wrong(door, f"10.1.0.{number}", 0.0)
    assert door.begin_try(NEWCOMER, 0.0) == BUSY
    for source in ("10.9.9.9", "10.1.0.0", "10.1.0.0"):
        door.block(source, 0.0)
    assert guess_wrong(door, NEWCOMER, 0.0)
    assert not guess_wrong(door, "10.0.0.9", 0.0)


def test_only_members_come_from_an_address_that_is_blocked():
    """Only members come in from a blocked address.

    Known keys, keys that have shown the code, and anybody at an open table must use another
    address.
    """
    for door in (make_door(known=frozenset({FRIEND})), Door(anybody=True)):
        door.sits = lambda peer: peer == MEMBER
        door.was_right(STRANGER, "10.0.0.6")
        door.block("10.0.0.6", 0.0)
        for peer in (STRANGER, FRIEND):
            assert door.admit(peer, "10.0.0.6") == BLOCKED
            assert door.admit(peer, "10.0.0.7") == OK
        assert door.admit(MEMBER, "10.0.0.6") == OK
        assert door.turns_back("10.0.0.6")
        assert not door.turns_back("10.0.0.7")
        door.members_at = lambda source: (MEMBER,) if source == "10.0.0.6" else ()
        assert not door.turns_back("10.0.0.6"), "behind one address there may be several"
        door.blocked.clear()
        assert door.admit(STRANGER, "10.0.0.6") == OK


def test_an_allowed_key_needs_no_code_and_no_other_key_comes_in_by_it():
    """An allowed key needs no code, and has a place kept for it; any other key needs the code.

    A key is allowed by its long fingerprint: a match of the short one is not enough.
    """
    door = make_door()
    door.allowed.add(long_fingerprint(STRANGER))
    assert door.admit(STRANGER, NEWCOMER) == OK
    assert door.is_ours(STRANGER), "it has a place where strangers take all others"
    assert door.admit(FRIEND, NEWCOMER) == CODE_WANTED
    door.allowed = {f"{fingerprint(FRIEND)[:4]}-{fingerprint(FRIEND)[4:]}-aaaa-aaaa"}
    assert door.admit(FRIEND, NEWCOMER) == CODE_WANTED


def test_wrong_tries_are_counted_by_address_and_most_come_first():
    """Wrong tries are listed by address, most first.

    A try that is only begun does not count, and an address that showed the right code is left out.
    """
    door = make_door()
    door.begin_try("10.0.0.5", 0.0)
    for source, tries in (("10.0.0.6", 1), ("10.0.0.7", 3), ("10.0.0.8", 2)):
        for _ in range(tries):
            assert guess_wrong(door, source, 0.0)
    door.was_right(STRANGER, "10.0.0.8")
    assert [*door.wrong_tries().items()] == [("10.0.0.7", 3), ("10.0.0.6", 1)]


def test_who_sits_at_this_computer_may_begin_as_many_tries_as_it_likes():
    """This computer may begin any number of tries at once, but its wrong tries still count."""
    door = make_door()
    begun = [door.begin_try(HERE, 0.0) for _ in range(5 * CODE_RUNS_BURST)]
    assert begun == [door.code] * len(begun)
    tried = [guess_wrong(door, HERE, 0.0) for _ in range(CODE_TRIES_PER_ADDRESS + 1)]
    assert tried == [True] * CODE_TRIES_PER_ADDRESS + [False]


@pytest.mark.parametrize("wrong", [0, 1, CODE_TRIES_PER_ADDRESS], ids=["slow", "wrong", "shut"])
def test_no_address_is_forgotten_to_its_advantage(wrong):
    """However many addresses try, none of them is forgotten if that would allow it more tries.

    Its wrong tries still count, its wait goes on, and tries that it has begun are not given back.
    """
    door, begun = make_door(), 0.0
    for _ in range(wrong):
        assert guess_wrong(door, "10.0.0.6", begun)
    for _ in range(0 if wrong else CODE_RUNS_BURST):
        assert isinstance(door.begin_try("10.0.0.6", begun), JoinCode)
    later = begun + (CODE_RUNS_BURST * CODE_PAUSE_S if wrong else CODE_PAUSE_S)
    for number in range(CODE_ADDRESSES_MAX - 1):
        assert isinstance(door.begin_try(f"host {number}", begun), JoinCode)
    assert isinstance(door.begin_try("one more", later), JoinCode)
    after = [isinstance(door.begin_try("10.0.0.6", later), JoinCode) for _ in range(9)]
    if not wrong:
        assert after.count(True) == 1
    elif wrong == CODE_TRIES_PER_ADDRESS:
        assert not any(after)
    else:
        for _ in range(CODE_TRIES_PER_ADDRESS - wrong):
            door.was_wrong("10.0.0.6", later)
        assert door.told == ["10.0.0.6"]


def test_only_those_that_the_host_itself_knows_have_a_place_kept():
    """Places are kept for known keys and members, but not for a key that a member vouches for."""
    door = make_door(known=frozenset({FRIEND}))
    door.sits, door.may_come = (lambda peer: peer == MEMBER), (lambda peer: peer == STRANGER)
    assert door.admit(STRANGER) == OK
    assert [door.is_ours(peer) for peer in (FRIEND, MEMBER, STRANGER)] == [True, True, False]
