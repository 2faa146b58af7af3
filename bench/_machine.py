"""Facts of the machine for a table of figures."""

import os
import platform
from importlib.util import find_spec

from engine.play import judge


def is_compiled() -> bool:
    """Whether the engine that runs here is compiled."""
    return not judge.__file__.endswith(".py")


def this_machine() -> str:
    """Say what runs here, on how many cores, and how busy they are with other things."""
    extra = "with" if find_spec("boneyard_native") else "without"
    engine = "compiled" if is_compiled() else "interpreted"
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, "
        f"{extra} the native extra, the engine {engine}{load}"
    )
