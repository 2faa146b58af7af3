"""Tables with tabs of a real browser, on networks of namespaces: `python -m tests.tabs`."""
