"""The part of `cryptography` that the tab's libraries import: HKDF alone."""
