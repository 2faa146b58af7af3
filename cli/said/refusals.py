"""Every refusal, fault check and problem of a choice of rules as one sentence.

Codes are stable text; sentences live here and in `cli.said.events` only. Each enumeration ends in
`assert_never`, so that a new member without a sentence does not pass the type checker.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, assert_never

from cli.scene import tile_text
from engine.play.legality import Refusal, RefusalCode
from engine.rules.choose import RuleProblem, RuleProblemCode
from engine.rules.spec import SpecProblem, SpecProblemCode
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.protocol.log.fault import CheckCode

_SETS: Final = "6, 9, 12, 15 and 18"

_HEADER_PROBLEMS: Final = {
    "round-not-over": "a new round begins before the last one is over",
    "game-over": "a new round begins after the last round of the game",
    "hub-no-double": "{tile} cannot be the engine: it is no double of this set",
    "hub-used-before": "{tile} has been the engine of an earlier round",
    "tile-not-in-set": "{tile} is not in this set",
    "hub-dealt": "{tile} is the engine, so it cannot be in a hand or in the boneyard",
    "tile-twice": "{tile} is written down twice",
    "too-few-tiles": "the set does not have as many tiles as these hands need",
    "seated-already": "{seat} has a seat already",
    "left-before": "{seat} has left the game before",
    "nobody-stays": "somebody has to stay at the table",
    "has-left": "{seat} has left the game, so gets no hand and does not play first",
}
"""Why a written header makes no table, by the code in its facts."""


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
    facts = _Facts(refusal, names, you)
    match refusal.code:
        case RefusalCode.NOT_YOUR_TURN:
            return f"It is {facts.seat('to_move')}'s turn."
        case RefusalCode.NOT_YOUR_TILE:
            return f"That hand does not hold {facts.tile('tile')}."
        case RefusalCode.NO_SUCH_TRAIN:
            return _no_such_train(refusal, facts)
        case RefusalCode.OWED_DOUBLE:
            where = f"{facts.tile('double')} on {facts.train()}"
            return f"The double {where} must be covered before anything else."
        case RefusalCode.OWN_TRAIN_FIRST:
            return "Start your own train before you play anywhere else."
        case RefusalCode.TRAIN_CLOSED:
            return _closed(refusal, facts)
        case RefusalCode.END_MISMATCH:
            ends = facts.pips()
            needs = f"needs a {ends}" if ends else "takes no tile any more"
            return f"{_begin(facts.tile('tile'))} does not fit: {facts.train()} {needs}."
        case _:
            return _turn_sentence(refusal, facts)


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _no_such_train(refusal: Refusal, facts: _Facts) -> str:
    if refusal.rule.endswith("§4.2"):
        return f"{_begin(facts.train())} may not be started yet."
    return "There is no such train at this table."


def _closed(refusal: Refusal, facts: _Facts) -> str:
    if refusal.rule.endswith("§3.1"):
        return "In the first turn of a round you play on your own train only."
    return f"{_begin(facts.train())} is private: its marker is not up."


def _turn_sentence(refusal: Refusal, facts: _Facts) -> str:  # noqa: C901 - one branch a code
    match refusal.code:
        case RefusalCode.NOT_ALLOWED:
            return _not_allowed(facts)
        case RefusalCode.PLAYABLE_TILE:
            return f"{_begin(facts.tile('tile'))} can be played, so you may not draw or pass."
        case RefusalCode.MUST_DRAW:
            return "Draw a tile before you pass."
        case RefusalCode.ALREADY_DRAWN:
            return "You have drawn a tile for this already: play it or pass."
        case RefusalCode.BONEYARD_EMPTY:
            return "The boneyard is empty: there is nothing to draw."
        case RefusalCode.WRONG_ENGINE:
            return "That is not the engine of this round, or it was the engine before."
        case RefusalCode.MUST_DECLARE:
            return "You must declare that double: you may not keep silent."
        case RefusalCode.CHAIN_ENDS_DOUBLE:
            return "An opening chain may not end on a double under these rules."
        case RefusalCode.IMPOSSIBLE_TABLE:
            return _impossible(refusal, facts)
        case (
            RefusalCode.NOT_YOUR_TURN
            | RefusalCode.NOT_YOUR_TILE
            | RefusalCode.NO_SUCH_TRAIN
            | RefusalCode.OWED_DOUBLE
            | RefusalCode.OWN_TRAIN_FIRST
            | RefusalCode.TRAIN_CLOSED
            | RefusalCode.END_MISMATCH
        ):
            raise AssertionError("said by refusal_sentence")
    assert_never(refusal.code)


def _impossible(refusal: Refusal, facts: _Facts) -> str:
    """Say why a header makes no table; rules and specs have their own sentences."""
    problem = facts.text("problem")
    rest = tuple((name, value) for name, value in refusal.facts if name != "problem")
    if problem in {code.value for code in RuleProblemCode}:
        words = tuple((name, str(value)) for name, value in rest)
        return rule_problem_sentence(RuleProblem(RuleProblemCode(problem), words))
    if problem in {code.value for code in SpecProblemCode}:
        numbers = tuple((name, value) for name, value in rest if isinstance(value, int))
        return spec_problem_sentence(SpecProblem(SpecProblemCode(problem), "", numbers))
    told = _HEADER_PROBLEMS.get(problem, "nobody can play at such a table")
    return f"{_begin(told.format(tile=facts.tile('tile'), seat=facts.seat('seat')))}."


_NOT_NOW: Final = {
    "draw": "Nobody draws here: pass, or type done.",
    "pass": "You cannot pass here: type done.",
    "done": "A word does not end this turn: play, draw or pass.",
    "chain": "Several tiles in one line are for an opening or a bullet train: play one at a time.",
    "bullet": "You cannot play a bullet train now.",
    "lay": "You may play nothing more there in this turn.",
    "drawn cover": "Only a tile that you held before this turn may cover a second double.",
    "last double": "A double may not be your last tile here, as long as others fit it.",
    "double alone": "You may play that double only together with the tile that covers it.",
    "open": "You cannot leave your marker up: the rules must allow it, and you must play a tile.",
    "close": "Only a marker that you left up yourself can be taken down by a word.",
    "tap": "Nobody has to announce a last tile now.",
    "catch": "There is nobody to catch now.",
    "quiet": "There is nothing to call now.",
    "layhub": "Nobody asks for a double now.",
    "engine": "Nobody asks for a double now.",
    "nodouble": "Nobody asks for a double now.",
    "none": "Nobody asks for a double now.",
    "declare": "You cannot declare a double now.",
    "declares": "You cannot declare a double now.",
    "silent": "Nobody is asked to declare now.",
    "turnup": "You cannot look at a tile of the boneyard now.",
    "turns": "You cannot look at a tile of the boneyard now.",
    "discard": "You cannot put a tile back now.",
    "discards": "You cannot put a tile back now.",
    "pull": "You cannot pull a tile now.",
    "pulls": "You cannot pull a tile now.",
    "laytile": "Nobody plays a tile before the engine is found.",
    "laychain": "Nobody plays a tile before the engine is found.",
    "drawtile": "Nobody draws now: the double is asked for first.",
    "leaves": "No turn has begun yet, so the round cannot go on: write `leaves redeal`.",
    "leaves redeal": "There is no round now that could be dealt again.",
    "leaves amid": "A seat leaves before a play or after it: the play that was begun comes first.",
    "leave all": "Somebody has to stay at the table.",
}
"""Why an action is not to be done now, by its word or the name of the move."""


def _not_allowed(facts: _Facts) -> str:
    if facts.text("phase"):
        return "Nothing can be played now: the round is over."
    if facts.text("left"):
        return f"{facts.seat('left')} has left the game for good."
    action = facts.text("action")
    known = _NOT_NOW.get(action.lower())
    return known or f"These rules do not allow {action or 'that'} now."


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
