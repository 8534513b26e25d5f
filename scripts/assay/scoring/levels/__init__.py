"""The three levels beside pass and fail: outcome, process and planning, in exact numbers.

Section 2.5 of the design, after AssetOpsBench's ground-truth guideline. Nothing here decides a
case. Inside, every number is a fraction of integers; the one division is made when it is written.
"""
