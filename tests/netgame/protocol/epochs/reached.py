"""Which lines of the rules a random walk has run, and which none has."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType

from coverage import Coverage


def lines_reached(act: Callable[[], None], modules: Sequence[ModuleType]) -> Iterator[str]:
    """Run `act`; for each module, in words, how many lines of its functions that ran."""
    files = [str(module.__file__) for module in modules]
    coverage = Coverage(data_file=None, config_file=False, include=files)
    with coverage.collect():
        act()
    for module, file in zip(modules, files, strict=True):
        code = compile(Path(file).read_text("utf-8"), file, "exec")
        every = set(_lines(code))
        missing = sorted(every - set(coverage.get_data().lines(file) or ()))
        rest = f"; not line {', '.join(map(str, missing))}" if missing else ""
        name = module.__name__.rpartition(".")[2]
        yield f"{name}: {len(every) - len(missing)} of {len(every)} lines{rest}"


def _lines(code: CodeType) -> Iterator[int]:
    """The lines inside functions: all others have run when the module was imported."""
    if code.co_flags & inspect.CO_OPTIMIZED:
        yield from (line for *_, line in code.co_lines() if line and line != code.co_firstlineno)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _lines(each)
