"""What follows from a cluster file: hardware, facts of each pool, owners, limits."""
