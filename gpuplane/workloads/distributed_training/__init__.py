"""DistributedTrainings: reading one, and what it stands for on a cluster."""
