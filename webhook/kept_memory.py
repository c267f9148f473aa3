"""How much own rules may have a worker keep.

cel-expr-python 0.1.3 never frees what it gives to functions in Python, nor what these return.
"""

from policies.own_review import MAX_MADE

USED_UP = 64 * 1024 * 1024
"""Bytes from which on a worker asks to be replaced."""
MOST_KEPT = 128 * 1024 * 1024
"""Bytes that it keeps at most until it is. Two workers that keep as much fit within the memory of
the webhook's container (`charts_py/components/webhook/deployment.py`)."""
_REVIEWS = 8
"""Among how many what is left is shared, so that hostile pods leave enough for others."""


def left_of(kept: int) -> int:
    """Return how many bytes rules may make in a review by a worker that keeps so many.

    Below zero none is evaluated: what a function is given is kept before it can be counted.
    """
    return MAX_MADE if kept < USED_UP else (MOST_KEPT - kept) // _REVIEWS
