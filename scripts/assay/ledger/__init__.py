"""What the repository holds: records, policies, tools, people; what counts on a day."""
