"""The screens and keyboards there are: a terminal, plain sentences, and JSON for programs."""
