"""What a result rests on: gathered from the repository, and computed again."""
