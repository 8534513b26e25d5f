"""Two sides on the same cases: whether they are alike, how they differ, what moved the number."""
