"""Thin click commands; a module per group."""
