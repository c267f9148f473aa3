"""Facts about GPUs: models, partitions, instance types, and what a pool of them advertises."""
