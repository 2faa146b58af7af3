"""Whether a game can be hosted on this computer: what is looked at, and what it means."""
