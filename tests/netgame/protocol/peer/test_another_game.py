"""Players who want another game tell all others, who each read it once."""

from netgame import limits
from netgame.protocol import notices
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import apart, heal, hears
from tests.netgame.protocol.peer.test_watching import Guest, in_play


def says(table, who, *, opens=False):
    """Let this player tell the others that they want another game.

    With `opens`, the player also offers to open its table.
    """
    table.act(who, lambda parts: parts.another_game.say(opens=opens))


def told(who):
    """Return what `who` has read about another game, in order, as (name, opens) pairs."""
    return [(each.name, each.opens) for each in who.told_of(notices.AgainHeard)]


def test_all_hear_once_who_is_in_and_who_opens_the_table():
    """All seats and watchers read once who wants another game, and who opens its table."""
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    zoe = table.seat("Zoe", watches=True)
    table.pass_time(2.0)
    for _ in range(2):
        says(table, ben)
        says(table, zoe)
        table.pass_time()
    assert told(ann) == told(cy) == [("Ben", False), ("Zoe (watching)", False)]
    assert told(zoe) == [("Ben", False)]
    assert ann.view.again == {ben.key, zoe.key}
    says(table, ben, opens=True)
    table.pass_time()
    hears(table, ann, ben, wire.Again(opens=False))
    assert told(ann)[2:] == [("Ben", True)]
    assert ann.view.openers == cy.view.openers == (ben.key,)


def test_it_is_said_over_a_link_that_comes_later():
    """Wishes for another game are also sent over a link that comes up later, and reported once.

    A player out of reach does not count as wanting one, but still counts as an opener.
    """
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    table.pass_time(2.0)
    apart(table, [cy], [ann, ben])
    says(table, ben)
    says(table, cy, opens=True)
    table.pass_time()
    assert not cy.view.again
    heal(table, [cy], [ann, ben])
    table.pass_time(10.0)
    assert cy.view.again == {ben.key}
    assert ann.view.again == {ben.key, cy.key}
    apart(table, [cy], [ann, ben])
    table.pass_time(limits.DROP_S)
    assert ann.view.again == {ben.key}
    assert ann.view.openers == (cy.key,)
    heal(table, [cy], [ann, ben])
    table.pass_time(10.0)
    assert told(ann).count(("Cy", True)) == told(cy).count(("Ben", False)) == 1


def test_whoever_has_no_seat_says_its_name_before_it_is_in():
    """The others know a newcomer's name when they read that the newcomer wants another game.

    A newcomer's request for a seat also contains the name, but it is sent only later, when the
    newcomer has the whole log.
    """
    table = in_play(bots=False)
    zoe = table.seat("Zoe")
    says(table, zoe)
    table.pass_time(2.0)
    for each in table.sitters[:3]:
        assert told(each) == [("Zoe (watching)", False)]


def test_another_process_of_a_key_is_told_as_well():
    """A peer is told again over each new link, because it may be a new process of its key."""
    table = in_play(bots=False)
    ann = table.host
    says(table, ann)
    for number in (1, 2):
        guest = Guest(table, ann)
        table.pass_time()
        assert guest.of(wire.Again) == [wire.Again(opens=False)], number
        table.do(ann, ann.core.link_down(guest.key, table.now))


def test_only_players_open_a_table_and_the_lowest_seat_comes_first():
    """Only players are listed as openers of the next table, in seat order.

    A watcher counts only as somebody who wants another game.
    """
    table = in_play(bots=False)
    ann, ben, cy = table.sitters
    table.pass_time(2.0)
    guest = Guest(table, ann)
    guest.say(wire.Again(opens=True))
    assert ann.view.again == {guest.key}
    assert ann.view.openers == ()
    for each in (cy, ben):
        says(table, each, opens=True)
    table.pass_time()
    assert ann.view.openers == tuple(sorted((ben.key, cy.key), key=ann.state.seat_of))


def test_a_crowd_of_keys_that_are_in_is_bounded():
    """Only a bounded number of keys is remembered as wanting another game.

    A flood of these messages uses up their sender's allowance for talk.
    """
    table = in_play(bots=False)
    ann = table.host
    for number in range(4 * limits.WATCHERS_MAX):
        guest = Guest(table, ann, number)
        guest.say(wire.Again(opens=False))
        table.do(ann, ann.core.link_down(guest.key, table.now))
    assert len(ann.parts.another_game._heard) == 2 * limits.WATCHERS_MAX
    ben = table.sitters[1]
    for _ in range(100):
        hears(table, ann, ben, wire.Again(opens=False))
    before = len(ann.told_of(notices.ChatHeard))
    table.act(ben, lambda parts: parts.talk.say("hello"))
    table.pass_time(0.05)
    assert len(ann.told_of(notices.ChatHeard)) == before


def test_nobody_is_told_of_somebody_without_a_name():
    """A player's wish for another game is reported only once the player's name is in the log."""
    table = in_play(bots=False)
    ann, zoe = table.sitters[0], table.seat("Zoe", watches=True)
    table.run(lambda: ann.key in zoe.core.context.links.greeted())
    assert not zoe.core.state.members
    hears(table, zoe, ann, wire.Again(opens=True))
    assert told(zoe) == []
    table.pass_time(2.0)
    assert told(zoe) == [("Ann", True)]
