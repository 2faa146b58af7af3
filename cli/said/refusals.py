"""Every refusal as one sentence: what is wrong, and what to do; and for `why` the rule."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from cli.scene import tile_text
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import SWITCHES
from engine.rules.ruleset import RuleSet
from engine.table.trains import Seat
from engine.tiles import Tile

_SENTENCES: Final[Mapping[RefusalReason, str]] = MappingProxyType(
    {
        RefusalReason.ROUND_OVER: "You cannot play now: the round is over.",
        RefusalReason.NO_DRAW: "You cannot draw here: pass, or type done.",
        RefusalReason.NO_PASS: "You cannot pass here: type done.",
        RefusalReason.NOT_DONE: "You cannot end this turn with done: play, draw or pass.",
        RefusalReason.NO_CHAIN: "Play one at a time: several tiles in one line are for an opening "
        "or a bullet train.",
        RefusalReason.NO_BULLET: "You cannot play a bullet train now.",
        RefusalReason.TILE_LOST: "You may play nothing more there in this turn.",
        RefusalReason.LAID_ENOUGH: "You may play nothing more there in this turn.",
        RefusalReason.COVER_DRAWN: "You may cover a second double only with a tile that you held "
        "before this turn.",
        RefusalReason.DOUBLE_ALONE: "You may play that double only together with the tile that "
        "covers it.",
        RefusalReason.LAST_DOUBLE: "You may not play a double as your last tile while others "
        "still fit it.",
        RefusalReason.MARKER_NOT_UP: "You cannot leave your marker up: the rules must allow it, "
        "and you must play a tile.",
        RefusalReason.MARKER_NOT_DOWN: "You can take down only a marker that you left up by "
        "choice.",
        RefusalReason.NO_TAP: "Nobody has to tap now.",
        RefusalReason.NOBODY_TO_CATCH: "There is nobody to catch now.",
        RefusalReason.NOTHING_TO_CALL: "There is nothing to call now.",
        RefusalReason.LAY_BEFORE_HUB: "Nobody plays a tile before the engine is found.",
        RefusalReason.DRAW_BEFORE_HUB: "Nobody draws now: the double is asked for first.",
        RefusalReason.TURN_BEFORE_HUB: "No turn has begun: the double is asked for first.",
        RefusalReason.NO_DOUBLE_ASKED: "Nobody asks for a double now.",
        RefusalReason.NO_DECLARING: "You cannot declare a double now.",
        RefusalReason.NO_SILENCE: "Nobody is asked to declare now.",
        RefusalReason.NO_DECLARED_DOUBLES: "Nobody declares a double under these rules.",
        RefusalReason.NO_LOOK: "You cannot look at a tile of the boneyard now.",
        RefusalReason.NO_DISCARD: "You cannot put a tile back now.",
        RefusalReason.NO_PULL: "You cannot pull a tile now.",
        RefusalReason.HAS_LEFT: "{seat} has left the game for good.",
        RefusalReason.LEFT_BEFORE_PLAY: "No turn has begun yet, so the round cannot go on: write "
        "`leaves redeal`.",
        RefusalReason.LEFT_AMID_PLAY: "A seat leaves before a play or after it: finish the play "
        "that was begun.",
        RefusalReason.NOTHING_TO_REDEAL: "There is no round now to deal again.",
        RefusalReason.ALL_LEAVE: "Somebody has to stay at the table.",
        RefusalReason.ANOTHERS_TURN: "It is {to_move}'s turn.",
        RefusalReason.ANOTHERS_ANSWER: "It is {to_move}'s turn.",
        RefusalReason.OPENED_ALREADY: "It is another seat's turn.",
        RefusalReason.TILE_NOT_HELD: "{lack} {tile}.",
        RefusalReason.DOUBLE_NOT_HELD: "{lack} {tile}.",
        RefusalReason.TILE_NOT_THERE: "{lack} {tile}.",
        RefusalReason.TILE_NOT_DRAWN: "{lack} {tile}.",
        RefusalReason.TILE_NOT_PAID: "{lack} {tile}.",
        RefusalReason.NO_TRAIN: "There is no such train at this table.",
        RefusalReason.NOT_STARTED_YET: "You may not start {train} yet.",
        RefusalReason.DOUBLE_OWED: "You must cover {double} on {train} first.",
        RefusalReason.SECOND_DOUBLE: "You must cover {double} on {train} first.",
        RefusalReason.OWN_TRAIN_FIRST: "Start your own train before you play anywhere else.",
        RefusalReason.FIRST_TURN: "In the first turn of a round you play on your own train only.",
        RefusalReason.PRIVATE_TRAIN: "{train} is private: its marker is not up.",
        RefusalReason.START_NOT_HELD: "{train} is private: its marker is not up.",
        RefusalReason.END_MISMATCH: "{tile} does not fit: {train} {needs}.",
        RefusalReason.TILE_PLAYABLE: "You can play {tile}, so you may not draw or pass.",
        RefusalReason.COVER_HELD: "You can play the cover you hold, so you may not draw or pass.",
        RefusalReason.CHAIN_HELD: "You can play {tile}, so you may not draw or pass.",
        RefusalReason.LAST_PLAY_HELD: "You can play {tile}, so you may not draw or pass.",
        RefusalReason.MUST_DRAW: "Draw a tile before you pass.",
        RefusalReason.ALREADY_DRAWN: "You have drawn a tile for this already: play it or pass.",
        RefusalReason.DRAWN_AND_LOST: "You have drawn a tile for this already: pass.",
        RefusalReason.BONEYARD_EMPTY: "The boneyard is empty: there is nothing to draw.",
        RefusalReason.WRONG_ENGINE: "{tile} is not the double asked for, or was the engine before.",
        RefusalReason.HIGHER_HELD: "You have a higher double: {tile}.",
        RefusalReason.DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
        RefusalReason.FOUND_DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
        RefusalReason.CHAIN_ENDS_DOUBLE: "You may not end an opening with a double here.",
        RefusalReason.HUB_NO_DOUBLE: "{tile} cannot be the engine: it is no double of this set.",
        RefusalReason.HUB_USED_BEFORE: "{tile} has been the engine of an earlier round.",
        RefusalReason.HUB_DEALT: "{tile} is the engine, so it cannot be in a hand or in the "
        "boneyard.",
        RefusalReason.TILE_NOT_IN_SET: "{tile} is not in this set.",
        RefusalReason.TILE_TWICE: "{tile} is written down twice.",
        RefusalReason.TOO_FEW_TILES: "The set does not have as many tiles as these hands need.",
        RefusalReason.ROUND_NOT_OVER: "A new round begins before the last one is over.",
        RefusalReason.GAME_OVER: "A new round begins after the last round of the game.",
        RefusalReason.SEATED_ALREADY: "{seat} has a seat already.",
        RefusalReason.LEFT_ALREADY: "{seat} has left the game before.",
        RefusalReason.NOBODY_STAYS: "Somebody has to stay at the table.",
        RefusalReason.SEAT_HAS_LEFT: "{seat} has left the game, so gets no hand and does not play "
        "first.",
        RefusalReason.UNKNOWN_PRESET: "There is no rule set {preset}; {hint}",
        RefusalReason.UNKNOWN_SWITCH: "There is no switch {switch}; {hint}",
        RefusalReason.UNKNOWN_VALUE: "The switch {switch} cannot be {value}; it can be: {hint}.",
        RefusalReason.CLASH: "The switches {one} and {other} exclude each other: {reason}.",
        RefusalReason.SET_UNKNOWN: "There is no double-{set} set; the sets are 6, 9, 12, 15 and "
        "18 (set).",
        RefusalReason.SEATS_OUT_OF_RANGE: "A table seats {least} to {most}, not {seats} (seats).",
        RefusalReason.ROUNDS_OUT_OF_RANGE: "With this set and these rules a game has 1 to {most} "
        "rounds, not {rounds} (rounds).",
        RefusalReason.DEAL_UNLISTED: "These rules name no deal for {seats} seats with "
        "double-{set}: choose another set, or give a number of tiles up to {most} (deal).",
        RefusalReason.DEAL_OUT_OF_RANGE: "{hand} tiles for each of {seats} seats do not come out "
        "of {tiles}: at most {most} (deal).",
        RefusalReason.PARTNER_SEATS: "The switch partners=yes needs 4, 6 or 8 seats, so that every "
        "seat has an opposite one; {seats} seats do not (partners, seats).",
    }
)


def refusal_sentence(refusal: Refusal, names: Sequence[str] = (), you: Seat | None = None) -> str:
    """Say why a move, or a table, is refused; `you` is the reader's seat, if any."""
    facts = dict(refusal.facts) | _named(refusal, names, you) | {"hint": _hint(refusal)}
    text = _SENTENCES[refusal.reason].format_map(facts)
    return text[:1].upper() + text[1:]


def _hint(refusal: Refusal) -> str:
    """What there is instead of a word that the rules do not know."""
    facts = {name: str(value) for name, value in refusal.facts}
    known = facts.get("known", "").split()
    match refusal.reason:
        case RefusalReason.UNKNOWN_PRESET:
            return _near(facts["preset"], known) or f"there is: {', '.join(known)}."
        case RefusalReason.UNKNOWN_SWITCH:
            return _near(facts["switch"], known) or "see: boneyard rules."
        case RefusalReason.UNKNOWN_VALUE:
            number = " or a number" if SWITCHES[facts["switch"]].numbers else ""
            return f"{', '.join(known)}{number}"
        case _:
            return ""


def _near(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else ""


def _named(refusal: Refusal, names: Sequence[str], you: Seat | None) -> dict[str, str]:
    """The facts of a refusal with names in place of numbers, and something for each unknown one."""
    facts = dict(refusal.facts)
    ends = dict.fromkeys(str(value) for fact, value in refusal.facts if fact == "pip")

    def tile(fact: str) -> str:
        found = facts.get(fact)
        return tile_text(found) if isinstance(found, Tile) else "that tile"

    def seat(fact: str) -> str:
        found = facts.get(fact)
        known = isinstance(found, int) and 0 <= found < len(names)
        return names[found] if isinstance(found, int) and known else "another seat"

    return {
        "tile": tile("tile"),
        "double": tile("double"),
        "seat": seat("seat"),
        "to_move": seat("to_move"),
        "train": _train(facts.get("train", -1), names, you),
        "needs": f"needs a {' or '.join(ends)}" if ends else "takes no tile any more",
        "lack": "That hand does not hold" if you is None else "You don't have",
    }


def _train(named: object, names: Sequence[str], you: Seat | None) -> str:
    """Return `your train`, `Ann's train` or `the Mexican train`; written games name any word."""
    if not isinstance(named, int):
        return f"the train {named}"
    if named == you:
        return "your train"
    if named < 0:
        return "the Mexican train"
    return f"{names[named]}'s train" if named < len(names) else f"train {named + 1}"


_OUT: Final = "A round is over when somebody has played their last tile."
_TURNS: Final = "Turns go clockwise; in a turn you play a tile, draw, or pass."
_HUB: Final = "The double asked for goes into the hub, if you hold it and nobody has used it."
_ENDS: Final = (
    "A tile you hold joins an open end with the same number, on your own train or on any train "
    "that is open to all."
)
_LEAVERS: Final = "A seat leaves for good between two plays, and somebody stays."
_TABLE: Final = "A game is played at a table that its rules allow, with each tile of the set once."

_RULES: Final[Mapping[RefusalReason, str]] = MappingProxyType(
    {
        RefusalReason.ROUND_OVER: _OUT,
        RefusalReason.NO_PASS: _TURNS,
        RefusalReason.NOT_DONE: _TURNS,
        RefusalReason.ANOTHERS_TURN: _TURNS,
        RefusalReason.TILE_NOT_HELD: _ENDS,
        RefusalReason.PRIVATE_TRAIN: _ENDS,
        RefusalReason.END_MISMATCH: _ENDS,
        RefusalReason.DOUBLE_NOT_HELD: _HUB,
        RefusalReason.WRONG_ENGINE: _HUB,
        RefusalReason.HIGHER_HELD: _HUB,
        RefusalReason.TILE_PLAYABLE: "If you can play a tile, you must.",
        RefusalReason.START_NOT_HELD: "You may play on a public train in your first turn only if "
        "you could start yours.",
        RefusalReason.HAS_LEFT: _LEAVERS,
        RefusalReason.LEFT_BEFORE_PLAY: _LEAVERS,
        RefusalReason.LEFT_AMID_PLAY: _LEAVERS,
        RefusalReason.NOTHING_TO_REDEAL: _LEAVERS,
        RefusalReason.ALL_LEAVE: _LEAVERS,
    }
)
"""The rule of each reason that no switch decides; `_TABLE` is that of an impossible table."""


def rule_sentence(refusal: Refusal, rules: RuleSet) -> str:
    """Say the rule that a move breaks, and where it is written."""
    reason = refusal.reason
    if reason.switch is None:
        rule = _RULES.get(reason, _TABLE)
    else:
        rule = getattr(rules, SWITCHES[reason.switch].field).sentence
    return f"{rule} See docs/rules.md {reason.section}."
