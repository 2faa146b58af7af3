"""Tables across network namespaces: real processes, real mDNS, and virtual cables to pull out."""
