"""The component slurm-operator."""
