"""How each page begins: prose, which stands in Markdown beside this module."""

from importlib.resources import files


def introduction(page: str) -> str:
    return (files(__package__) / "introductions" / f"{page}.md").read_text(encoding="utf-8")
