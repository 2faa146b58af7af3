"""The power supply of this computer: battery or mains, where the system says which."""

from pathlib import Path


def on_battery(supplies: Path = Path("/sys/class/power_supply")) -> bool:
    """Return True if a battery of this computer is discharging, as Linux reports it.

    False on other systems, and if the reports cannot be read. Batteries of mice and the like do not
    count.
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
