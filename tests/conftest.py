"""Configure pytest for all tests.

If Python has been told to write no bytecode, the compiled tests are kept in the cache folder of
pytest instead.
"""

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
    # subprocesses of the tests keep their bytecode there too
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# a slow example says how busy the computer is, not that the property is wrong
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# the tests neither read the settings and games of the person who runs them, nor add to them
os.environ["XDG_CONFIG_HOME"] = os.devnull
os.environ.pop("BONEYARD_DATA", None)
_PLAYED = tempfile.TemporaryDirectory(prefix="boneyard-tests-")
os.environ["XDG_DATA_HOME"] = _PLAYED.name
os.environ["BONEYARD_LANGUAGE"] = "en"

# `nohup` has SIGHUP ignored, and programs that the tests start would inherit that
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--part K/N`, which runs one test in N, always the same ones for each K."""
    parser.addoption("--part", type=part, default=(1, 1), metavar="K/N")


def part(text: str) -> tuple[int, int]:
    """Return K and N of the text `K/N`, 1 <= K <= N; raise ValueError if it is not of that form."""
    k, _, n = text.partition("/")
    if not (k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise ValueError(f"{text} is no part such as 2/3")
    return int(k), int(n)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of all other parts; a test's name alone decides its part."""
    k, n = config.getoption("part")
    wanted = [each for each in items if crc32(each.nodeid.encode()) % n == k - 1]
    config.hook.pytest_deselected(items=[each for each in items if each not in set(wanted)])
    items[:] = wanted


YOUNG_MAX = 20_000
"""New objects that start a garbage collection; with the usual 700 it takes 3 % of the time."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores, because tests that run a program mostly wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the tests before the first run of all of them, so that each worker need not."""
    is_whole = config.args == config.getini("testpaths")
    kept = getattr(config, "cache", None)
    if is_whole and kept and not kept.get("compiled", default=False):
        collect = (sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0")
        subprocess.run(collect, stdout=subprocess.DEVNULL, check=False)
        kept.set("compiled", value=True)


def pytest_collection_finish() -> None:
    """Exempt everything collected so far from garbage collection, because it stays to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MAX)
