"""Facts of the machine for a table of figures."""

import os
import platform


def this_machine() -> str:
    """Say what runs here, on how many cores, and how busy they are with other things."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores{load}"
