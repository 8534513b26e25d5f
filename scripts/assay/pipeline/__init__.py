"""The stages of ``dvc.yaml``, one module each, and the driver that runs them all."""
