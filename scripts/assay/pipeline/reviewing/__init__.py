"""A review of a range of commits: both sides brought up, scored, and put side by side."""
