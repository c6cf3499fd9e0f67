"""Real text: a small masked language model, trained in seconds on a text of any kind."""
