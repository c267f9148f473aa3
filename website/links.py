"""Links as the site needs them: to its pages, or to files of the repository."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOME = "index.md"
# Code is matched first, so that no link is found in it.
_LINK = re.compile(r"```.*?```|`[^`\n]*`|(?<=\]\()(?P<path>[^)#\s:]+)(?=[)#])", re.DOTALL)


def with_links(markdown: str, address: Callable[[str], str]) -> str:
    """Return a page with another address for each of its links to files; anchors stay."""
    return _LINK.sub(lambda link: address(link["path"]) if link["path"] else link[0], markdown)


def with_pages(navigation: Any, docs: Path) -> Any:
    """Return a navigation with the pages of each folder that it names, as `lint-rules/`."""
    if isinstance(navigation, dict):
        return {title: with_pages(below, docs) for title, below in navigation.items()}
    if isinstance(navigation, list):
        return [with_pages(below, docs) for below in navigation]
    if not navigation.endswith("/"):
        return navigation
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
