"""The program in a browser tab: `build` puts the page together, and `tab` runs in it."""
