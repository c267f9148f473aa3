"""From what a cluster holds to the cluster file that comes nearest."""
