"""Bulk data behind DVC pointers: rebuilt where it is simulated, proved before anything runs."""
