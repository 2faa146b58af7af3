"""Keys that sign faults at random moments: what they sign, when, and whom that may stop."""
