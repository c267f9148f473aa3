"""A version's way: it is cut, goes live cluster by cluster, and is deleted."""
