"""The one hash that the tab's libraries name."""


class SHA256:
    """SHA-256, by the name that `hashlib` has for it."""

    name = "sha256"
    digest_size = 32
