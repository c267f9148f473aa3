"""Documentation and JSON schemas that are generated from the model and from what is rendered."""

from collections.abc import Iterable
from importlib.resources import files


def introduction(page: str) -> str:
    return (files(__package__) / "introductions" / f"{page}.md").read_text(encoding="utf-8")


def quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def table_row(*cells: str) -> str:
    """Return the row of a table; a pipe in a cell does not end it."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
