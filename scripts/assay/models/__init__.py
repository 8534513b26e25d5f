"""What the repository holds, as frozen pydantic models. Imports nothing of ours.

Every model refuses unknown keys, is immutable, and documents each field; the JSON Schemas
under ``scripts/assay/models/schemas/`` are generated from them.
"""
