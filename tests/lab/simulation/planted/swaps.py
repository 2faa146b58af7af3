"""Planted bugs: attributes of classes and modules, and their temporary replacements.

A bug that shows only because its patch does not fit the code proves nothing. So a patch must accept
every call that the replaced function accepts, and a game must not crash in the patch itself:
otherwise the bug is badly planted, however soon it is "found".
"""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any, Final

Swap = tuple[type | ModuleType, str, Any]
"""A class or module, the name of one of its attributes, and the wrong value."""
Bug = Callable[[], list[Swap]]

BUGS: Final[dict[str, Bug]] = {}
"""Every bug by its name, once its module is loaded."""

_SLIPS: Final = ("TypeError", "AttributeError", "NameError", "UnboundLocalError")
"""The errors of code that makes a wrong call, or uses a missing name."""


class BadlyPlanted(Exception):
    """A bug's patch does not fit the code, so the bug is not the one that its name says."""


def bug(name: str, *place: Any) -> Callable[[Any], Any]:
    """Return a decorator that registers a bug under its name.

    The decorated function replaces the attribute that `place` names. If its first parameter is
    `true`, it gets the original there. Without a `place`, it returns the swaps itself.
    """

    def entered(wrong: Any) -> Any:
        BUGS[name] = (lambda: [(*place, _patch(*place, wrong))]) if place else wrong
        return wrong

    return entered


def _patch(where: type | ModuleType, what: str, wrong: FunctionType) -> FunctionType:
    taken = list(inspect.signature(wrong).parameters.values())
    if not taken or taken[0].name != "true":
        return wrong
    true = getattr(where, what)

    @wraps(wrong)
    def patch(*arguments: Any, **named: Any) -> Any:
        return wrong(true, *arguments, **named)

    patch.__signature__ = inspect.Signature(taken[1:])  # type: ignore[attr-defined]
    return patch


def check_fit(swap: Swap) -> None:
    """Raise `BadlyPlanted` unless the wrong value can be used wherever the right one is."""
    where, what, wrong = swap
    right = where.__dict__.get(what)
    if type(right) is not type(wrong):
        raise BadlyPlanted(f"{where.__name__}.{what} is {right!r}, which {wrong!r} is not like")
    if not isinstance(right, FunctionType):
        return
    taken = inspect.signature(wrong)
    for positional, named in _calls(right):
        try:
            taken.bind(*positional, **named)
        except TypeError as problem:
            message = f"{where.__name__}.{what} is called otherwise than its patch: {problem}"
            raise BadlyPlanted(message) from problem


def _calls(right: FunctionType) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Return two calls of a function: with the fewest possible arguments, and with all."""
    each = inspect.signature(right).parameters.values()
    by_place = [p for p in each if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_name = [p for p in each if p.kind is p.KEYWORD_ONLY]

    def call(*, whole: bool) -> tuple[tuple[str, ...], dict[str, str]]:
        placed = (p.name for p in by_place if whole or p.default is p.empty)
        named = {p.name: p.name for p in by_name if whole or p.default is p.empty}
        return tuple(placed), named

    return [call(whole=False), call(whole=True)]


def check_find(swaps: list[Swap], trouble: tuple[str, ...]) -> None:
    """Raise `BadlyPlanted` if a game crashed in a patch, or with an error typical of a slip."""
    crash = next((each for each in trouble if each.startswith("crashed: ")), "")
    patches = [wrong.__qualname__ for _, _, wrong in swaps if isinstance(wrong, FunctionType)]
    is_slip = re.match(rf"crashed: ({'|'.join(_SLIPS)})\(", crash) is not None
    if is_slip or any(f" in {each}:" in crash for each in patches):
        raise BadlyPlanted(crash)
