"""Switches about the start of a round: the hub's double, the first player, the first turns."""

from engine.rules.switches.switch import Switch, switch


@switch(
    "engine",
    "How the hub's double is found: set aside before the shuffle, played by its holder, the "
    "highest double held, the first seat's highest or else any of the next seat's, declared "
    "from the highest down, the highest held that is unused, or any of the last winner's.",
    "Parsons 1994, Bauguess 2012; Galt 1994; roundhouse, walnut; wolf-lake; People of Play; "
    "gamerules.com on Longana",
)
class Engine(Switch):
    """The double that goes in the hub, and the way to find it. [§1.4]

    Each round has its own double, which is set aside or laid by its holder. Or the double is the
    highest in any hand, one from the first seat or the last winner, or one that somebody declares.
    Each member says whether a double may be used twice in a game.
    """

    is_set_aside: bool
    """True if the double is in the hub before the deal, so nobody looks for it."""
    has_own_double: bool
    """True if each round has its own double, known before the deal."""
    uses_again: bool
    """True if a double may be in the hub more than once in a game."""
    asks_in_turn: bool
    """True if seats are asked one after the other, and the one that lays the double plays first."""
    is_declared: bool
    """True if seats may declare a double or withhold it."""
    winner_leads: bool
    """True if the winner of the last round is asked first, from the second round on."""

    SET_ASIDE = (
        "set-aside",
        "The round's double lies in the hub before the shuffle; each further round has the next "
        "lower one.",
        "Parsons 1994, Bauguess 2012",
        {"is_set_aside": True, "has_own_double": True},
    )
    HOLDER = (
        "holder",
        "The round's double is dealt with the rest, and its holder plays it in the hub; each "
        "further round has the next lower one.",
        "roundhouse, walnut",
        {"has_own_double": True},
    )
    HIGHEST_HELD = (
        "highest-held",
        "The highest double that anybody holds goes in the hub; the same one may come again in a "
        "later round.",
        "roundhouse, as its alternate; walnut, in its quick game",
        {"uses_again": True},
    )
    FIRST_SEAT = (
        "first-seat",
        "The player whose turn it is to begin puts their highest double in the hub, and then has "
        "the first turn. Without one, the next player puts any double there and begins instead, "
        "and so on.",
        "Galt 1994",
        {"uses_again": True, "asks_in_turn": True},
    )
    DECLARED = (
        "declared",
        "From the highest down everybody may declare a double not used in this game; nobody has "
        "to, but in the last round. The first one declared goes in the hub. If nobody declares, "
        "all look at tiles of the boneyard in turn for such a double, or turn them up if nobody "
        "holds one.",
        "wolf-lake",
        {"is_declared": True},
    )
    HIGHEST_UNUSED = (
        "highest-unused",
        "The highest double that anybody holds and that has not been used in this game goes in "
        "the hub; nobody may keep it back.",
        "People of Play; wolf-lake, where nobody has declared",
    )
    LAST_WINNER = (
        "last-winner",
        "In the first round the highest double that anybody holds goes in the hub. In each further "
        "round the winner of the last one puts any double there; without one, the next player "
        "does, and so on.",
        "gamerules.com on Longana",
        {"uses_again": True, "winner_leads": True},
    )


@switch(
    "start-double",
    "Which double begins the game, where each round has its own: the highest, a lower one, or the "
    "double blank, from which it goes up.",
    "Parsons 1994, Bauguess 2012; Good Sam, Idaho; District Senior Games; Wikipedia on Private "
    "Trains",
    numbers=range(19),
    counted="The game begins with the double {count}, not the highest, and is shorter for it.",
)
class StartDouble(Switch):
    """The double that begins a game in which each round has its own. [§1.4]

    A game that begins with the set's highest double, or with a lower one given by its number, goes
    down by one double each round. A game that begins with the double blank goes up.
    """

    HIGHEST = ("highest", "The game begins with the highest double.", "Parsons 1994, Bauguess 2012")
    LOWEST = ("lowest", "The game begins with the double blank.", "Wikipedia on Private Trains")


@switch(
    "engine-missing",
    "With that double in no hand every seat draws one at once, or seats draw one in turn; or the "
    "next lower one goes in the hub; or the round is dealt again.",
)
class EngineMissing(Switch):
    """The rule for a round in which no hand has the double that the seats look for. [§1.6]

    Until the double shows, all seats draw one tile at once, or one seat after the other draws. Or
    lower doubles are asked for first, or the round is dealt again at once.
    """

    all_draw: bool
    """True if every seat draws at once."""
    asks_lower: bool
    """True if lower doubles are asked for before anybody draws."""
    deals_again: bool
    """True if the round is dealt again at once."""

    ALL_DRAW = (
        "all-draw",
        "If nobody has the double, everybody draws one tile and keeps it, again and again until "
        "it shows; if the boneyard cannot serve all, the round is dealt again.",
        "roundhouse",
        {"all_draw": True},
    )
    TURN_DRAW = (
        "turn-draw",
        "If nobody has the double, players draw one tile in turn, from the one who leads on, "
        "until it shows, and keep what they drew.",
        "Galt 1994, walnut",
    )
    NEXT_LOWER = (
        "next-lower",
        "If nobody has the double, the next lower one that anybody has goes in the hub; if nobody "
        "has any of them, players draw one tile in turn until one shows, and keep what they drew.",
        "Tanglewood; Behar; ourpastimes.com on Chicken Foot",
        {"asks_lower": True},
    )
    REDEAL = (
        "redeal",
        "If nobody holds a double, the round is dealt again.",
        "gamerules.com on Longana",
        {"deals_again": True},
    )


@switch(
    "first",
    "Who plays first: a seat by lot or by choice and then one seat on each round, the highest tile "
    "drawn each round or once, the seat that played the engine, the seat after it, or the heaviest "
    "tile held each round or once.",
    "Parsons 1994; Tactic; RNK 2020; David Greve; roundhouse, walnut; wolf-lake; "
    "onlinedominogames.com and netexl.com; Wikipedia on Private Trains",
)
class First(Switch):
    """The seat that has the first turn of a round. [§1.5]

    A lot, the host or the highest tile decides who begins the first round, and the next seat begins
    each further round. Or the highest tile turned up or held decides in each round. Or it is the
    seat that laid the hub's double, or the seat after that.
    """

    rounds_turned_up: int
    """In how many rounds, from the first on, every seat turns up a tile before the deal.

    A game has at most 99."""
    runs_off: bool
    """True if further tiles break a tie."""
    rounds_asked: int
    """In how many rounds, from the first on, the seats are asked for the heaviest tile."""

    RANDOM_ROTATE = (
        "random-rotate",
        "A player drawn by lot begins the first round; in each further round the next player "
        "begins.",
        "Parsons 1994",
    )
    CHOSEN_ROTATE = (
        "chosen-rotate",
        "The host names the player who begins the first round; otherwise the player who sat down "
        "first begins. In each further round the next player begins.",
        "Tactic",
    )
    HIGH_DRAW = (
        "high-draw",
        "Before each deal everybody turns up one tile; the highest begins, and the tiles are "
        "shuffled in again.",
        "RNK 2020",
        {"rounds_turned_up": 99},
    )
    ENGINE_LAYER = (
        "engine-layer",
        "The player who played the double in the hub begins.",
        "roundhouse, walnut",
    )
    AFTER_LAYER = (
        "after-layer",
        "Playing the double in the hub was a turn, but not your first one on a train: the next "
        "player begins.",
        "wolf-lake",
    )
    HIGH_DRAW_ONCE = (
        "high-draw-once",
        "Before the first deal everybody turns up one tile; the highest total begins, and of equal "
        "ones a further tile decides. Each further round the next player begins.",
        "David Greve's rules; Trademark Games' manual",
        {"rounds_turned_up": 1, "runs_off": True},
    )
    HEAVIEST_HELD = (
        "heaviest-held",
        "Once the hands are dealt, the player who holds the tile with the most pips (on a "
        "tie, the higher half) shows it, keeps it, and begins.",
        "onlinedominogames.com and netexl.com, of one maker",
        {"rounds_asked": 99},
    )
    HEAVIEST_ONCE = (
        "heaviest-once",
        "In the first round the player who holds the tile with the most pips (on a tie, the "
        "higher half) shows it, keeps it, and begins; in each further round the next player "
        "begins.",
        "Wikipedia on Private Trains",
        {"rounds_asked": 1},
    )

    def turns_up(self, round_number: int) -> bool:
        """Return True if every seat turns up a tile before the deal of this round.

        Rounds are counted from 0.
        """
        return round_number < self.rounds_turned_up

    def asks_heaviest(self, round_number: int) -> bool:
        """Return True if the heaviest tile held decides who begins this round.

        Rounds are counted from 0.
        """
        return round_number < self.rounds_asked


@switch(
    "opening",
    "The first turn is one tile, a whole chain in turn, a chain by all at once, or a chain "
    "whenever the train is started.",
    "the first text; Galt 1994, Bauguess 2012, roundhouse, walnut",
)
class Opening(Switch):
    """The start of a seat's train: one tile or a whole chain, and when it is laid. [§3.1]

    Seats start in their first turns, one after the other or all at once; or the chain is laid in
    any turn in which the seat starts its train.
    """

    is_chain: bool
    """True if a train may start with more than one tile."""
    is_at_once: bool
    """True if all seats open at once."""
    may_wait: bool
    """True if the chain may wait until the turn in which the seat starts its train."""

    SINGLE = (
        "single",
        "You start your own train with one tile that fits the hub.",
        "the first text",
    )
    WHOLE_TRAIN = (
        "whole-train",
        "In your first turn you start your own train from the hub with one tile or more, one after "
        "the other, as many as you like; in a later turn with one.",
        "Galt 1994, Bauguess 2012, roundhouse, walnut",
        {"is_chain": True},
    )
    SIMULTANEOUS = (
        "simultaneous",
        "Everybody plays a whole train at once, each on their own; then the first player goes on.",
        "Galt 1994, Fast game",
        {"is_chain": True, "is_at_once": True},
    )
    DELAYED = (
        "delayed",
        "In the turn in which you start your train you may play a whole one; if you cannot start, "
        "you draw one tile, and then start or wait as you like.",
        "the first text, Delayed first turn",
        {"is_chain": True, "may_wait": True},
    )


@switch(
    "opening-miss",
    "A seat that cannot start in its first turn draws one tile, puts its marker up at once, or "
    "draws until it can.",
)
class OpeningMiss(Switch):
    """The draws of a seat that cannot start its train in its first turn. [§3.2]

    The seat draws one tile, none, or as many as it takes; its marker goes up if it still cannot
    start.
    """

    draws: int
    """The most tiles that a seat draws for a start; the largest set has 190."""

    DRAW = (
        "draw",
        "If you cannot start in your first turn, you draw one tile and start with it if it fits; "
        "otherwise your marker goes up.",
        "the first text",
        {"draws": 1},
    )
    MARKER = (
        "marker",
        "If you cannot start in your first turn, your marker goes up; nobody draws.",
        "roundhouse, walnut",
    )
    DRAW_UNTIL = (
        "draw-until",
        "If you cannot start in your first turn, you draw until you can; if the boneyard runs out "
        "before, your marker goes up.",
        "wikiHow, Owl's Hollow",
        {"draws": 190},
    )


@switch(
    "opening-double", "A chain that ends on a double: owed once all have opened, or not allowed."
)
class OpeningDouble(Switch):
    """The double at the end of an opening chain: owed once all have opened, or refused. [§3.5]"""

    OWED = (
        "owed",
        "An opening train may end with a double: nobody covers it, or draws for it, until "
        "everybody has had their first turn; then such doubles must be covered, in the order "
        "played.",
        "roundhouse, walnut",
    )
    REFUSED = ("refused", "An opening train may not end with a double.", "other publishers")


@switch(
    "own-train-first",
    "Before its own train has a tile a seat may play elsewhere, may only cover elsewhere, or may "
    "not even do that.",
    "other publishers; wolf-lake",
)
class OwnTrainFirst(Switch):
    """Whether a seat whose own train has no tile may lay on other trains. [§3.4]

    Other trains are open as usual, closed except to cover a double, or closed altogether.
    """

    shuts_others: bool
    """True if other trains are closed to a seat that has not started its own."""
    passes_duty: bool
    """True if a duty passes over a seat that has not started its own train."""

    NO = (
        "no",
        "After your first turn you may play on other open trains even if your own has no tile.",
        "the first text",
    )
    ELSEWHERE = (
        "elsewhere",
        "Until your own train has a tile you play nowhere else, except to cover a double.",
        "other publishers",
        {"shuts_others": True},
    )
    ALWAYS = (
        "always",
        "Until your own train has a tile you play nowhere else, not even to cover a double.",
        "wolf-lake",
        {"shuts_others": True, "passes_duty": True},
    )


@switch(
    "opening-elsewhere",
    "May a player who could start their train in their first turn play on a public train instead?",
    "the first text, Strategy",
)
class OpeningElsewhere(Switch):
    """Whether a seat that can start its train may play its first turn elsewhere instead. [§3.6]

    Elsewhere means on a public train.
    """

    NO = ("no", "Your first turn goes to your own train.", "the first text")
    MAY = (
        "may",
        "From the second player on, if you could start your train in your first turn, you may "
        "play on a public train instead; yours waits, without a marker.",
        "the first text, Strategy",
    )
