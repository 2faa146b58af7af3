"""Tables with tabs of a real browser at them, on networks of namespaces: `python -m tests.tabs`."""
