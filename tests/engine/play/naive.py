"""A second rulebook for `standard`, written from docs/rules.md alone and as plainly as possible.

It shares no code with the engine: tiles are sets of pips, trains are lists, and every question is
answered by looking at everything. Its only use is to disagree.
"""

from copy import deepcopy


class NaiveRound:
    """One round with open hands; changes in place."""

    def __init__(self, pip_max, hands, boneyard, hub):
        """Tiles are pairs, smaller first; the hub is a pip value."""
        self.all_tiles = [(a, b) for a in range(pip_max + 1) for b in range(a, pip_max + 1)]
        self.hub = hub
        self.hands = [list(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.trains = {seat: [] for seat in range(len(hands))} | {"mexican": []}
        self.ends = dict.fromkeys(self.trains, hub)
        self.marked = set()
        self.on_table = [(hub, hub)]
        self.seat = 0
        self.first_turns_left = len(hands)
        self.has_drawn = False
        self.double_at = None
        self.passed_now = set()
        self.over = None

    def allowed_trains(self):
        """Where the seat in turn may lay."""
        if self.double_at is not None:
            return [self.double_at]
        if self.first_turns_left:
            return [self.seat]
        return [
            train
            for train in self.trains
            if train in (self.seat, "mexican") or train in self.marked
        ]

    def moves(self):
        """Every legal move: (tile, train), or a word."""
        if self.over:
            return []
        lays = [
            (tile, train)
            for tile in self.hands[self.seat]
            for train in self.allowed_trains()
            if self.ends[train] in tile
        ]
        if lays:
            return lays
        return ["draw"] if self.boneyard and not self.has_drawn else ["pass"]

    def play(self, move):
        """Carry out a legal move."""
        if move == "draw":
            self.hands[self.seat].append(self.boneyard.pop(0))
            self.has_drawn = True
        elif move == "pass":
            if self.seat not in self.marked and self.double_at is None:
                self.passed_now = set()
            self.marked.add(self.seat)
            self.passed_now.add(self.seat)
            if not self.boneyard and len(self.passed_now) == len(self.hands):
                self.over = "blocked"
            self.next_turn()
        else:
            self.lay(*move)

    def lay(self, tile, train):
        """Lay a tile and see what it asks for."""
        self.hands[self.seat].remove(tile)
        self.on_table.append(tile)
        self.trains[train].append(tile)
        self.passed_now = set()
        self.double_at = None
        self.has_drawn = False
        a, b = tile
        self.ends[train] = b if self.ends[train] == a else a
        if train == self.seat:
            self.marked.discard(self.seat)
        if not self.hands[self.seat]:
            self.over = ("out", self.seat)
        elif a == b and any(a in other for other in self.all_tiles if other not in self.on_table):
            self.double_at = train
            return
        self.next_turn()

    def next_turn(self):
        """The next seat clockwise."""
        self.seat = (self.seat + 1) % len(self.hands)
        self.first_turns_left = max(0, self.first_turns_left - 1)
        self.has_drawn = False


def naive_perft(state, depth):
    """How many sequences of so many moves there are, by moves already counted as different."""
    if depth == 0:
        return 1
    total = 0
    for move in state.moves():
        after = deepcopy(state)
        after.play(move)
        total += naive_perft(after, depth - 1)
    return total
