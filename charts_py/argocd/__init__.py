"""What Argo CD follows: the Applications of a cluster, and what bounds and judges them."""
