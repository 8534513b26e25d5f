"""Which commit moved a score: the walk over the history, and the run scored along it."""
