"""Messages and their octets; this package knows neither the rules nor the group."""
