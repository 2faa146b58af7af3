"""The program in a browser tab: `build` builds the page, and the modules of `tab` run in it."""
