"""What this seat alone knows: its keys, its hand, its part of every deck."""
