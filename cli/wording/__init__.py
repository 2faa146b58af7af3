"""Every sentence that the program says: events, refusals, duties, rules, failures."""
