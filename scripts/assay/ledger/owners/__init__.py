"""CODEOWNERS: read as the forge reads it, made from people and suites, and looked up."""
