"""`doctor` rates facts about a computer, and gives advice about bad ones."""

import dataclasses
import json
import subprocess
import sys
from itertools import chain

import pytest
from msgspec.structs import replace

from cli.doctor.facts import DataFacts, Facts, TerminalFacts, _least, too_old
from cli.doctor.listing import symptom_lines
from cli.doctor.symptoms import Level, can_host, symptoms
from netgame.errors import Refused, TimedOut
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.survey import Interface, NetworkFacts, Reached
from netgame.io.network.interfaces import NoAddresses
from netgame.io.network.listen import PortTrouble
from tests.cli.running import environment, run
from tests.lan.network import ip, lan, usable
from tests.tree import ROOT

WIFI = Interface("wlan0", "192.168.1.4", 0.4)
TABLE = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
WELL = Facts(
    network=NetworkFacts((WIFI,), port=4747, tables=(TABLE,)),
    data=DataFacts("/data/ann", "", 0o700, 10**9),
    terminal=TerminalFacts(True, "utf-8", True, True, 80),
    python="3.11.7",
    versions={"trio": "0.35.0"},
    old=(),
    today="2026-11-21 20:00",
)


def with_network(**changes):
    """Return the facts of a healthy computer with these changes to its network."""
    return replace(WELL, network=dataclasses.replace(WELL.network, **changes))


def told(facts, area):
    """Return the first finding of an area that is not OK.

    If all of them are OK, return the first finding of the area.
    """
    found = [each for each in symptoms(facts) if each.area == area]
    bad = [each for each in found if each.level is not Level.OK]
    return (bad or found)[0]


def test_healthy_computer_has_nothing_to_be_told():
    """On a healthy computer, each area has a finding, and all are OK and have no advice."""
    found = symptoms(WELL)
    assert {each.level for each in found} == {Level.OK}
    assert not any(each.advice for each in found)
    assert can_host(found)
    assert {each.area for each in found} == {
        "network", "discovery", "port", "others", "clock", "versions", "data", "terminal"
    }  # fmt: skip


IN_USE = PortTrouble("port {port} is in use on this computer", port=4747)
NO_ANSWER = TimedOut("{address} did not answer", address="10.0.0.9:4747")
NO_LOOKING = Refused(
    "discovery",
    "Tables cannot be looked for on this network ({reason}); join one by its address: join "
    "HOST:PORT.",
    reason="No such device",
)
NO_ADDRESSES = NoAddresses(
    "the addresses of this computer cannot be read: {reason}", reason="Permission denied"
)
PROBLEMS = [
    (with_network(interfaces=()), "network", "no address", "Wi-Fi"),
    (with_network(port=None, port_trouble=IN_USE), "port", "4747", "--port"),
    (replace(WELL, old=("trio is 0.1",)), "versions", "trio is 0.1", "uv sync"),
    (
        replace(WELL, data=DataFacts("/x", "cannot write /x: Read-only")),
        "data",
        "Read-only",
        "--data",
    ),
]
WARNINGS = [
    (
        with_network(interfaces=(dataclasses.replace(WIFI, heard_s=None),)),
        "discovery",
        "Multicast fails",
        "5353",
    ),
    (
        with_network(interfaces=(dataclasses.replace(WIFI, trouble="No such device"),)),
        "discovery",
        "No such device",
        "HOST:PORT",
    ),
    (
        with_network(interface_trouble=NO_ADDRESSES, interfaces=(), tables=()),
        "network",
        "Permission denied",
        "",
    ),
    (with_network(tables=(), silent=(TABLE,)), "others", "does not answer", "4747"),
    (with_network(tables=(), neighbours=0), "others", "nobody else", "hotspot"),
    (with_network(browse_trouble=NO_LOOKING), "others", "No such device", ""),
    (
        with_network(reached=Reached("10.0.0.9:4747", trouble=NO_ANSWER)),
        "address",
        "10.0.0.9:4747",
        "TCP 4747 to 4778",
    ),
    (with_network(reached=Reached("10.0.0.9:4747", 0.01)), "address", "no table", ""),
    (replace(WELL, firewall="ufw"), "port", "ufw", "4747:4778/tcp"),
    (replace(WELL, firewall="firewalld"), "port", "firewalld", "--add-service=mdns"),
    (replace(WELL, today="1970-01-01 00:03"), "clock", "1970", "Set the clock"),
    (replace(WELL, data=replace(WELL.data, mode=0o755)), "data", "755", "chmod 700"),
    (replace(WELL, data=replace(WELL.data, free_bytes=2**20)), "data", "1 MB", "room"),
    (
        replace(WELL, terminal=replace(WELL.terminal, columns=30)),
        "terminal",
        "30 columns",
        "--plain",
    ),
    (replace(WELL, terminal=replace(WELL.terminal, unicode=False)), "terminal", "glyphs", "LANG"),
]


@pytest.mark.parametrize(("facts", "area", "text", "advice"), [*PROBLEMS, *WARNINGS])
def test_what_keeps_people_apart_is_said_with_what_to_do(facts, area, text, advice):
    """Problems and warnings are reported with text and advice; only problems prevent hosting."""
    finding = told(facts, area)
    is_problem = any(facts is each[0] for each in PROBLEMS)
    assert finding.level is (Level.PROBLEM if is_problem else Level.WARNING)
    assert text in finding.text
    assert advice in finding.advice
    assert can_host(symptoms(facts)) != is_problem


@pytest.mark.parametrize("columns", [20, 40, 100])
@pytest.mark.parametrize("facts", [WELL, *(each[0] for each in (*PROBLEMS, *WARNINGS))])
def test_no_word_is_broken_in_any_window(facts, columns, monkeypatch):
    """No word is broken, even if it is longer than a line, so that commands can be copied."""
    monkeypatch.setenv("COLUMNS", str(columns))
    found = symptoms(replace(facts, data=replace(facts.data, path="/data/ann/kept-in/boneyard")))
    lines = list(symptom_lines(found))
    words = [f"{each.level.value} {each.area} {each.text} {each.advice}".split() for each in found]
    assert " ".join(lines).split() == [*chain.from_iterable(words)]
    assert all(len(line) <= columns or len(line.split()) < 5 for line in lines)


def test_the_address_of_a_vpn_is_told_as_what_it_is():
    """The address of a VPN is OK, is described as a VPN's, and is not tested for multicast."""
    vpn = Interface("tun0", "10.8.0.5", is_alone=True)
    found = symptoms(with_network(interfaces=(WIFI, vpn)))
    assert {each.level for each in found} == {Level.OK}
    said = [each.text for each in found if each.area == "network"]
    assert said[0] == "wlan0 has the address 192.168.1.4."
    assert said[1].startswith("tun0 has the address 10.8.0.5, as a VPN gives it: nobody else")
    assert [each.text for each in found if each.area == "discovery"] == [
        "Multicast works on wlan0."
    ]


def test_a_network_of_ipv6_alone_is_a_network():
    """A computer that has only an IPv6 address can host a table."""
    found = symptoms(with_network(interfaces=(Interface("eth0", "fd00::7", 0.4),)))
    assert can_host(found)
    assert found[0].text == "eth0 has the address fd00::7."


def test_reached_table_says_what_newcomers_need():
    """For a table that needs a join code, `doctor` shows the code's number and not its words."""
    finding = told(with_network(reached=Reached("10.0.0.9:4747", 0.004, True, 7)), "address")
    assert finding.level is Level.OK
    assert "7-…" in finding.text


def test_other_devices_on_the_network_are_a_good_sign():
    """If other devices answer but no table does, the finding is OK and has no advice."""
    finding = told(with_network(tables=(), neighbours=3), "others")
    assert (finding.level, finding.advice) == (Level.OK, "")


def test_versions_are_held_to_what_the_package_needs():
    """Versions are compared number by number; libraries of the extra `dev` are not required."""
    wanted = _least(
        ["trio>=0.30", "spake2>=0.9,<1", "btclib-secp256k1==0.8.0.13", "tool>=9; extra == 'dev'"]
    )
    assert wanted == {"trio": "0.30", "spake2": "0.9", "btclib-secp256k1": "0.8.0.13"}
    wanted["zeroconf"] = "0.150"
    good = {
        "trio": "0.35.0",
        "zeroconf": "0.150.0",
        "spake2": "0.9",
        "btclib-secp256k1": "0.8.0.13",
    }
    assert too_old(wanted, good) == ()
    (old,) = too_old(wanted, {**good, "zeroconf": "0.99.9"})
    assert old == "zeroconf is 0.99.9, but 0.150 is needed"
    (missing,) = too_old(wanted, {name: good[name] for name in good if name != "trio"})
    assert missing == "trio is not installed"


# ---- the whole command ----------------------------------------------------------------------


def doctor(net, host, folder, *words):
    """Run `doctor --json` on one host of a network; return the exit code and the object printed."""
    command = [sys.executable, "-m", "cli", "doctor", "--json", "--data", str(folder), *words]
    done = run(*net.command(host, command))
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def of_area(said, area):
    """Return the level and the text of each finding in an area."""
    return [(row["level"], row["text"]) for row in said["findings"] if row["area"] == area]


@pytest.mark.mdns
def test_doctor_on_a_network_with_a_table_a_cut_cable_and_kept_apart(tmp_path):
    """`doctor` reports a table, a cut cable, and a network whose hosts cannot reach one another.

    Making networks needs root; without it this test does nothing.
    """
    if not usable():
        return
    with lan(3) as net:
        words = [sys.executable, "-m", "cli", "host", "--plain", "--data", str(tmp_path / "ann")]
        net.cut(2)
        with subprocess.Popen(
            net.command(0, words),
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        ) as host:
            try:
                # The survey takes longer than the host needs to announce its table.
                _, said = doctor(net, 2, tmp_path / "cy")
                assert of_area(said, "discovery")[0][0] == "warning"
                code, said = doctor(net, 1, tmp_path / "ben", "10.77.0.1")
                assert code == 0
                assert of_area(said, "discovery") == [("ok", "Multicast works on eth0.")]
                assert of_area(said, "others")[0][0] == "ok"
                assert "Ann's table answers" in of_area(said, "others")[0][1]
                assert "newcomers need the code" in of_area(said, "address")[0][1]

                bridge = f"{net.prefix}-br"
                for port in ("port0", "port1"):
                    ip("-n", bridge, "link", "set", port, "type", "bridge_slave", "isolated", "on")
                code, said = doctor(net, 1, tmp_path / "ben", "10.77.0.1")
                assert code == 0
                assert "nobody else" in of_area(said, "others")[0][1]
                assert of_area(said, "address")[0][0] == "warning"
            finally:
                host.kill()


@pytest.mark.campaign
def test_doctor_prints_lines_and_ends_with_a_verdict(tmp_path):
    """Without a network, `doctor` says that no table can be hosted, and exits with 1.

    It creates the data folder with mode 700. Without root this test does nothing.
    """
    if not usable():
        return
    command = [sys.executable, "-m", "cli", "doctor", "--data", str(tmp_path / "data")]
    done = run("unshare", "-n", *command)
    assert done.returncode == 1
    assert "no address on any network" in done.stdout
    assert "cannot be hosted" in done.stdout.splitlines()[-1]
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
