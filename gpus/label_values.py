"""Values of a node label that cannot be listed, in words: no value of a label has a space."""

_MARGIN = 1 / 8
"""How far the memory that a GPU shows may be from that of its table, as a part of it: it moves with
the driver, GDDR6 has a sixteenth more without ECC, and a MIG instance up to a tenth less."""
LIKE = "a name like "
"""Stands before a regular expression."""
NUMBERS = "([0-9]{1,18})(?: to ([0-9]{1,18}))?"
"""A number, or the smallest and the greatest."""


def about(number: int) -> str:
    """Return what stands for a number that is not known exactly."""
    return f"{round(number * (1 - _MARGIN))} to {round(number * (1 + _MARGIN))}"
