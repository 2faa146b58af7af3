"""The secrets of this seat: its keys, its hand, its part of every deck."""
