"""The only place that formats: pure functions from models to text. Nothing is decided here."""
