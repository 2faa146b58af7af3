"""Tables across network namespaces: real processes, real mDNS, real cables to pull."""
