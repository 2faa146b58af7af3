"""A key as people compare it."""

import base64
import hashlib


def fingerprint(key: bytes) -> str:
    """Eight base32 characters (40 bits) of SHA-256 of a public key, in lower case.

    A label to tell peers apart at a glance; identity is always the whole key [protocol.md §3.4].
    """
    return base64.b32encode(hashlib.sha256(key).digest())[:8].decode().lower()
