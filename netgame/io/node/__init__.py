"""The tasks around one core: what it decides is done here, in order."""
