"""Every refusal as a sentence: what is wrong and what to do. The verb `why` adds the rule."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.guess import did_you_mean
from cli.language import capitalized, either, say, translate
from cli.program import typed_in_shell
from cli.scene import tile_text
from engine.refusals import Refusal
from engine.refusals import RefusalReason as Reason
from engine.rules.choose import SWITCHES
from engine.rules.clashes import CLASHES, NO_MEXICAN
from engine.rules.ruleset import RuleSet
from engine.rules.sentences import value_sentences
from engine.rules.switches import LastTile, Switch
from engine.table.trains import Seat
from engine.tiles import Tile

_SENTENCES: Final[Mapping[Reason, str]] = {
    Reason.ROUND_OVER: "You cannot play now: the round is over.",
    Reason.NO_DRAW: "You cannot draw here: play, or type done.",
    Reason.NO_OPENING_DRAW: "Nobody draws in their first turn here: start your train, or pass if "
    "you cannot.",
    Reason.NOBODY_DRAWS: "Nobody draws under these rules: play, or pass if you cannot.",
    Reason.NO_PASS: "You cannot pass here: type done.",
    Reason.NOT_DONE: "You cannot end this turn with done: play, draw or pass.",
    Reason.NO_CHAIN: "Play one at a time: several tiles in one line are for an opening or a bullet "
    "train.",
    Reason.NO_BULLET: "You cannot play a bullet train now.",
    Reason.TILE_LOST: "You may play nothing more there in this turn.",
    Reason.LAID_ENOUGH: "You may play nothing more there in this turn.",
    Reason.COVER_DRAWN: "You may cover a second double only with a tile that you held before this "
    "turn.",
    Reason.DOUBLE_ALONE: "You may play that double only together with the tile that covers it.",
    Reason.DOUBLE_DRAWN: "You do not draw again for a double that you have just drawn.",
    Reason.LAST_PLAY_ALONE: (
        "In the last plays you may play a double only if you cover it at once."
    ),
    Reason.LAST_DOUBLE: "You may not play a double as your last tile while others still fit it.",
    Reason.MARKER_NOT_UP: "You can leave your marker up only if the rules allow it, and in a turn "
    "in which you play a tile.",
    Reason.MARKER_NOT_DOWN: "You can take down only a marker that you left up by choice.",
    Reason.NO_TAP: "Nobody has to tap now.",
    Reason.NOBODY_TO_CATCH: "There is nobody to catch now.",
    Reason.NOTHING_TO_CALL: "There is nothing to call now.",
    Reason.LAY_BEFORE_HUB: "Nobody plays a tile before the engine is found.",
    Reason.DRAW_BEFORE_HUB: "Nobody draws now: the double is asked for first.",
    Reason.TURN_BEFORE_HUB: "No turn has begun: the double is asked for first.",
    Reason.NO_DOUBLE_ASKED: "Nobody asks for a double now.",
    Reason.NO_DECLARING: "You cannot declare a double now.",
    Reason.NO_SILENCE: "Nobody is asked to declare now.",
    Reason.NO_DECLARED_DOUBLES: "Nobody declares a double under these rules.",
    Reason.TURN_BEFORE_LEAD: "No turn has begun: the heaviest tile is asked for first.",
    Reason.NO_SHOWING: "Nobody asks for the heaviest tile now.",
    Reason.TILE_NOT_ASKED: "{tile} is not the tile that is asked for.",
    Reason.NO_LOOK: "You cannot look at a tile of the boneyard now.",
    Reason.NO_DISCARD: "You cannot put a tile back now.",
    Reason.NO_PULL: "You cannot pull a tile now.",
    Reason.HAS_LEFT: "{seat} has left the game for good.",
    Reason.LEFT_BEFORE_PLAY: "No turn has begun yet, so the round cannot go on: write `leaves "
    "redeal`.",
    Reason.LEFT_AMID_PLAY: "A player can leave before or after a play, not during it: finish "
    "the play first.",
    Reason.NOTHING_TO_REDEAL: "There is no round now to deal again.",
    Reason.ALL_LEAVE: "Somebody has to stay at the table.",
    Reason.ANOTHERS_TURN: "It is {to_move}'s turn.",
    Reason.ANOTHERS_ANSWER: "It is {to_move}'s turn.",
    Reason.OPENED_ALREADY: "It is another seat's turn.",
    Reason.TILE_NOT_HELD: "You don't have {tile}.",
    Reason.DOUBLE_NOT_HELD: "You don't have {tile}.",
    Reason.TILE_NOT_THERE: "You don't have {tile}.",
    Reason.TILE_NOT_DRAWN: "You don't have {tile}.",
    Reason.TILE_NOT_PAID: "You don't have {tile}.",
    Reason.NO_TRAIN: "There is no such train at this table.",
    Reason.NOT_STARTED_YET: "You may not start {train} yet.",
    Reason.DOUBLE_OWED: "You must cover {double} on {train} first.",
    Reason.THREE_OWED: "You must cover {double} on {train} first.",
    Reason.ARMS_OWED: "Start all arms of {double} first.",
    Reason.RING_OWED: "A double must go on each of the arms first.",
    Reason.SECOND_DOUBLE: "You must cover {double} on {train} first.",
    Reason.OWN_TRAIN_FIRST: "Start your own train before you play anywhere else.",
    Reason.FIRST_TURN: "In the first turn of a round you play on your own train only.",
    Reason.FIRST_TURN_MEXICAN: "In the first turn of a round you play on your own train or on the "
    "Mexican one.",
    Reason.PRIVATE_TRAIN: "{train} is private: only its owner plays there until a marker opens it.",
    Reason.NO_OWN_TRAINS: "Nobody has a train of their own here: all play on the hub.",
    Reason.START_NOT_HELD: "In your first turn you play on {train} only if you could start your "
    "own.",
    Reason.END_MISMATCH: "{tile} does not fit: {train} takes {pips}.",
    Reason.TILE_PLAYABLE: "You can play {tile}, so you may not draw or pass.",
    Reason.COVER_HELD: "You can play the cover you hold, so you may not draw or pass.",
    Reason.CHAIN_HELD: "You can play {tile}, so you may not draw or pass.",
    Reason.LAST_PLAY_HELD: "You can play {tile}, so you may not draw or pass.",
    Reason.MUST_DRAW: "Draw a tile before you pass.",
    Reason.ALREADY_DRAWN: "You have drawn a tile for this already: play it or pass.",
    Reason.DRAWN_AND_LOST: "You have drawn a tile for this already: pass.",
    Reason.BONEYARD_EMPTY: "The boneyard is empty: there is nothing to draw.",
    Reason.WRONG_ENGINE: "{tile} is not the double asked for, or was the engine before.",
    Reason.HIGHER_HELD: "You have a higher double: {tile}.",
    Reason.DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
    Reason.HEAVIEST_KEPT: "You must show that tile: you hold it.",
    Reason.FOUND_DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
    Reason.CHAIN_ENDS_DOUBLE: "You may not end an opening with a double here.",
    Reason.HUB_NO_DOUBLE: "{tile} cannot be the engine: it is no double of this set.",
    Reason.HUB_USED_BEFORE: "{tile} has been the engine of an earlier round.",
    Reason.HUB_DEALT: "{tile} is the engine, so it cannot be in a hand or in the boneyard.",
    Reason.TILE_NOT_IN_SET: "{tile} is not in this set.",
    Reason.TILE_TWICE: "{tile} is written down twice.",
    Reason.TOO_FEW_TILES: "The set does not have as many tiles as these hands need.",
    Reason.ROUND_NOT_OVER: "A new round begins before the last one is over.",
    Reason.GAME_OVER: "A new round begins after the last round of the game.",
    Reason.SEATED_ALREADY: "{seat} has a seat already.",
    Reason.LEFT_ALREADY: "{seat} has left the game before.",
    Reason.NOBODY_STAYS: "Somebody has to stay at the table.",
    Reason.SEAT_HAS_LEFT: "{seat} has left the game, so gets no hand and does not play first.",
    Reason.UNKNOWN_PRESET: "There is no rule set {preset}; {hint}",
    Reason.UNKNOWN_SWITCH: "There is no switch {switch}; {hint}",
    Reason.UNKNOWN_VALUE: "The switch {switch} cannot be {value}; it can be: {hint}.",
    Reason.CLASH: "The switches {one} and {other} exclude each other: {reason}. These go together: "
    "{hint}.",
    Reason.SET_UNKNOWN: "There is no double-{set} set; the sets are 6, 9, 12, 15 and 18 (set).",
    Reason.SEATS_OUT_OF_RANGE: "A table seats {least} to {most}, not {seats} (seats).",
    Reason.ROUNDS_OUT_OF_RANGE: "With this set and these rules a game has 1 to {most} rounds, not "
    "{rounds} (rounds).",
    Reason.DEAL_UNLISTED: "The deal table has no number for {seats} seats with "
    "double-{set}: choose another set, or give a number of tiles up to {most} (deal).",
    Reason.DEAL_OUT_OF_RANGE: "{hand} tiles for each of {seats} seats do not come out of {tiles}: "
    "at most {most} (deal).",
    Reason.PARTNER_SEATS: "The switch partners=yes needs 4, 6 or 8 seats, so that every seat has "
    "an opposite one; {seats} seats do not (partners, seats).",
}


_NOBODY_TAPS: Final = "At this table nobody has to say that they have one tile left."
_OF_DOUBLES: Final[Mapping[Reason, str]] = {
    Reason.FIRST_TURN: "In the first turn of a round only doubles go on a train that is not yours.",
    Reason.PRIVATE_TRAIN: "{train} is private: others play only doubles there until a marker opens "
    "it.",
}
"""The sentences for rules under which a double may be played on any train."""
_OF_A_DEAD_END: Final = "{tile} does not fit: {train} takes no tile any more."
_OF_ARMS: Final = "{tile} does not fit: {train} take {pips}."
_OF_ANY_HAND: Final = "That hand does not hold {tile}."


def refusal_sentence(
    refusal: Refusal,
    names: Sequence[str] = (),
    you: Seat | None = None,
    rules: RuleSet | None = None,
) -> str:
    """Return why a move, or a table, is refused; `you` is the reader's seat, if any.

    `names` are in the order of the seats; a seat without a name is `another seat`. The text fits
    the `rules`, if given: for example, a train that belongs to no seat may be called an arm.
    """
    mexican = (RuleSet() if rules is None else rules).mexican
    facts = dict(refusal.facts) | _named(refusal, names, you, translate(mexican.noun))
    facts["hint"], text = _hint(refusal), _SENTENCES[refusal.reason]
    if refusal.reason is Reason.NO_TAP and rules is not None and rules.last_tile is LastTile.NONE:
        text = _NOBODY_TAPS
    if rules is not None and rules.double_anywhere.is_yes:
        text = _OF_DOUBLES.get(refusal.reason, text)
    if refusal.reason is Reason.END_MISMATCH and mexican.arms:
        text = _OF_ARMS
    if refusal.reason is Reason.END_MISMATCH and not facts["pips"]:
        text = _OF_A_DEAD_END
    elif you is None and text == "You don't have {tile}.":
        text = _OF_ANY_HAND
    return capitalized(say(text, **facts))


def _hint(refusal: Refusal) -> str:
    """Return what to type instead of an unknown word or of two values that clash; else empty."""
    facts = {name: str(value) for name, value in refusal.facts}
    known = facts.get("known", "").split()
    match refusal.reason:
        case Reason.UNKNOWN_PRESET:
            names = say("there are: {names}.", names=", ".join(known))
            return did_you_mean(facts["preset"], known) or names
        case Reason.UNKNOWN_SWITCH:
            hint = did_you_mean(facts["switch"], known)
            return hint or say("see: {command}.", command=typed_in_shell("rules"))
        case Reason.UNKNOWN_VALUE:
            values = ", ".join(known)
            numbers = SWITCHES[facts["switch"]].numbers
            if not numbers:
                return values
            return say(
                "{values} or a number from {first} to {last}",
                values=values,
                first=numbers[0],
                last=numbers[-1],
            )
        case Reason.CLASH:
            return _pairs_beside(facts["one"], facts["other"])
        case _:
            return ""


def _pairs_beside(one: str, other: str) -> str:
    """Return pairs of values to type instead of two that clash.

    A pair is one of the two, and a value that fits it for the other's switch.
    """
    found = ((kept, _goes_with(kept, gone)) for kept, gone in ((other, one), (one, other)))
    return "; ".join(f"{kept} {beside}" for kept, beside in found if beside)


def _goes_with(kept: str, gone: str) -> str:
    """Return the first value of `gone`'s switch that does not clash with `kept`; "" if all do."""
    name = gone.partition("=")[0]
    values = (f"{name}={word}" for word in SWITCHES[name].words())
    return next((each for each in values if not _clash(kept, each)), "")


def _clash(one: str, other: str) -> bool:
    """Return True if two values, each as `switch=value`, exclude each other."""
    sides = ((_written(clash.ones), _written(clash.others)) for clash in (*CLASHES, NO_MEXICAN))
    return any(
        (one in ones and other in others) or (other in ones and one in others)
        for ones, others in sides
    )


def _written(values: Sequence[Switch]) -> set[str]:
    return {f"{each.key}={each.value}" for each in values}


def _named(
    refusal: Refusal, names: Sequence[str], you: Seat | None, mexican: str
) -> dict[str, str]:
    """Return the facts of a refusal as text: seats and trains by name, unknown ones by a phrase."""
    facts = dict(refusal.facts)
    ends = dict.fromkeys(str(value) for fact, value in refusal.facts if fact == "pip")

    def tile(fact: str) -> str:
        found = facts.get(fact)
        return tile_text(found) if isinstance(found, Tile) else say("that tile")

    def seat(fact: str) -> str:
        found = facts.get(fact)
        known = isinstance(found, int) and 0 <= found < len(names)
        return names[found] if isinstance(found, int) and known else say("another seat")

    return {
        "tile": tile("tile"),
        "double": tile("double"),
        "seat": seat("seat"),
        "to_move": seat("to_move"),
        "train": _train(facts.get("train", -1), names, you, mexican),
        "pips": either([*ends]),
        "reason": say(str(facts.get("reason", ""))),
    }


def _train(named: object, names: Sequence[str], you: Seat | None, mexican: str) -> str:
    """Return `your train`, `Ann's train`, or `mexican` for a train of no seat.

    The train of a seat without a name is called by its number. A written game may have a word
    that names no train; it is quoted.
    """
    if not isinstance(named, int):
        return say("the train {name}", name=named)
    if named == you:
        return say("your train")
    if named < 0:
        return mexican
    if named < len(names):
        return say("{name}'s train", name=names[named])
    return say("train {number}", number=named + 1)


_FITS: Final = (
    "A tile you hold joins an open end with the same number, on your own train or on any train "
    "that is open to all."
)
_FITS_ARMS: Final = "A tile you hold joins an open end of the arms with the same number."

_RULES: Final[Mapping[str, tuple[Reason, ...]]] = {
    "A round is over when somebody has played their last tile.": (Reason.ROUND_OVER,),
    "Turns go round the table; in a turn you play a tile, draw, or pass.": (
        Reason.NO_PASS,
        Reason.NOT_DONE,
        Reason.ANOTHERS_TURN,
    ),
    _FITS: (Reason.TILE_NOT_HELD, Reason.PRIVATE_TRAIN, Reason.END_MISMATCH),
    "The double asked for goes into the hub, if you hold it and nobody has used it.": (
        Reason.DOUBLE_NOT_HELD,
        Reason.WRONG_ENGINE,
        Reason.HIGHER_HELD,
    ),
    "If you can play a tile, you must.": (Reason.TILE_PLAYABLE,),
    "You may play on a public train in your first turn only if you could start yours.": (
        Reason.START_NOT_HELD,
    ),
    "A seat leaves for good between two plays, and somebody stays.": (
        Reason.HAS_LEFT,
        Reason.LEFT_BEFORE_PLAY,
        Reason.LEFT_AMID_PLAY,
        Reason.NOTHING_TO_REDEAL,
        Reason.ALL_LEAVE,
    ),
}
"""The rules that no switch decides, each with its reasons for a refusal."""

_TABLE: Final = "A game is played at a table that its rules allow, with each tile of the set once."
"""The rule behind all other refusals, which concern impossible tables."""


def rule_sentence(refusal: Refusal, rules: RuleSet) -> str:
    """Return the rule that a move breaks, and where it is written."""
    reason = refusal.reason
    if reason.switch is not None:
        told = value_sentences(rules, reason.switch)
    else:
        rule = next((rule for rule, reasons in _RULES.items() if reason in reasons), _TABLE)
        told = (_FITS_ARMS if rule is _FITS and rules.mexican.arms else rule,)
    rule = " ".join(map(say, told))
    return say("{rule} See {section} of the rules.", rule=rule, section=reason.section)
