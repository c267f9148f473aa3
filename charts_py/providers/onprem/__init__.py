"""Machines of one's own, as Node Feature Discovery finds them."""
