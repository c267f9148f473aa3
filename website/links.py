"""Links as the site needs them: to its pages, or to files of the repository."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOME = "index.md"
# Code is matched first, so that no link is found in it.
_LINK = re.compile(r"```.*?```|`[^`\n]*`|(?<=\]\()(?P<path>[^)#\s:]+)(?=[)#])", re.DOTALL)
_PAGE = re.compile(r"\]\(([^)]+)\)")
_GROUP = re.compile(
    r"^(?P<title>.+):\n(?P<pages>(?:\[[^]\n]+\]\([^)\n]+\.md\)[,.]\n)+)", re.MULTILINE
)
"""A line that ends in a colon, and links to pages, a line each."""


def with_links(markdown: str, address: Callable[[str], str]) -> str:
    """Return a page with another address for each of its links to files; anchors stay."""
    return _LINK.sub(lambda link: address(link["path"]) if link["path"] else link[0], markdown)


def with_pages(navigation: Any, docs: Path) -> Any:
    """Return a navigation with the pages of each folder that it names, as `lint-rules/`.

    Where a folder has a README.md, they are the pages that it lists under headings, in its order.
    """
    if isinstance(navigation, dict):
        return {title: with_pages(pages, docs) for title, pages in navigation.items()}
    if isinstance(navigation, list):
        entries: list[Any] = []
        for entry in navigation:
            pages = with_pages(entry, docs)
            entries.extend(pages if isinstance(pages, list) else [pages])
        return entries
    if not navigation.endswith("/"):
        return navigation
    index = docs / navigation / "README.md"
    if index.is_file():
        return [
            {group["title"]: [f"{navigation}{page}" for page in _PAGE.findall(group["pages"])]}
            for group in _GROUP.finditer(index.read_text(encoding="utf-8"))
        ]
    return sorted(f"{navigation}{page.name}" for page in (docs / navigation).glob("*.md"))


def path_in_repository(page: str, link: str) -> str:
    """Return the path that a link of a page leads to; the page is named by its path below docs/."""
    source = "README.md" if page == HOME else f"docs/{page}"
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def address_on_site(page: str, target: str, repository: str) -> str:
    """Return the link from a page to a path of the repository: to a page, or to its file there."""
    if target != "README.md" and not target.startswith("docs/"):
        return f"{repository.rstrip('/')}/blob/HEAD/{target}"
    below_docs = HOME if target == "README.md" else target.removeprefix("docs/")
    return posixpath.relpath(below_docs, posixpath.dirname(page) or ".")
