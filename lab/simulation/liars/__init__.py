"""Keys that sign faults at random moments: what they sign, when, and which programs must stop."""
