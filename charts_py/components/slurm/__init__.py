"""The component slurm."""
