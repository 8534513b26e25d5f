"""Truth and an observed run become verdicts with evidence. Pure functions; no files, no clock."""
