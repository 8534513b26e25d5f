"""Writing the next revision of a record: what it will do, before it is written."""
