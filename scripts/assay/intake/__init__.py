"""Foreign formats to our models: cases, runs, records."""
