"""What is signed: entries and slots, records as frames, faults and the names of keys."""
