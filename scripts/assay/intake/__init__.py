"""Foreign formats to our models: cases, runs and drafts of truth. Nothing is lost silently."""
