"""Whole games for the vectors of protocol.md 11: bots play them in virtual time, from fixed seeds.

Each function gives a table whose first sitter, or the one named, has the record.
"""

from netgame.protocol.fold.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import is_its_turn
from tests.netgame.protocol.happenings import apart, go_on, say_farewell
from tests.netgame.simtable import SimTable, full_table, kill, link_all, revive
from tests.vectors.cut_logs import CUTS

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")


def _offer(preset, switches, pip_max, seats, rounds, hand, *options):
    return wire.Settings(preset, switches, pip_max, seats, rounds, hand, options)


def _table(settings, seed):
    """A full table that is about to begin."""
    return full_table(NAMES[: settings.seats], settings, seed=bytes([seed]) * 32)


def _played(settings, seed):
    table = _table(settings, seed)
    table.run_game()
    return table


def _with_words(settings, *words):
    """The first game, by seed, in which each of these words is said."""
    for seed in range(1, 40):
        ann = _played(settings, seed).sitters[0]
        if all(any(word in payload for payload in ann.record) for word in words):
            return ann
    raise AssertionError(f"no game says all of {words}")


def _without(settings, seed, number, when):
    """A game in which somebody dies for good when it has come to something."""
    table = _table(settings, seed)
    victim = table.sitters[number]
    table.run(lambda: when(victim))
    kill(table, victim)
    table.run_game()
    return table


def two_seats():
    """Two seats, two rounds."""
    return _played(_offer("standard", (), 6, 2, 2, 2), 1).sitters[0]


def four_seats():
    """Four seats, two rounds; the table names who plays first."""
    return _played(_offer("standard", ("first=chosen-rotate",), 6, 4, 2, 2), 2).sitters[0]


def rebuilt():
    """One of four never comes back from its turn: the deck is rebuilt without its key."""
    settings = _offer("standard", (), 6, 4, 1, 2, "patience=minute")
    return _without(settings, 3, 2, is_its_turn).sitters[0]


def dealt_again():
    """The same, where the table deals the round again."""
    settings = _offer("standard", (), 6, 4, 1, 2, "patience=minute", "leaver=redeal")
    return _without(settings, 3, 2, is_its_turn).sitters[0]


def formed_again():
    """One of four is gone before its coin is shown: the roster is signed anew."""
    settings = _offer("standard", (), 6, 4, 1, 2, "patience=minute")
    at = Phase.COIN_REVEAL
    return _without(settings, 4, 3, lambda victim: victim.core.state.phase is at).sitters[0]


def left_at_the_end():
    """One of four is gone before its hand lies open; the round counts."""
    settings = _offer("standard", (), 6, 4, 2, 3, "patience=minute")
    at = Phase.OPEN
    return _without(settings, 5, 1, lambda victim: victim.core.state.phase is at).sitters[0]


def shuffled_again():
    """`wolf-lake`: tiles for the first turn, a double looked for, a tile handed over."""
    settings = _offer("wolf-lake", ("first=high-draw",), 6, 3, 1, 1)
    return _with_words(settings, b"hand-over")


def every_phase():
    """Openings at once, calls, hands mixed by their owners, keys and seeds laid open."""
    switches = ("first=high-draw", "opening=simultaneous", "last-tile=tap", "tap-penalty=1")
    offer = _offer("wolf-lake", switches, 6, 3, 2, 2, "draws=hidden", "audit=seeds")
    return _with_words(offer, b"mix-hand", b"tap", b"quiet")


def watched():
    """The record of somebody who watched; the host has no seat."""
    settings = _offer("standard", (), 6, 3, 1, 2)
    table = SimTable(settings, bytes([7]) * 32)

    table.seat("Ann", seated=False, start_at=2)
    for name in NAMES[1:3]:
        table.seat(name)
    table.run(lambda: table.sitters[1].core.state.phase is Phase.PLAY)
    zoe = table.seat("Zoe", watches=True, door=table.sitters[1])
    table.run_game()
    return zoe


def came_late():
    """Somebody comes in the first round and plays the second; keys are laid open."""
    settings = _offer("standard", (), 6, 2, 2, 2, "audit=keys")
    table = _table(settings, 8)
    ann = table.sitters[0]
    table.run(lambda: ann.core.state.phase is Phase.PLAY)
    table.seat("Zoe")
    table.run_game()
    return ann


def came_back():
    """Who was given up in the first round plays the second in its old seat."""
    settings = _offer("standard", (), 6, 3, 3, 2, "patience=minute")
    table = _table(settings, 9)
    ann, victim = table.sitters[0], table.sitters[2]
    table.run(lambda: is_its_turn(victim))
    kill(table, victim)
    table.run(lambda: bool(ann.core.state.gone))
    revive(table, victim)
    link_all(table)
    table.run_game()
    return ann


def newcomer_lost():
    """Two come late; one is gone before the roster is signed, the other is seated all the same."""
    settings = _offer("standard", (), 6, 2, 3, 2, "patience=vote")
    table = _table(settings, 12)
    ann = table.sitters[0]
    table.run(lambda: ann.core.state.phase is Phase.PLAY)
    table.seat("Zoe")
    yan = table.seat("Yan")
    table.run(lambda: ann.core.state.phase is Phase.ROSTER and len(ann.core.state.seats) == 4)
    kill(table, yan)
    table.run_game()
    return ann


def _at(sitter, phase):
    return lambda: sitter.core.state.phase is phase


def left_alone():
    """One of two leaves for good in the middle of the first round, and says so."""
    settings = _offer("standard", (), 6, 2, 2, 3, "patience=vote")
    table = _table(settings, 10)
    ann, ben = table.sitters
    table.run(lambda: is_its_turn(ann))
    say_farewell(table, ben)
    table.run(lambda: ann.finished)
    return ann


def said_farewell():
    """One of three leaves for good with a parting, and nobody waits for it."""
    settings = _offer("standard", (), 6, 3, 1, 2, "patience=vote")
    table = _table(settings, 11)
    ann, leaver = table.sitters[0], table.sitters[2]
    table.run(lambda: is_its_turn(leaver))
    say_farewell(table, leaver)
    table.run(lambda: all(each.finished for each in table.sitters[:2]))
    return ann


def named_in_the_deal():
    """One of four vanishes while the first deal is made; all others name it."""
    table = _table(_offer("standard", (), 6, 4, 1, 2, "patience=vote"), 13)
    ann, victim = table.sitters[0], table.sitters[3]
    table.run(lambda: b"key-open" in b"".join(victim.record))
    kill(table, victim)
    table.pass_time(1.0)
    go_on(table, [each for each in table.sitters if each is not victim], victim)
    table.run_game()
    return ann


def left_in_the_rebuild():
    """One of four leaves in a turn, and another while the deck is rebuilt without its key."""
    table = _table(_offer("standard", (), 6, 4, 1, 3, "patience=vote"), 14)
    ann, ben, cy = table.sitters[:3]
    table.run(lambda: is_its_turn(cy))
    say_farewell(table, cy)
    table.run(_at(ben, Phase.BLIND))
    say_farewell(table, ben)
    table.run_game()
    return ann


def left_at_the_coin():
    """One of three leaves when the coin has fallen: the session begins, and it goes then."""
    table = _table(_offer("standard", (), 6, 3, 1, 2, "patience=vote"), 15)
    ann, ben = table.sitters[:2]
    table.run(_at(ben, Phase.COIN_FALLEN))
    say_farewell(table, ben)
    table.run_game()
    return ann


def left_before_guests_sat():
    """Two come late; one of the three that play leaves before the new coin has fallen."""
    table = _table(_offer("standard", (), 6, 3, 2, 2, "patience=vote"), 16)
    ann, ben = table.sitters[:2]
    table.run(_at(ann, Phase.PLAY))
    table.seat("Yan")
    table.seat("Zoe")
    table.run(lambda: ann.core.state.phase is Phase.COIN_COMMIT and len(ann.core.state.seats) == 5)
    say_farewell(table, ben)
    table.run_game()
    return ann


def taken_back():
    """The record of one whose turn nobody got: the others went on without it, and it reads that."""
    options = ("patience=vote", "latecomers=watch", "leaver=redeal")
    table = _table(_offer("standard", (), 6, 4, 1, 2, *options), 17)
    ann, cy = table.sitters[0], table.sitters[2]
    table.run(lambda: is_its_turn(cy))
    step = cy.core.state.step
    others = [each for each in table.sitters if each is not cy]
    apart(table, [cy], others)
    table.run(lambda: cy.core.state.step > step)
    go_on(table, others, cy)
    table.run(lambda: bool(ann.core.state.gone))
    table.cut.clear()
    link_all(table)
    table.run_game()
    return cy


def seeds_laid_open():
    """Two seats, one round; keys and seeds are laid open, and no hand is mixed."""
    return _played(_offer("standard", (), 6, 2, 1, 1, "audit=seeds"), 18).sitters[0]


def draws_hidden():
    """Two seats, one round; who has drawn mixes its hand, and nothing else is unusual."""
    return _with_words(_offer("standard", (), 6, 2, 1, 2, "draws=hidden"), b"mix-hand")


def eight_seats():
    """Eight seats with a tile each."""
    return _played(_offer("standard", (), 6, 8, 1, 1), 22).sitters[0]


def blocked():
    """A round that nobody wins: the boneyard is empty, and both have passed."""
    return _played(_offer("standard", ("mexican=none",), 6, 2, 1, 13), 5).sitters[0]


def dead_double():
    """A double is laid that no tile fits any more, and nobody has to cover it."""
    return _played(_offer("standard", (), 6, 2, 1, 13), 7).sitters[0]


def newcomer_behind_equals():
    """Somebody comes late where two have as much, scored in other rounds; up to its first turn."""
    table = _table(_offer("standard", (), 6, 2, 3, 2), 4)
    ann = table.sitters[0]

    def is_second():
        table_now = ann.core.state.table
        return table_now is not None and len(table_now.past) == 1

    table.run(lambda: is_second() and ann.core.state.phase is Phase.SHARES)
    table.seat("Zoe")
    table.run(lambda: len(ann.core.state.seats) == 3 and ann.core.state.phase is Phase.PLAY)
    return ann


def all_came_back():
    """Five of seven leave while the first round is dealt, and all have their old seats again."""
    table = _table(_offer("standard", (), 6, 7, 2, 2, "patience=vote"), 23)
    ann, leavers = table.sitters[0], table.sitters[2:]
    table.run(_at(ann, Phase.DEAL))
    for each in leavers:
        say_farewell(table, each)
    table.run(lambda: not any(each.alive for each in leavers))
    for each in leavers:
        revive(table, each)
    link_all(table)
    table.run_game()
    return ann


GOOD = {
    "two-seats": two_seats,
    "four-seats": four_seats,
    "rebuilt": rebuilt,
    "dealt-again": dealt_again,
    "formed-again": formed_again,
    "left-at-the-end": left_at_the_end,
    "shuffled-again": shuffled_again,
    "every-phase": every_phase,
    "watched": watched,
    "came-late": came_late,
    "came-back": came_back,
    "newcomer-lost": newcomer_lost,
    "left-alone": left_alone,
    "said-farewell": said_farewell,
    "named-in-the-deal": named_in_the_deal,
    "left-in-the-rebuild": left_in_the_rebuild,
    "left-at-the-coin": left_at_the_coin,
    "left-before-guests-sat": left_before_guests_sat,
    "taken-back": taken_back,
    "seeds-laid-open": seeds_laid_open,
    "draws-hidden": draws_hidden,
    "eight-seats": eight_seats,
    "blocked": blocked,
    "dead-double": dead_double,
    "newcomer-behind-equals": newcomer_behind_equals,
    "all-came-back": all_came_back,
    **CUTS,
}
