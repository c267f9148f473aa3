"""A table for people, however it is printed."""

from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns of words, then columns of numbers."""

    headers: Row
    rows: tuple[Row, ...]
    words: int
    """How many columns are words."""
