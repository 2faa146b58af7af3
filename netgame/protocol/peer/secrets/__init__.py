"""The secrets of this seat: its keys, its hand, and its part in making every deck."""
