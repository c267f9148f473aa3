"""Links as the site needs them: to its pages, or to files of the repository."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOME = "index.md"
CONTENTS = "contents.md"
# Code is matched first, so that no link is found in it.
_LINK = re.compile(r"```.*?```|`[^`\n]*`|(?<=\]\()(?P<path>[^)#\s:]+)(?=[)#])", re.DOTALL)
_PAGE = re.compile(r"\]\(([^)]+\.md)\)")
_GROUP = re.compile(
    r"^(?P<title>.+):\n(?P<pages>(?:\[[^]\n]+\]\([^)\n]+\.md\)[,.]\n)+)", re.MULTILINE
)
"""A line that ends in a colon, and links to pages, a line each."""
_SECTION = re.compile(r"^## (?P<title>.+)\n(?P<pages>(?:(?!## ).*\n?)+)", re.MULTILINE)
_LINT_RULES = "lint-rules"
_POLICIES = "policies"


def with_links(markdown: str, address: Callable[[str], str]) -> str:
    """Return a page with another address for each of its links to files; anchors stay."""
    return _LINK.sub(lambda link: address(link["path"]) if link["path"] else link[0], markdown)


def navigation(contents: str, docs: Path) -> list[Any]:
    """Return the navigation of the site: the sections of `contents.md`, and the rules below them.

    The rules of admission are grouped as the index of their folder groups them.
    """
    sections = [
        {section["title"]: _PAGE.findall(section["pages"])}
        for section in _SECTION.finditer(contents)
    ]
    index = (docs / _POLICIES / "README.md").read_text(encoding="utf-8")
    rules = [
        {group["title"]: [f"{_POLICIES}/{page}" for page in _PAGE.findall(group["pages"])]}
        for group in _GROUP.finditer(index)
    ]
    of_lint = sorted(f"{_LINT_RULES}/{page.name}" for page in (docs / _LINT_RULES).glob("*.md"))
    start = [{"Home": HOME}, {"Where to start": CONTENTS}]
    return [*start, *sections, {"Rules": [*rules, {"Of the linter alone": of_lint}]}]


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
