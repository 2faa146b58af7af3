"""The entries that this seat writes: moves, its part of a deal, the lobby."""
