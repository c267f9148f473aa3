"""How to read what several panels show."""

FULL_HOURS = "Of the full hours of the time that is shown."
SHARED_GPUS = "Where several pods share a GPU, nothing tells which of them uses it."
SLOWED_DOWN_AT_ZERO = "At 0 it is slowed down."
COSTS_APART = "They are of the same GPUs, and never added up."
"""Of what is reserved, held and used."""
IN_NO_COST = "What they cost is in none of the costs beside."
LIKE_LAST_WEEK = "What a month costs that is like the last seven days, or as many as there are."
