"""The stages of ``dvc.yaml``: each reads what it declares there and nothing else."""
