"""The shapes in which the Agent Development Kit and its relatives record runs."""
