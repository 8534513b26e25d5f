"""Spans: timed pieces of a run, which their ids and parents put together."""
