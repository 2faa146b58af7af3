"""The rules that somebody wants to play by: typed, kept in a file, or chosen in a menu."""
