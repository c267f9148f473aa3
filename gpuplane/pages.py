"""The pages of the documentation, which every installation has."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from gpuplane.versions.tree import DistError
from gpus.nearest import MAX_SUGGESTIONS, nearest, nearest_hint

CONTENTS = "contents"
"""The page that lists the others."""
_INSTALLED = Path(__file__).with_name("docs")
"""The wheel puts `docs/` of the repository here."""
_IN_REPOSITORY = Path(__file__).parents[1] / "docs"


def pages_folder() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY


def page_names() -> tuple[str, ...]:
    """Return the paths of all pages below `docs/`, without `.md`; those in folders come last."""
    folder = pages_folder()
    paths = (page.relative_to(folder).with_suffix("") for page in folder.rglob("*.md"))
    return tuple(path.as_posix() for path in sorted(paths, key=lambda path: (path.parent, path)))


def page_text(name: str) -> str:
    """Return a page in Markdown; its name may be written as links have it, `docs/plan.md#anchor`.

    Or a cluster file that a page links to. Raises DistError for a name that no page has.
    """
    file = name.partition("#")[0].removeprefix("docs/")
    if file in _cluster_files():
        return (pages_folder() / file).read_text(encoding="utf-8")
    path = file.removesuffix(".md")
    if path not in (names := page_names()):
        hint = nearest_hint(nearest(path, names) or tuple(_pages_about(path)))
        raise DistError(f'unknown page "{name}"; allowed: one that `gpuplane docs` lists{hint}')
    return (pages_folder() / f"{path}.md").read_text(encoding="utf-8")


def _cluster_files() -> Iterator[str]:
    """Yield the paths of the files that pages offer to begin from."""
    folder = pages_folder()
    yield from (file.relative_to(folder).as_posix() for file in folder.rglob("*.yaml"))


def _pages_about(word: str) -> Iterator[str]:
    """Yield the first pages that the list of pages describes with a word."""
    stated = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
    contents = (pages_folder() / f"{CONTENTS}.md").read_text(encoding="utf-8")
    described = filter(stated.search, contents.splitlines())
    found = (name for line in described for name in re.findall(r"\(([\w/-]+)\.md", line))
    yield from islice(dict.fromkeys(found), MAX_SUGGESTIONS)
