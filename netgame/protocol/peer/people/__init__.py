"""Links, absence, names, talk, watchers, seats and votes, and the stand-in for a host."""
