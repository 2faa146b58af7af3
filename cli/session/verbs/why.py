"""The verb `why`: it explains the rule behind a move or the last refusal, and plays nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cli.input.asking import without_asking
from cli.input.lexer import Words, heard
from cli.input.readers import UsageError, begins_tile
from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    TileByTile,
    only_watches,
    resolve,
)
from cli.language import say
from cli.session.answers import explanation
from cli.session.frontend import explain
from cli.session.until import OnChange, Until
from cli.session.verbs.play import read_move
from cli.session.verbs.verb import Ask, Read, TableVerb
from cli.wording.moves import move_text
from cli.wording.refusals import rule_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.scene import Scene
    from cli.session.session import Session
    from engine.refusals import Refusal


class Why(Ask, frozen=True):
    """Ask which rule `move` would break.

    If `move` is None, ask about the player's last refused move or last pass instead.
    """

    move: MoveIntent | None
    until: ClassVar = Until.ROUND_ENDS
    on_change: ClassVar = OnChange.RENEWS

    async def do(self, session: Session) -> None:
        """Explain the rule and play nothing; before the game, only say that it has not begun."""
        scene = await session.table_in_play()
        if scene is None:
            return
        text = self._of_last(session, scene) if self.move is None else _judged(self.move, scene)
        explain(session.front, text)

    def _of_last(self, session: Session, scene: Scene) -> str:
        said, refused = session.moves.draws.own_pass or ("", session.moves.refused)
        if refused is not None:
            return f"{said} {_rule_of(refused, scene)}".lstrip()
        if not scene.sits:
            return only_watches().hint
        return say("No move was refused in this round. Ask about one, such as: why 9-4 ben.")


def _judged(move: MoveIntent, scene: Scene) -> str:
    """Return a sentence saying that the move is legal, which rule it breaks, or what is unclear."""
    found = resolve(move, scene)
    if isinstance(found, Doubtful):
        found = found.move
    if isinstance(found, TileByTile):
        found = found.chain
    if not isinstance(found, Ambiguous | NotFound | NotLegal):
        text = "Legal: {move}. Type hint to compare it with the best."
        return say(text, move=move_text(scene, found))
    if not isinstance(found, NotLegal):
        return explanation(found, scene)
    return f"{explanation(found, scene)} {_rule_of(found.refusal, scene)}"


def _rule_of(refusal: Refusal, scene: Scene) -> str:
    """Return the rule that a move breaks, and how to read its section."""
    rule = rule_sentence(refusal, scene.table.rules)
    text = "{rule} Type rules {number} to read it."
    return say(text, rule=rule, number=refusal.reason.section.removeprefix("§"))


def read_why(words: Words, find_verb: Callable[[str], object]) -> Read:
    """Read the move that is asked about, with or without its own verb.

    `find_verb` returns the verb that a word names. Return `Why(None)` if no move was typed, or a
    `UsageError` for a word that is not a move.
    """
    words = without_asking(words)
    if not words:
        return Why(None)
    first = words[0]
    if begins_tile(first):
        found: Read = read_move(words)
    else:
        verb = find_verb(heard(first))
        if not isinstance(verb, TableVerb) or not verb.makes:
            return UsageError(say("{word} is not a move; ask such as: why 9-4 ben", word=first))
        found = verb.read(words[1:], first)
    return Why(found) if isinstance(found, MoveIntent) else found
