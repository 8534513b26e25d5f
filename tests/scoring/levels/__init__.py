"""The three levels: outcome, process, planning."""
