"""Rules, to be filled."""
