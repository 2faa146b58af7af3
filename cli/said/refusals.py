"""Every refusal, fault check and problem of a choice of rules as one sentence.

Codes are stable text; sentences live here and in `cli.said.events` only. Each enumeration ends in
`assert_never`, so that a new member without a sentence does not pass the type checker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final, assert_never

from cli.scene import tile_text
from engine.play.legality import Refusal, RefusalReason
from engine.rules.choose import RuleProblem, RuleProblemCode
from engine.rules.spec import SpecProblem, SpecProblemCode
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.protocol.log.fault import CheckCode

_SETS: Final = "6, 9, 12, 15 and 18"

_SENTENCES: Final[Mapping[RefusalReason, str]] = {
    RefusalReason.ROUND_OVER: "Nothing can be played now: the round is over.",
    RefusalReason.NO_DRAW: "Nobody draws here: pass, or type done.",
    RefusalReason.NO_PASS: "You cannot pass here: type done.",
    RefusalReason.NOT_DONE: "A word does not end this turn: play, draw or pass.",
    RefusalReason.NO_CHAIN: "Several tiles in one line are for an opening or a bullet train: "
    "play one at a time.",
    RefusalReason.NO_BULLET: "You cannot play a bullet train now.",
    RefusalReason.TILE_LOST: "You may play nothing more there in this turn.",
    RefusalReason.LAID_ENOUGH: "You may play nothing more there in this turn.",
    RefusalReason.COVER_DRAWN: "Only a tile that you held before this turn may cover a second "
    "double.",
    RefusalReason.DOUBLE_ALONE: "You may play that double only together with the tile that "
    "covers it.",
    RefusalReason.LAST_DOUBLE: "A double may not be your last tile here, as long as others fit it.",
    RefusalReason.MARKER_NOT_UP: "You cannot leave your marker up: the rules must allow it, and "
    "you must play a tile.",
    RefusalReason.MARKER_NOT_DOWN: "Only a marker that you left up yourself can be taken down by "
    "a word.",
    RefusalReason.NO_TAP: "Nobody has to announce a last tile now.",
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
    RefusalReason.LEFT_AMID_PLAY: "A seat leaves before a play or after it: the play that was "
    "begun comes first.",
    RefusalReason.NOTHING_TO_REDEAL: "There is no round now that could be dealt again.",
    RefusalReason.ALL_LEAVE: "Somebody has to stay at the table.",
    RefusalReason.ANOTHERS_TURN: "It is {to_move}'s turn.",
    RefusalReason.ANOTHERS_ANSWER: "It is {to_move}'s turn.",
    RefusalReason.OPENED_ALREADY: "It is another seat's turn.",
    RefusalReason.TILE_NOT_HELD: "That hand does not hold {tile}.",
    RefusalReason.DOUBLE_NOT_HELD: "That hand does not hold {tile}.",
    RefusalReason.TILE_NOT_THERE: "That hand does not hold {tile}.",
    RefusalReason.TILE_NOT_DRAWN: "That hand does not hold {tile}.",
    RefusalReason.TILE_NOT_PAID: "That hand does not hold {tile}.",
    RefusalReason.NO_TRAIN: "There is no such train at this table.",
    RefusalReason.NOT_STARTED_YET: "{train} may not be started yet.",
    RefusalReason.DOUBLE_OWED: "The double {double} on {train} must be covered before anything "
    "else.",
    RefusalReason.SECOND_DOUBLE: "The double {double} on {train} must be covered before anything "
    "else.",
    RefusalReason.OWN_TRAIN_FIRST: "Start your own train before you play anywhere else.",
    RefusalReason.FIRST_TURN: "In the first turn of a round you play on your own train only.",
    RefusalReason.PRIVATE_TRAIN: "{train} is private: its marker is not up.",
    RefusalReason.START_NOT_HELD: "{train} is private: its marker is not up.",
    RefusalReason.END_MISMATCH: "{tile} does not fit: {train} {needs}.",
    RefusalReason.TILE_PLAYABLE: "{tile} can be played, so you may not draw or pass.",
    RefusalReason.COVER_HELD: "{tile} can be played, so you may not draw or pass.",
    RefusalReason.CHAIN_HELD: "{tile} can be played, so you may not draw or pass.",
    RefusalReason.LAST_PLAY_HELD: "{tile} can be played, so you may not draw or pass.",
    RefusalReason.MUST_DRAW: "Draw a tile before you pass.",
    RefusalReason.ALREADY_DRAWN: "You have drawn a tile for this already: play it or pass.",
    RefusalReason.DRAWN_AND_LOST: "You have drawn a tile for this already: play it or pass.",
    RefusalReason.BONEYARD_EMPTY: "The boneyard is empty: there is nothing to draw.",
    RefusalReason.WRONG_ENGINE: "That is not the engine of this round, or it was the engine "
    "before.",
    RefusalReason.HIGHER_HELD: "That is not the engine of this round, or it was the engine before.",
    RefusalReason.DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
    RefusalReason.FOUND_DOUBLE_KEPT: "You must declare that double: you may not keep silent.",
    RefusalReason.CHAIN_ENDS_DOUBLE: "An opening chain may not end on a double under these rules.",
    RefusalReason.HUB_NO_DOUBLE: "{tile} cannot be the engine: it is no double of this set.",
    RefusalReason.HUB_USED_BEFORE: "{tile} has been the engine of an earlier round.",
    RefusalReason.HUB_DEALT: "{tile} is the engine, so it cannot be in a hand or in the boneyard.",
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
}
"""Every reason but those of `RuleProblemCode` and `SpecProblemCode`, which have their own."""


class _Facts:
    """The facts of a refusal, with names in place of numbers."""

    def __init__(self, refusal: Refusal, names: Sequence[str], you: Seat | None) -> None:
        self._facts = refusal.facts
        self._names = names
        self._you = you

    def number(self, name: str, missing: int = 0) -> int:
        """Return a fact that is a number."""
        found = [value for key, value in self._facts if key == name]
        return found[0] if found and isinstance(found[0], int) else missing

    def text(self, name: str) -> str:
        """Return a fact as text, empty if it is not there."""
        found = [value for key, value in self._facts if key == name]
        return str(found[0]) if found else ""

    def tile(self, name: str) -> str:
        """Return a tile as it is written, or `it`."""
        found = [value for key, value in self._facts if key == name]
        return tile_text(found[0]) if found and isinstance(found[0], Tile) else "it"

    def pips(self) -> str:
        """Return the open ends as `4` or `4 or 7`."""
        found = [str(value) for key, value in self._facts if key == "pip"]
        return " or ".join(dict.fromkeys(found))

    def seat(self, name: str) -> str:
        """Return the name of a seat, or `another seat`."""
        seat = self.number(name, -1)
        return self._names[seat] if 0 <= seat < len(self._names) else "another seat"

    def train(self) -> str:
        """Return `your train`, `Ann's train` or `the Mexican train`."""
        named = self.text("train")
        if not named.lstrip("-").isdigit():
            return "the Mexican train" if named in ("", "mexican") else f"the train {named}"
        train = int(named)
        if train == self._you:
            return "your train"
        if 0 <= train < len(self._names):
            return f"{self._names[train]}'s train"
        return "the Mexican train" if train < 0 else f"train {train + 1}"


def refusal_sentence(refusal: Refusal, names: Sequence[str], you: Seat | None = None) -> str:
    """Say in one sentence which rule a move breaks; `you` is the reader's seat, if any."""
    name = refusal.reason.name
    if name in RuleProblemCode.__members__:
        words = tuple((fact, str(value)) for fact, value in refusal.facts)
        return rule_problem_sentence(RuleProblem(RuleProblemCode[name], words))
    if name in SpecProblemCode.__members__:
        numbers = tuple((fact, value) for fact, value in refusal.facts if isinstance(value, int))
        return spec_problem_sentence(SpecProblem(SpecProblemCode[name], "", numbers))
    facts = _Facts(refusal, names, you)
    ends = facts.pips()
    text = _SENTENCES[refusal.reason].format(
        tile=facts.tile("tile"),
        double=facts.tile("double"),
        train=facts.train(),
        seat=facts.seat("seat"),
        to_move=facts.seat("to_move"),
        needs=f"needs a {ends}" if ends else "takes no tile any more",
    )
    return text[:1].upper() + text[1:]


def rule_problem_sentence(problem: RuleProblem) -> str:
    """Say why there are no such rules, and what there is."""
    facts = dict(problem.facts)
    match problem.code:
        case RuleProblemCode.UNKNOWN_PRESET:
            near = get_close_matches(facts["preset"], facts["known"].split(), 1)
            known = f"there is: {', '.join(facts['known'].split())}."
            hint = f"did you mean {near[0]}?" if near else known
            return f"There is no rule set {facts['preset']}; {hint}"
        case RuleProblemCode.UNKNOWN_SWITCH:
            near = get_close_matches(facts["switch"], facts["known"].split(), 1)
            hint = f"did you mean {near[0]}?" if near else "see: boneyard rules."
            return f"There is no switch {facts['switch']}; {hint}"
        case RuleProblemCode.UNKNOWN_VALUE:
            known = ", ".join(facts["known"].split())
            number = " or a number" if facts["switch"] == "deal" else ""
            switch, value = facts["switch"], facts["value"]
            return f"The switch {switch} cannot be {value}; it can be: {known}{number}."
        case RuleProblemCode.CLASH:
            one, other = facts["one"], facts["other"]
            return f"The switches {one} and {other} exclude each other: {facts['reason']}."
    assert_never(problem.code)


def spec_problem_sentence(problem: SpecProblem) -> str:
    """Say why a table cannot be made, which option is the cause, and what would do."""
    facts = dict(problem.facts)
    match problem.code:
        case SpecProblemCode.SET_UNKNOWN:
            return f"There is no double-{facts['set']} set; the sets are {_SETS} (set)."
        case SpecProblemCode.SEATS_OUT_OF_RANGE:
            return (
                f"A table seats {facts['least']} to {facts['most']}, not {facts['seats']} (seats)."
            )
        case SpecProblemCode.ROUNDS_OUT_OF_RANGE:
            return (
                f"With this set and these rules a game has 1 to {facts['most']} rounds, "
                f"not {facts['rounds']} (rounds)."
            )
        case SpecProblemCode.DEAL_UNLISTED:
            return (
                f"These rules name no deal for {facts['seats']} seats with double-{facts['set']}: "
                f"choose another set, or give a number of tiles up to {facts['most']} (deal)."
            )
        case SpecProblemCode.DEAL_OUT_OF_RANGE:
            return (
                f"{facts['hand']} tiles for each of {facts['seats']} seats do not come out of "
                f"{facts['tiles']}: at most {facts['most']} (deal)."
            )
        case SpecProblemCode.PARTNER_SEATS:
            return (
                f"partners=yes needs 4, 6 or 8 seats, so that every seat has an opposite one; "
                f"{facts['seats']} seats do not (partners, seats)."
            )
    assert_never(problem.code)


def check_sentence(check: CheckCode) -> str:  # noqa: C901 - one branch a check
    """Say what a peer did wrong whose entry fails this check."""
    match check:
        case CheckCode.SIZE:
            return "It sent something longer than anything honest is."
        case CheckCode.CANONICAL:
            return "It sent something that is not written in the one allowed way."
        case CheckCode.TABLE:
            return "It wrote about another table."
        case CheckCode.AUTHOR:
            return "It wrote under a seat that does not exist."
        case CheckCode.SIGNATURE:
            return "It passed on an entry whose signature does not fit."
        case CheckCode.FORK:
            return "It signed two different entries for one and the same step."
        case CheckCode.LINK:
            return "It continued a history that is not this table's."
        case CheckCode.TURN:
            return "It wrote when it was not its turn to write."
        case CheckCode.KIND:
            return "It wrote something that was not due."
        case CheckCode.SHAPE:
            return "It wrote something that does not hold together."
        case CheckCode.RULES:
            return "It made a move that the rules forbid."
        case CheckCode.PROOF:
            return "It claimed something about its tiles and could not prove it."
        case CheckCode.SHUFFLE:
            return "It did not just shuffle: its deck has other tiles than it was given."
        case CheckCode.AUDIT:
            return "Its opened hand contradicts what it claimed in the round."
    assert_never(check)
