"""Tables with tabs of a real browser, in network namespaces: `python -m tests.tabs`."""
