"""Whole games for the vectors of protocol.md 9: bots play them in virtual time, from fixed seeds.

Each function returns the sitter whose record is the vector: the first one unless it says otherwise.
"""

from engine.table.moves import LayTile, Show
from engine.table.table import Ending
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, go_on, heal, say_farewell
from tests.netgame.simtable import SimTable, kill, link_all, revive
from tests.netgame.small_games import at, is_its_turn
from tests.vectors.cut_logs import CUTS, table_of

MINUTE, VOTE = "patience=minute", "patience=vote"
SEEDS_MOST = 1000
"""The most games played in search of a rare event."""


def _offer(seats, rounds, hand, *options, preset="standard", switches=()):
    return wire.Settings(preset, switches, 6, seats, rounds, hand, options)


def _ended(table):
    """Play a table to its end; return the first sitter."""
    table.run_game()
    return table.sitters[0]


def _played(settings, seed):
    return _ended(table_of(settings, seed))


def _first(settings, fits):
    """Play games from rising seeds; return the first sitter of the first game that `fits`."""
    return next(
        ann for ann in (_played(settings, seed) for seed in range(1, SEEDS_MOST)) if fits(ann)
    )


def _with_words(settings, *words):
    """Play games from rising seeds; return the first sitter of the first with all these words.

    Each word must occur in some frame of that sitter's record.
    """
    return _first(
        settings, lambda ann: all(any(word in said for said in ann.record) for word in words)
    )


def _without(settings, seed, *leavers, leave=kill):
    """Play a game that some sitters leave; return the first sitter.

    Each of `leavers` is a sitter's number and the condition under which it leaves.
    """
    table = table_of(settings, seed)
    for number, when in leavers:
        sitter = table.sitters[number]
        table.run(lambda sitter=sitter, when=when: when(sitter))
        leave(table, sitter)
    return _ended(table)


def _guests_come(settings, seed, *names):
    """Return a table in the first round that these guests ask to join, and a list of the guests."""
    table = table_of(settings, seed)
    table.run(lambda: at(Phase.PLAY)(table.sitters[0]))
    return table, [table.seat(name) for name in names]


def _company_at(table, seats, phase):
    """Run the table until it has this many seats and is in this phase."""
    ann = table.sitters[0]
    table.run(lambda: at(phase)(ann) and len(ann.core.state.seats) == seats)


def two_seats():
    """Two seats, two rounds."""
    return _played(_offer(2, 2, 2), 1)


def four_seats():
    """Four seats, two rounds; the table names who plays first."""
    return _played(_offer(4, 2, 2, switches=("first=chosen-rotate",)), 2)


def rebuilt():
    """One of four never comes back from its turn: the deck is rebuilt without its key."""
    return _without(_offer(4, 1, 2, MINUTE), 3, (2, is_its_turn))


def dealt_again():
    """One of four never comes back from its turn: by this table's rules, the deal is repeated."""
    return _without(_offer(4, 1, 2, MINUTE, "leaver=redeal"), 3, (2, is_its_turn))


def formed_again():
    """One of four leaves before it shows its coin: the others sign the roster again."""
    return _without(_offer(4, 1, 2, MINUTE), 4, (3, at(Phase.COIN_REVEAL)))


def left_at_the_end():
    """One of four leaves before it opens its hand at the end of the round; the round counts."""
    return _without(_offer(4, 2, 3, MINUTE), 5, (1, at(Phase.OPEN)))


def shuffled_again():
    """`wolf-lake`: tiles drawn for the first turn, a search for a double, a tile handed over."""
    offer = _offer(3, 1, 1, preset="wolf-lake", switches=("first=high-draw",))
    return _with_words(offer, b"hand-over")


def shown_tile():
    """The holder of the heaviest tile begins; the tile is shown, then opened again when played."""
    offer = _offer(3, 1, 3, switches=("first=heaviest-held",))

    def opens_it_twice(ann):
        moves = [move for _, move in ann.core.state.history]
        shown = next(move for move in moves if isinstance(move, Show))
        return any(isinstance(m, LayTile) and m.position == shown.position for m in moves)

    return _first(offer, opens_it_twice)


def every_phase():
    """Simultaneous openings, calls, hands mixed by their owners, and keys laid open."""
    switches = ("first=high-draw", "opening=simultaneous", "last-tile=tap", "tap-penalty=1")
    options = ("draws=hidden", "audit=keys")
    offer = _offer(3, 2, 2, *options, preset="wolf-lake", switches=switches)
    return _with_words(offer, b"mix-hand", b"tap", b"quiet")


def watched():
    """A watcher's record of a table whose host has no seat."""
    table = SimTable(_offer(3, 1, 2), bytes([7]) * 32)
    table.seat("Ann", seated=False, start_at=2)
    for name in NAMES[1:3]:
        table.seat(name)
    table.run(lambda: at(Phase.PLAY)(table.sitters[1]))
    zoe = table.seat("Zoe", watches=True, door=table.sitters[1])
    table.run_game()
    return zoe


def came_late():
    """A latecomer joins in the first round and plays from the second; keys are laid open."""
    table, _ = _guests_come(_offer(2, 2, 2, "audit=keys"), 8, "Zoe")
    return _ended(table)


def named_for_a_vote():
    """A latecomer of the first round votes in the third, so one of the two others can be cut."""
    table, _ = _guests_come(_offer(2, 4, 2, MINUTE), 26, "Zoe")
    ann, ben = table.sitters[:2]
    table.run(lambda: ann.state.company.now.voters.bit_count() == 3 and is_its_turn(ben))
    kill(table, ben)
    table.run(lambda: _is_without(ann, ben))
    return _ended(table)


def named_by_half():
    """Only one of two voters names the newcomer, so she gets no vote; she leaves in round three."""
    table, (zoe,) = _guests_come(_offer(2, 3, 2, VOTE), 27, "Zoe")
    ann, ben = table.sitters[:2]
    ben.parts.chair.knows = {ann.key}.__contains__
    table.run(lambda: at(Phase.PLAY)(ann) and ann.state.table.round_number == 2)
    say_farewell(table, zoe)
    return _ended(table)


def left_before_the_vote():
    """A newcomer gets the promised vote although one of three leaves before the coin."""
    table, _ = _guests_come(_offer(3, 3, 2, VOTE, "audit=keys"), 28, "Zoe")
    ann, ben = table.sitters[:2]
    _company_at(table, 4, Phase.PLAY)
    table.run(lambda: at(Phase.ROSTER)(ann))
    say_farewell(table, ben)
    return _ended(table)


def came_back():
    """A seat that was cut in the first round comes back and plays the second."""
    table = table_of(_offer(3, 3, 2, MINUTE), 9)
    ann, _, victim = table.sitters
    table.run(lambda: is_its_turn(victim))
    kill(table, victim)
    table.run(lambda: bool(ann.core.state.gone))
    revive(table, victim)
    link_all(table)
    return _ended(table)


def newcomer_lost():
    """Two come late; one leaves before the roster is signed, and the other is seated anyway."""
    table, (_, yan) = _guests_come(_offer(2, 3, 2, VOTE), 12, "Zoe", "Yan")
    _company_at(table, 4, Phase.ROSTER)
    kill(table, yan)
    return _ended(table)


def left_alone():
    """One of two leaves for good in the middle of the first round, and says farewell."""
    table = table_of(_offer(2, 2, 3, VOTE), 10)
    ann, ben = table.sitters
    table.run(lambda: is_its_turn(ann))
    say_farewell(table, ben)
    return _ended(table)


def said_farewell():
    """One of three leaves for good with a parting, so nobody waits for it."""
    return _without(_offer(3, 1, 2, VOTE), 11, (2, is_its_turn), leave=say_farewell)


def named_in_the_deal():
    """One of four vanishes during the first deal; all others name it."""
    table = table_of(_offer(4, 1, 2, VOTE), 13)
    *others, victim = table.sitters
    table.run(lambda: b"key-open" in b"".join(victim.record))
    kill(table, victim)
    table.pass_time(1.0)
    go_on(table, others, victim)
    return _ended(table)


def left_in_the_rebuild():
    """One of four leaves in its turn, and another while the deck is rebuilt without the first."""
    leavers = (2, is_its_turn), (1, at(Phase.BLIND))
    return _without(_offer(4, 1, 3, VOTE), 14, *leavers, leave=say_farewell)


def left_at_the_coin():
    """One of three leaves once the coin has fallen: the session begins, and then it is cut."""
    leaver = (1, at(Phase.COIN_FALLEN))
    return _without(_offer(3, 1, 2, VOTE), 15, leaver, leave=say_farewell)


def left_before_guests_sat():
    """Two come late; one of the three players leaves before the new coin has fallen."""
    table, _ = _guests_come(_offer(3, 2, 2, VOTE), 16, "Yan", "Zoe")
    _company_at(table, 5, Phase.COIN_COMMIT)
    say_farewell(table, table.sitters[1])
    return _ended(table)


def taken_back():
    """The record of a player whose turn reached nobody, so that the others went on without it."""
    table = table_of(_offer(4, 1, 2, VOTE, "latecomers=watch", "leaver=redeal"), 17)
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


def draws_hidden():
    """Two seats, one round: whoever draws mixes its hand; nothing else is unusual."""
    return _with_words(_offer(2, 1, 2, "draws=hidden"), b"mix-hand")


def eight_seats():
    """Eight seats with one tile each."""
    return _played(_offer(8, 1, 1), 22)


def blocked():
    """A blocked round: the boneyard is empty, and both players have passed."""
    offer = _offer(2, 1, 13, switches=("mexican=none",))
    return _first(offer, lambda ann: ann.core.state.table.outcome.ending is Ending.BLOCKED)


def dead_double():
    """A double is played that no remaining tile fits, so nobody has to cover it."""
    return _first(_offer(2, 1, 13), _has_dead_double)


def _has_dead_double(ann):
    """Return True if a seat won the round and a different one left a double uncovered."""
    table = ann.core.state.table
    return any(
        lay.tile.is_double and train.is_bare(on) and table.outcome.seat not in (None, lay.seat)
        for train in table.trains
        for on, lay in enumerate(train.lays)
    )


def newcomer_behind_equals():
    """A latecomer joins two with equal totals from different rounds; up to the first turn."""
    table = table_of(_offer(2, 3, 2), 4)
    ann = table.sitters[0]

    def is_second():
        table_now = ann.core.state.table
        return table_now is not None and len(table_now.past) == 1

    table.run(lambda: is_second() and at(Phase.SHARES)(ann))
    table.seat("Zoe")
    _company_at(table, 3, Phase.PLAY)
    return ann


def all_came_back():
    """Five of seven leave while the first round is dealt, and all get their old seats back."""
    table = table_of(_offer(7, 2, 2, VOTE), 23)
    ann, _, *leavers = table.sitters
    table.run(lambda: at(Phase.DEAL)(ann))
    for each in leavers:
        say_farewell(table, each)
    table.run(lambda: not any(each.alive for each in leavers))
    for each in leavers:
        revive(table, each)
    link_all(table)
    return _ended(table)


def left_before_the_deal():
    """One of three leaves for good while tiles are drawn for the first turn, and forfeits."""
    offer = _offer(3, 1, 2, VOTE, switches=("first=high-draw",))
    return _without(offer, 24, (1, at(Phase.DRAWN)), leave=say_farewell)


def left_twice():
    """One of three leaves during the shares, gets its seat back, and leaves in the new deal."""
    table = table_of(_offer(3, 2, 2, VOTE), 25)
    ann, ben, cy = table.sitters
    table.run(lambda: at(Phase.SHARES)(ben))
    say_farewell(table, ben)
    table.run(lambda: _is_without(ann, ben))
    _seated_by(table, ann, cy, ben)
    table.run(lambda: _is_without(ann, cy) and at(Phase.DEAL)(ann) and at(Phase.DEAL)(ben))
    _seated_by(table, ann, ben, cy)
    return _ended(table)


def left_at_the_hands():
    """One of three leaves while hands are dealt, and forfeits; the round is dealt again."""
    return _without(_offer(3, 1, 3, VOTE), 26, (1, at(Phase.SHARES)), leave=say_farewell)


def _is_without(ann, other):
    state = ann.core.state
    return state.seat_of(other.core.key) in state.gone


def _seated_by(table, ann, leaver, other):
    """Seat `other` again, who had left, once `leaver` has said farewell."""
    apart(table, [leaver], [ann])
    table.run(lambda: not other.alive)
    revive(table, other)
    table.connect(ann, other)
    table.run(lambda: bool(ann.core.parts.applicants.coming()))
    heal(table, [leaver], [ann])
    say_farewell(table, leaver)


_PLAYED = (
    *(two_seats, four_seats, rebuilt, dealt_again, formed_again, left_at_the_end, shuffled_again),
    *(
        every_phase,
        watched,
        came_late,
        named_for_a_vote,
        named_by_half,
        left_before_the_vote,
        came_back,
        newcomer_lost,
        left_alone,
        said_farewell,
    ),
    *(named_in_the_deal, left_in_the_rebuild, left_at_the_coin, left_before_guests_sat),
    *(taken_back, draws_hidden, eight_seats, blocked, dead_double),
    *(newcomer_behind_equals, all_came_back, left_before_the_deal, left_twice, shown_tile),
    left_at_the_hands,
)
GOOD = {play.__name__.replace("_", "-"): play for play in _PLAYED} | CUTS
"""The games played, by the names of their files."""
