"""One module for each component of a score. Each returns every reason, met and unmet."""
