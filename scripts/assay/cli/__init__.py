"""Thin click commands, a module a group; what they do lies in the other rooms."""
