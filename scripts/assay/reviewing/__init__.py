"""Two states of a repository side by side: what changed in meaning, and what that does. Pure."""
