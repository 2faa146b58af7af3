"""Compiled tests are kept from run to run, in pytest's own folder where none are kept elsewhere."""

import gc
import sys

from tests.tree import ROOT

if sys.dont_write_bytecode:
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Look for garbage only among what comes from now on: all that was collected stays."""
    gc.collect()
    gc.freeze()
