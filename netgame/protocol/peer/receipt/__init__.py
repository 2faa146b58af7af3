"""What others send: judged, kept for later, asked for, weighed where votes part a table."""
