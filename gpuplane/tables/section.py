"""What a command prints: tables, with what belongs to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpuplane.tables.table import Table


@dataclass(frozen=True, slots=True)
class Section:
    """Tables, and what stands above and below them."""

    title: str
    """Its heading, in a document."""
    tables: Iterable[Table]
    notes: Iterable[str]
    """Below them: a paragraph, and then a list."""
    first: Iterable[str] = ()
    """What is to be read before the tables."""
    blocks: Iterable[str] = ()
    """YAML to copy, between tables and notes."""
