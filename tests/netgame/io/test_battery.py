"""Detecting that this computer runs on its battery."""

import pytest

from netgame.io.battery import on_battery


@pytest.mark.parametrize(
    ("supplies", "empties"),
    [
        ({}, False),
        ({"BAT0": {"status": "Discharging\n"}}, True),
        ({"BAT0": {"status": "Charging\n"}, "AC": {"online": "1\n"}}, False),
        ({"BAT0": {"status": "Full\n"}, "BAT1": {"status": "Discharging\n"}}, True),
        ({"mouse": {"status": "Discharging\n", "scope": "Device\n"}}, False),
    ],
)
def test_a_battery_that_runs_down_is_seen(tmp_path, supplies, empties):
    """The computer runs on battery only while a battery of its own discharges."""
    for name, files in supplies.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert on_battery(tmp_path) == empties
    assert not on_battery(tmp_path / "none")


def test_a_battery_that_cannot_be_read_is_none(tmp_path):
    """A battery that cannot be read counts as absent, because drivers come and go."""
    (tmp_path / "BAT0" / "status").mkdir(parents=True)
    assert not on_battery(tmp_path)
