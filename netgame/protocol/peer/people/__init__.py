"""Links, absence, watchers, requests for a seat, and the stand-in for a host."""
