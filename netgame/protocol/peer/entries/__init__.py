"""The entries that this seat writes: its moves, its part of a deal, the host's lobby."""
