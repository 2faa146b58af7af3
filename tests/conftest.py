"""Compiled tests are kept from run to run, in pytest's own folder where none are kept elsewhere."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from tests.tree import ROOT

if sys.dont_write_bytecode:
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
    # processes that test beside this one are to keep theirs too
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# no example of a property has to be quick: how long one takes says how busy the computer is
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# settings and games of whoever runs the tests do not hold in them, and theirs are not added to
os.environ["XDG_CONFIG_HOME"] = os.devnull
os.environ.pop("BONEYARD_DATA", None)
_PLAYED = tempfile.TemporaryDirectory(prefix="boneyard-tests-")
os.environ["XDG_DATA_HOME"] = _PLAYED.name
os.environ["BONEYARD_LANGUAGE"] = "en"

# nor does `nohup`, which a program that they start would inherit, and obey
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Have `--part 2/3` run one test in three, always the same ones."""
    parser.addoption("--part", type=part, default=(1, 1), metavar="K/N")


def part(text: str) -> tuple[int, int]:
    """Return K and N of `K/N`, K from 1; raises `ValueError`."""
    k, _, n = text.partition("/")
    if not (k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise ValueError(f"{text} is no part such as 2/3")
    return int(k), int(n)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is in no wanted part; a test's name alone says in which it is."""
    k, n = config.getoption("part")
    wanted = [each for each in items if crc32(each.nodeid.encode()) % n == k - 1]
    config.hook.pytest_deselected(items=[each for each in items if each not in set(wanted)])
    items[:] = wanted


YOUNG_MAX = 20_000
"""How many new objects are looked through for garbage: after 700, as usual, costs 3 % of all."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a test of a whole program mostly waits for it."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """In a fresh clone, compile once what every worker would compile by itself."""
    is_whole = config.args == config.getini("testpaths")
    kept = getattr(config, "cache", None)
    if is_whole and kept and not kept.get("compiled", default=False):
        collect = (sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0")
        subprocess.run(collect, stdout=subprocess.DEVNULL, check=False)
        kept.set("compiled", value=True)


def pytest_collection_finish() -> None:
    """Look for garbage only among what comes from now on: all that was collected stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MAX)
