"""Is B better than A, and why did the number move? Pure over loaded results and tables.

Two numbers are compared only when they are alike; what differs is named, and what to do about it.
Nothing here prints, reads a file or asks git.
"""
