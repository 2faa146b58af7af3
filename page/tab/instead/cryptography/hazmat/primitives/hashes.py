"""The only hash that the tab's libraries name."""


class SHA256:
    """SHA-256, by its name in `hashlib`."""

    name = "sha256"
    digest_size = 32
