"""The part of `cryptography` that the tab's libraries ask for: HKDF alone."""
