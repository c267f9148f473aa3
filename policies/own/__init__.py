"""Rules of a platform team's own, which the cluster file states in CEL."""
