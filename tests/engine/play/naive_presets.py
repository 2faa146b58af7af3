"""A second rulebook for every preset, written from docs/rules.md alone and as plainly as possible.

It begins with the double in the hub and plays one round with open hands. It shares no code with
the engine and no words either: what a preset does is written down here once more. Trains are
dictionaries that change in place; a place is (train, number of the tile it hangs on, its value).
"""

from copy import deepcopy

ANYWHERE = {"extra": True, "others_owe": True}
PRESETS = {
    "standard": {},
    "parsons-1994": ANYWHERE | {"mexican_at_once": True, "second_double": "held"},
    "galt-1994": {"chain": True, "free": True},
    "bauguess-2012": {"chain": True, "second_double": "share"},
    "roundhouse": ANYWHERE
    | {
        "chain": True,
        "no_opening_draw": True,
        "freight": True,
        "empty_pass": True,
        "second_double": "chain",
        "last_first": True,
        "lost_tile": True,
    },
    "walnut": ANYWHERE | {"chain": True, "no_opening_draw": True, "second_double": "chain"},
    "wolf-lake": {
        "start_first": True,
        "others_free": True,
        "own_before_mexican": True,
        "drawn_is_left": True,
        "must_cover": True,
        "spur": True,
        "last_plays": True,
    },
    "fundex": {"own_before_others": True},
    "university": ANYWHERE | {"wild": True},
    "spruce": {"chain": True, "no_opening_draw": True, "may_cover": True},
    "masters-of-games": {
        "chain": True,
        "no_double_at_end": True,
        "own_before_mexican": True,
        "covered_lowers": True,
        "must_cover": True,
    },
    "good-sam": {"mexican_at_once": True},
    "chickenfoot": {"arms": 4, "foot": 3, "double_ends_turn": True},
}
"""What each preset does that `standard` does not, in words of this file."""


class NaivePreset:
    """One round of a preset; changes in place."""

    def __init__(self, preset, pip_max, hands, boneyard, hub, first):
        """Tiles are pairs, smaller first; the hub is a pip value."""
        self.rule = lambda word: PRESETS[preset].get(word, False)
        self.tiles = [(a, b) for a in range(pip_max + 1) for b in range(a, pip_max + 1)]
        self.hands = [list(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.stocked = bool(boneyard)
        self.count = len(hands)
        self.trains = {
            name: {"lays": [], "ends": [(hub, -1)], "marked": False}
            for name in [*range(self.count), -1]
        }
        self.table = [(hub, hub)]
        self.seat = first
        self.turns = 0
        self.passed = set()
        self.owed = [(-1, -1, hub)] * self.rule("arms")
        self.trains[-1]["ends"] *= self.rule("arms") or 1
        self.opened = []
        self.ran_out = None
        self.last = None
        self.over = None
        self.new_turn()

    def new_turn(self):
        """Nothing has happened in this turn."""
        self.drawn_now = False
        self.drawn_tiles = []
        self.doubles = []
        self.due = None
        self.chain_at = None
        self.just_started = False
        self.left = False

    # ---- what fits and where ----------------------------------------------------------

    def halves(self, tile, pip):
        """The halves of a tile that may join a value."""
        wild = self.rule("wild")
        return [half for half in sorted(set(tile)) if half == pip or (wild and 0 in (half, pip))]

    def dead(self, pip):
        """Whether no tile that is not on the table fits."""
        return not any(self.halves(t, pip) for t in self.tiles if t not in self.table)

    def ends(self, train):
        """The different ends of a train."""
        return [(train, on, pip) for pip, on in dict.fromkeys(self.trains[train]["ends"])]

    def usual(self):
        """Where the seat may lay while no double matters."""
        if self.rule("arms"):
            return self.ends(-1)
        own = self.trains[self.seat]
        first = self.rule("start_first") or self.rule("own_before_others")
        if self.turns < self.count or (first and not own["lays"]):
            found = self.ends(self.seat)
            if self.turns < self.count and self.rule("mexican_at_once"):
                found += self.ends(-1)
            return found
        found = []
        for name, train in self.trains.items():
            if name == self.seat or train["marked"]:
                found += self.ends(name)
            elif name == -1:
                may_start = not self.rule("own_before_mexican") or (
                    own["lays"] and not self.just_started
                )
                if train["lays"] or may_start:
                    found += self.ends(name)
        return found

    def own_doubles(self):
        """The doubles of this turn that nothing lies on."""
        return [
            (train, on, self.trains[train]["lays"][on][0][0])
            for train, on in self.doubles
            if not any(lay[2] == on for lay in self.trains[train]["lays"])
        ]

    def places(self, tile):
        """Where this tile may go now, by itself or with a follower."""
        double = tile[0] == tile[1]
        second = self.rule("second_double")
        if self.chain_at is not None:
            train, on = self.chain_at
            lay = self.trains[train]["lays"][on]
            return [(train, on, lay[0][0] + lay[0][1] - lay[1])]
        if self.due == "held":
            return [] if double else self.own_doubles()
        if self.due is None:
            if self.owed and not self.skipped():
                train, on, value = self.owed[0]
                return [(train, on, value)]
            return self.ends(self.seat) if self.owed else self.usual()
        usual = self.usual()
        if double:
            allowed = second in ("share", "chain") or (second == "held" and len(self.doubles) == 1)
            return sorted({*usual, *self.own_doubles()}) if allowed else []
        if self.due == "extra":
            return sorted({*usual, *self.own_doubles()})
        return self.own_doubles()[:1] if second == "share" else self.own_doubles()[-1:]

    def skipped(self):
        """Whether a duty passes over the seat because it has not started."""
        return self.rule("start_first") and not self.trains[self.seat]["lays"]

    def needs_follower(self, tile):
        """Whether the tile is a double that may not be laid alone."""
        if tile[0] != tile[1]:
            return False
        if self.rule("second_double") == "held" and len(self.doubles) == 1:
            return True
        if self.last is not None:
            return any(self.halves(t, tile[0]) for t in self.tiles if t not in (*self.table, tile))
        return False

    def would_end_on(self, tile):
        """Whether the tile is a double in a chain that may not end on one."""
        chained = self.chain_at is not None or self.starts_chain()
        return tile[0] == tile[1] and self.rule("no_double_at_end") and chained

    def starts_chain(self):
        """Whether the next tile on the own train begins a chain."""
        return self.rule("chain") and self.turns < self.count and self.due is None

    # ---- moves ------------------------------------------------------------------------

    def moves(self):
        """Every legal move: lays as (tile, train, on, half), pairs of them, or a word."""
        if self.over:
            return []
        if self.due == "lost":
            return ["pass"]
        lays = []
        for tile in self.hands[self.seat]:
            for train, on, pip in self.places(tile):
                for half in self.halves(tile, pip):
                    lay = (tile, train, on, half)
                    if self.needs_follower(tile):
                        lays += [(lay, follower) for follower in self.followers(lay)]
                    elif self.would_end_on(tile):
                        lays += [lay] if self.followers(lay) else []
                    elif self.due != "held" or tile not in self.drawn_tiles:
                        lays.append(lay)
        if self.chain_at is not None or self.due == "may":
            return lays + (["done"] if self.may_stop() else [])
        if self.due == "held":
            return lays
        if not lays or self.may_decline(lays) or self.only_others(lays) or self.only_more(lays):
            lays = [*lays, *self.unable()]
        return lays

    def may_stop(self):
        """Whether the turn may be ended as it is."""
        if self.chain_at is None or not self.rule("no_double_at_end"):
            return True
        train, on = self.chain_at
        tile = self.trains[train]["lays"][on][0]
        return tile[0] != tile[1]

    def may_decline(self, lays):
        """Whether all that could be laid are doubles just drawn."""
        if not (self.rule("drawn_is_left") and self.drawn_now):
            return False
        return all(isinstance(lay[0], tuple) and lay[0][0] == lay[0][1] for lay in lays)

    def only_more(self, lays):
        """Whether all that could be laid are further doubles, which nobody has to lay."""
        shared = self.rule("second_double") == "share" and self.due is not None
        return shared and all(lay[0][0] == lay[0][1] for lay in lays)

    def only_others(self, lays):
        """Whether all that could be laid has its place on other players' trains, by choice."""
        owing = self.owed and not self.skipped()
        if not self.rule("others_free") or self.due is not None or owing:
            return False
        left = self.rule("drawn_is_left") and self.drawn_now
        for lay in lays:
            pair = isinstance(lay[0][0], tuple)
            tile, train = lay[0][:2] if pair else lay[:2]
            free = not pair and left and tile[0] == tile[1]
            if train in (self.seat, -1) and not free:
                return False
        return True

    def unable(self):
        """Draw, else pass."""
        opening = self.turns < self.count and self.rule("no_opening_draw") and self.due is None
        if self.boneyard and not self.drawn_now and not opening and not self.left:
            return ["draw"]
        return ["pass"]

    def followers(self, lay):
        """What the hand may lay after a double that is not to be laid alone."""
        after = deepcopy(self)
        after.lay(*lay)
        if after.over or after.seat != self.seat:
            return []
        found = []
        for tile in after.hands[self.seat]:
            if tile[0] == tile[1] or (after.due == "held" and tile in after.drawn_tiles):
                continue
            for train, on, pip in after.places(tile):
                found += [(tile, train, on, half) for half in after.halves(tile, pip)]
        return found

    def play(self, move):
        """Carry out a legal move."""
        if move == "draw":
            tile = self.boneyard.pop(0)
            self.hands[self.seat].append(tile)
            self.drawn_tiles.append(tile)
            self.drawn_now = True
            if self.rule("lost_tile") and self.doubles:
                self.due = "lost"
        elif move == "pass":
            self.fail()
        elif move == "done":
            self.stop()
        elif isinstance(move[0][0], tuple):
            self.lay(*move[0])
            self.lay(*move[1])
            if self.chain_at is not None and not self.over:
                self.stop()
        else:
            self.lay(*move)

    def fail(self):
        """Marker up, unless rules spare it, and the next seat."""
        spared = self.rule("lost_tile") and self.doubles
        if self.rule("empty_pass") and not self.boneyard and not self.drawn_now:
            spared = True
        spared = spared or self.rule("arms")
        if not spared:
            if not self.trains[self.seat]["marked"] and not self.owed:
                self.passed = set()
            self.trains[self.seat]["marked"] = True
        if self.due != "lost":
            self.passed.add(self.seat)
        self.end_turn(failed=self.due != "lost")

    def stop(self):
        """A chain ends, or a cover is not laid."""
        if self.chain_at is not None:
            train, on = self.chain_at
            tile = self.trains[train]["lays"][on][0]
            if tile[0] == tile[1]:
                self.opened.append((train, on, tile[0]))
        self.end_turn()

    def lay(self, tile, train, on, half):
        """Lay a tile and see what it asks for."""
        target = self.trains[train]
        chained = self.chain_at is not None or (self.starts_chain() and train == self.seat)
        was_drawn = tile in self.drawn_tiles
        was_marked, own = target["marked"], train == self.seat
        if own and not target["lays"]:
            self.just_started = True
        self.hands[self.seat].remove(tile)
        self.table.append(tile)
        at = next(i for i, end in enumerate(target["ends"]) if end[1] == on)
        far = tile[0] + tile[1] - half
        number = len(target["lays"])
        target["lays"].append((tile, half, on))
        target["ends"][at : at + 1] = [(far, number)]
        double = tile[0] == tile[1]
        if double and self.rule("spur") and train >= 0:
            target["ends"] += [(far, number)] * 2
        if double and self.rule("foot"):
            target["ends"] += [(far, number)] * 2
        covered = next((due for due in self.owed if due[:2] == (train, on)), None)
        if covered is not None:
            self.owed.remove(covered)
        self.owed = [due for due in self.owed if not self.dead(due[2])]
        self.passed = set()
        self.drawn_now = False
        out = not self.hands[self.seat]
        asks = double and not self.dead(far)
        if self.rule("free") and was_marked and own:
            asks = False
        if out and not self.rule("must_cover") and not chained:
            asks = False
        self.lower(target, own=own, asks=asks)
        if chained:
            self.chain_at = (train, number)
            if out or self.dead(far):
                self.stop()
            return
        self.after(train, number, tile, asks=asks, out=out, was_drawn=was_drawn)

    def lower(self, train, *, own, asks):
        """Whether a marker comes down."""
        if self.rule("freight") or (own and not (self.rule("covered_lowers") and asks)):
            train["marked"] = False

    def after(self, train, number, tile, *, asks, out, was_drawn):
        """What the turn still asks for."""
        double = tile[0] == tile[1]
        if asks:
            new = (train, number, tile[0])
            self.owed = [new, *self.owed] if self.rule("last_first") else [*self.owed, new]
            self.owed += [new] * (self.rule("foot") - 1)
            if self.rule("double_ends_turn"):
                self.end_turn()
                return
            if was_drawn and self.rule("drawn_is_left"):
                if out:
                    self.trains[self.seat]["marked"] = True
                    self.end_turn()
                    return
                self.left = True
            self.doubles.append((train, number))
            self.due = self.due_after_double(out=out)
            return
        if out:
            self.end_turn(out=True)
        elif double and self.dead(tile[0]) and self.rule("extra"):
            self.doubles.append((train, number))
            second = self.rule("second_double") == "held" and len(self.doubles) == 2
            self.due = "held" if second else "extra"
        elif double and self.due in ("cover", "extra") and self.doubles:
            pass
        else:
            self.end_turn()

    def due_after_double(self, *, out):
        """What a double asks of its player."""
        if self.rule("second_double") == "held" and len(self.doubles) == 2:
            return "held"
        if self.last is not None:
            return "held"
        if self.rule("extra"):
            return "extra"
        return "may" if self.rule("may_cover") and not out else "cover"

    def end_turn(self, *, failed=False, out=False):
        """The next seat, or the end of the round."""
        empty = not self.hands[self.seat] and (out or self.chain_at is not None)
        first_turn = self.turns < self.count
        if first_turn and self.rule("chain"):
            if empty and self.ran_out is None:
                self.ran_out = self.seat
            if self.turns == self.count - 1:
                if self.ran_out is not None:
                    self.over = ("out", self.ran_out)
                    return
                alive = [due for due in self.opened if not self.dead(due[2])]
                self.owed = alive + self.owed
                self.passed = set() if alive else self.passed
        elif empty:
            self.over = ("out", self.seat)
            return
        blocked = failed and not self.boneyard and len(self.passed) == self.count
        if self.last_plays_end() or (blocked and self.last is None):
            self.over = "blocked"
        self.turns += 1
        self.seat = (self.seat + 1) % self.count
        self.new_turn()

    def last_plays_end(self):
        """Count the turns that are left once the boneyard is empty."""
        if not self.rule("last_plays") or self.boneyard or not self.stocked:
            return False
        if self.last is None and self.turns + 1 < self.count:
            return False
        if self.last is None or (self.last[0] == "closing" and not self.owed):
            self.last = ["closing" if self.owed else "playing", self.count]
            return False
        self.last[1] -= 1
        return self.last[1] == 0
