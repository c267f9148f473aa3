"""Documentation and JSON schemas that are generated from the model and from what is rendered."""

from importlib.resources import files


def introduction(page: str) -> str:
    """Return the prose with which a page begins."""
    return (files(__package__) / "introductions" / f"{page}.md").read_text(encoding="utf-8")
