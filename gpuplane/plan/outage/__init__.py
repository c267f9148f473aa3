"""GPUs that are out: how many at once, and for how long."""
