"""One file of tests for every format."""
