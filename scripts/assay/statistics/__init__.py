"""Pure numbers: intervals, tests of paired verdicts, many slices, trials, power, label noise."""
