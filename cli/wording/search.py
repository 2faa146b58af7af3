"""The search for the engine in brief, one sentence per question.

Every seat answers each question, and mostly with no; a person wants to hear only the outcome.
"""

from cli.language import say
from cli.scene import Scene, tile_text
from cli.wording.events import events_text
from engine.rules.switches import Engine
from engine.table.events import HubLaid, NothingHeld, TileDenied, TileDrawn, TileShown
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, SeekStep
from netgame.protocol import notices


class Search:
    """Collects the answers to the present question, so that they make one sentence."""

    def __init__(self) -> None:
        self._going_on = False
        self._question: EngineSearch | None = None
        self._claims: dict[Seat, bool] = {}

    def told(self, scene: Scene | None, notice: notices.Notice, sentence: str) -> str:
        """Return the text for a notice: its sentence, the outcome of a question, or nothing.

        Call it for every notice in order.
        """
        if isinstance(notice, notices.Dealt):
            self._going_on = scene is not None and scene.table.hub is None
            self._claims.clear()
        if self._going_on and isinstance(notice, notices.Played) and scene is not None:
            sentence = self._in_search(scene, notice, sentence)
        if not self._claims:
            # the answers of one step come together, after the table has moved to the next
            now = scene.table.now if scene is not None else None
            self._question = now if isinstance(now, EngineSearch) else None
        return sentence

    def _answered(self, scene: Scene, seat: Seat, *, claims: bool = True) -> tuple[bool, ...]:
        """Note a seat's answer; after the last one, return all answers and forget them.

        Return () if other seats have yet to answer.
        """
        self._claims[seat] = claims
        if len(self._claims) < len(scene.table.present):
            return ()
        found, self._claims = tuple(self._claims.values()), {}
        return found

    def _in_search(self, scene: Scene, notice: notices.Played, sentence: str) -> str:
        if any(isinstance(event, HubLaid) for event in notice.events):
            self._going_on = False
            return sentence
        if any(isinstance(event, TileShown) for event in notice.events):
            # the others have denied that tile, so the next question is a new one
            self._claims.clear()
            self._going_on = scene.table.hub is None
            return sentence
        all_draw = self._question is not None and self._question.step is SeekStep.ALL_DRAW
        match notice.events:
            case (NothingHeld() | TileDenied() as answer, *rest):
                outcome = self._denied(scene, answer)
                return " ".join(filter(None, (outcome, events_text(scene, rest))))
            case (TileDrawn(seat=seat),) if all_draw:
                # the last draw speaks for all
                return say("Everybody draws a tile.") if self._answered(scene, seat) else ""
            case _:
                return sentence

    def _denied(self, scene: Scene, answer: NothingHeld | TileDenied) -> str:
        """Note an answer; return the outcome after the last one, else "".

        If only one seat is asked, return "" and note nothing.
        """
        question = self._question
        if question is None or question.step in (SeekStep.DRAWN, SeekStep.LOOKED):
            return ""
        claimed = isinstance(answer, TileDenied) or answer.claimed
        claims = self._answered(scene, answer.seat, claims=claimed)
        return _outcome(scene, question, all_claim=all(claims)) if claims else ""


def _outcome(scene: Scene, question: EngineSearch, *, all_claim: bool) -> str:
    """Return the outcome of a question that all have answered. [docs/rules.md §1.6, §1.7]"""
    stocked = bool(scene.table.boneyard)
    match question.step:
        case SeekStep.IN_TURN:
            return say("Nobody has a double that may be the engine.")
        case SeekStep.CLAIM if all_claim:
            text = "Nobody holds a double that may be the engine."
            if stocked:
                text = (
                    "Nobody holds a double that may be the engine: players turn up tiles of the "
                    "boneyard."
                )
            return say(text)
        case SeekStep.CLAIM:
            text = "Somebody keeps silent: the highest double must be played."
            if stocked:
                text = "Somebody keeps silent: players look through the boneyard."
            return say(text)
        case step:
            declared = step is SeekStep.ASK and scene.table.rules.engine is Engine.DECLARED
            text = "Nobody declares {tile}." if declared else "Nobody has {tile}."
            return say(text, tile=tile_text(question.asked[0]))
