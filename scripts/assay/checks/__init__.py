"""Rules over a loaded repository. A rule is pure, never raises and never stops the run."""
