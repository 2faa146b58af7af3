"""What a person sees and types. Nothing below this package knows that terminals exist."""
