"""What somebody wants to play: typed, kept in a file, or chosen step by step from a menu."""
