"""Node pools: who states one, and the pool of a cluster file that comes nearest."""
