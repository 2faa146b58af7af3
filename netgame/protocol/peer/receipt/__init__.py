"""What others send: judged, kept for later, asked for; statements of polls."""
