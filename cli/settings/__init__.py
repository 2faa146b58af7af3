"""What a player sets once and for all: declared, read from file and environment, written."""
