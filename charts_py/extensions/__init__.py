"""Ways out: what a cluster adds to, or changes in, what is emitted for it."""
