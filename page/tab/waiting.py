"""Lets a task of trio wait for a promise of JavaScript."""

from collections.abc import Awaitable
from typing import Any

import outcome
import trio
import trio.lowlevel


async def arrived(promise: Awaitable[Any]) -> Any:  # noqa: ANN401 - whatever JavaScript gives
    """Wait for a promise of JavaScript and return its result; raises its error as an `OSError`.

    If the wait is cancelled, the promise still continues, and its result is dropped.
    """
    token, came = trio.lowlevel.current_trio_token(), trio.Event()
    results: list[outcome.Outcome[Any]] = []

    def take(result: outcome.Outcome[Any]) -> None:
        results.append(result)
        token.run_sync_soon(came.set)

    keep: Any = promise
    keep.then(
        _once(lambda value=None: take(outcome.Value(value))),
        _once(lambda error=None: take(outcome.Error(OSError(str(error))))),
    )
    await came.wait()
    return results[0].unwrap()


def _once(call: Any) -> Any:  # noqa: ANN401
    from pyodide.ffi import create_once_callable

    return create_once_callable(call)
