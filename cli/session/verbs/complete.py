"""Completion with Tab: a function from the text before the cursor to completions.

It offers only moves that are legal now, so that picking one never ends in a refusal. It needs no
terminal; `cli.screens.keys` hands the result to prompt-toolkit.
"""

import re
from typing import NamedTuple

from cli.input.lexer import Words, plain_words
from cli.input.readers import begins_tile
from cli.language import say
from cli.scene import CompletionContext, LobbyScene, Scene, possible
from cli.session.verbs.lobby import offer_settings
from cli.session.verbs.play import after_tile, places, tiles
from cli.session.verbs.table import VERBS, WHY, find_verb, words_of
from cli.session.verbs.verb import Offers, TableVerb
from cli.visible import folded
from cli.wording.rulebook import sections_offered


class Completion(NamedTuple):
    """A text to replace the last `length` characters before the cursor; `meta` explains it."""

    text: str
    length: int
    meta: str


def complete(line: str, place: CompletionContext) -> tuple[Completion, ...]:
    """Return the completions of a line up to the cursor; none if `place` is None, as in a menu."""
    if place is None:
        return ()
    scene = place if isinstance(place, Scene) else None
    *_, typing = ("", *re.split(r"\s", line))
    before = words_of(line[: len(line) - len(typing)])
    if not before:
        typing = typing.lstrip("/:")
        found = places(scene) if not typing else []
        found = found or [*tiles(scene, typing), *_verbs(place)]
        found += offer_settings(place, before, typing)
    elif begins_tile((tiled := plain_words(before))[0]):
        found = after_tile(scene, tiled, typing)
    else:
        found = _arguments(place, scene, before, typing)
    begun = folded(typing)
    return tuple(
        Completion(text, len(typing), meta)
        for text, meta in found
        if folded(text).startswith(begun)
    )


def _arguments(place: CompletionContext, scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer words to follow a verb and its words so far; nothing if the verb is of no use now."""
    if settings := offer_settings(place, before, typing):
        return settings
    verb, rest = find_verb(before[0]), plain_words(before[1:])
    if place is None or not isinstance(verb, TableVerb) or verb.word not in usable_words(place):
        return []
    if verb is not WHY:
        return [*verb.offers(scene, rest, typing), *verb.offers_there(place, rest)]
    if not rest:
        can_ask = [*tiles(scene, typing), *_verbs(scene, moves_only=True)]
        return [*can_ask, *sections_offered("§")]
    if begins_tile(rest[0]):
        return after_tile(scene, rest, typing)
    asked = find_verb(rest[0])
    moves = isinstance(asked, TableVerb) and bool(asked.makes)
    return _arguments(place, scene, rest, typing) if moves else []


def usable_words(place: CompletionContext) -> frozenset[str]:
    """Return the English words of the verbs that mean something at this place now."""
    return frozenset(verb.word for verb in _usable(place))


def _verbs(place: CompletionContext, *, moves_only: bool = False) -> Offers:
    """Offer the verbs that mean something now; with `moves_only`, only those that are moves."""
    return [
        (verb.called, say(verb.sentence)) for verb in _usable(place) if verb.makes or not moves_only
    ]


def _usable(place: CompletionContext) -> list[TableVerb]:
    """Return the verbs that mean something now.

    A verb for a move is included only while such a move is legal.
    """
    if place is None:
        return []
    hosts = place.view.is_host if isinstance(place, LobbyScene) else place.door is not None
    made = {type(move) for move in possible(place)} if isinstance(place, Scene) else set()
    return [
        each
        for each in VERBS
        if each.where.is_now(playing=isinstance(place, Scene), hosts=hosts)
        if made.intersection(each.makes) or not each.makes
        if each.is_of_use(place)
    ]
