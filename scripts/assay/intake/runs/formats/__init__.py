"""One small module a format: whether a file has it, and its runs as `RawRun`.

A module has `NAME` (what ``--from`` takes), `TITLE`, `STREAMS` (every line, or every element of a
list, holds whole runs), `fits(document)` and `read(document)`.
"""
