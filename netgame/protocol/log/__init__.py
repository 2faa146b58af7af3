"""What is signed: entries and statements, records as frames, faults."""
