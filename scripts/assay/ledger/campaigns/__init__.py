"""Relabelling campaigns: opened once, frozen, and followed by the revisions that come after."""
