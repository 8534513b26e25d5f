"""Pure numbers: intervals, paired tests, many tests at once, trials, power, label noise.

Only the standard library, and nothing of ours but `errors`. Counts are integers, shares are
fractions, and everything is divided once, so that no number depends on an order.
"""
