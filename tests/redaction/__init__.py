"""Tests of what finds and replaces secrets."""
