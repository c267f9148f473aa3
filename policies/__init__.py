"""Rules on GPU pods."""
