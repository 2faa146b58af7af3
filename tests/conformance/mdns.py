"""Find tables as in peer.md 3, by a question over mDNS (RFC 6762), with hand-written parsing."""

import base64
import hashlib
import socket
import time
from typing import NamedTuple

SERVICE = "_boneyard._tcp.local."
GROUP = ("224.0.0.251", 5353)
A, PTR, TXT, SRV = 1, 12, 16, 33
TRIES, WAIT_S = 40, 0.25


class Found(NamedTuple):
    """An announced table: its instance, IPv4 address, port, and TXT strings by key."""

    instance: str
    host: str
    port: int
    txt: dict


def fingerprint(key):
    """Return the fingerprint of a key: eight lower-case letters and digits."""
    return base64.b32encode(hashlib.sha256(key).digest())[:8].decode().lower()


def look(interface="127.0.0.1"):
    """Ask until a table answers, and return it, or None after about ten seconds.

    This blocks the whole thread.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
        for _ in range(TRIES):
            sock.sendto(_question(), GROUP)
            deadline = time.monotonic() + WAIT_S
            # other packets do not use up the wait
            while (left := deadline - time.monotonic()) > 0:
                sock.settimeout(left)
                try:
                    found = _table(_records(sock.recv(9_000)))
                except TimeoutError:
                    break
                if found is not None:
                    return found
    return None


def _question():
    """Return a DNS question for all services of the type `SERVICE`."""
    labels = SERVICE.rstrip(".").split(".")
    name = b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"
    return bytes.fromhex("000000000001000000000000") + name + bytes([0, PTR, 0, 1])


def _records(packet):
    """Return all records of an answer, each as name, type, packet, start and end of its content."""
    counts = [int.from_bytes(packet[at : at + 2], "big") for at in range(4, 12, 2)]
    at, found = 12, []
    for _ in range(counts[0]):
        _, at = _name(packet, at)
        at += 4
    for _ in range(sum(counts[1:])):
        name, at = _name(packet, at)
        kind, size = (int.from_bytes(packet[at + off : at + off + 2], "big") for off in (0, 8))
        found.append((name, kind, packet, at + 10, at + 10 + size))
        at += 10 + size
    return found


def _name(packet, at):
    """Return the name at `at`, and the offset after it.

    A pointer at its end may continue the name elsewhere in the packet (RFC 1035, 4.1.4).
    """
    labels, end = [], None
    while size := packet[at]:
        if size >= 0xC0:
            end = end or at + 2
            at = int.from_bytes(packet[at : at + 2], "big") & 0x3FFF
        else:
            labels.append(packet[at + 1 : at + 1 + size].decode())
            at += 1 + size
    return ".".join([*labels, ""]), end or at + 1


def _table(records):
    """Return the first table in the records, or None if it lacks a PTR, SRV, TXT or A record."""
    known = {}
    for name, kind, *place in records:
        known.setdefault((kind, name), place)
    if (PTR, SERVICE) not in known:
        return None
    packet, start, _ = known[PTR, SERVICE]
    instance, _ = _name(packet, start)
    if not {(SRV, instance), (TXT, instance)} <= known.keys():
        return None
    packet, start, _ = known[SRV, instance]
    port = int.from_bytes(packet[start + 4 : start + 6], "big")
    target, _ = _name(packet, start + 6)
    if (A, target) not in known:
        return None
    packet, start, _ = known[A, target]
    host = socket.inet_ntoa(packet[start : start + 4])
    packet, start, end = known[TXT, instance]
    return Found(instance.removesuffix(f".{SERVICE}"), host, port, _strings(packet[start:end]))


def _strings(content):
    """Return a dict of the strings `key=value`, each preceded by its length (RFC 6763, 6)."""
    found, at = {}, 0
    while at < len(content):
        key, _, value = content[at + 1 : at + 1 + content[at]].decode().partition("=")
        found[key] = value
        at += 1 + content[at]
    return found
