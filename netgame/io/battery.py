"""The power supply of this computer: battery or mains, if the system tells."""

from pathlib import Path


def on_battery(supplies: Path = Path("/sys/class/power_supply")) -> bool:
    """Return True if a battery of this computer is discharging, where the system (Linux) says so.

    False elsewhere, or if that cannot be read. Batteries of mice and the like do not count.
    """
    try:
        return any(
            status.read_text() == "Discharging\n" and not _is_of_device(status.with_name("scope"))
            for status in supplies.glob("*/status")
        )
    except OSError:
        return False


def _is_of_device(scope: Path) -> bool:
    return scope.exists() and scope.read_text() == "Device\n"
