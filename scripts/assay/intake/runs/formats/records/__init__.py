"""Everything else: plain verdicts, our own lines, records of single projects."""
