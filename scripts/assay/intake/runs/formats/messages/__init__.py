"""Conversations: lists of messages with calls and results between them."""
