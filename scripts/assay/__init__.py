"""Assay: a git-native benchmark repository for the ground truth of AI agents."""

__version__ = "0.1.0"
