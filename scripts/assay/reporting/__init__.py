"""Findings and results as text, JSON, SARIF, HTML: the only place that formats."""
