"""The status of this process at its table: whether it may sign or has left, faults, notices."""
