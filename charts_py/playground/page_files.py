"""The files of the page, and what it may do."""

from collections.abc import Mapping
from importlib.resources import files
from string import Template

import msgspec

from charts_py.playground.page_data import PageData

_SHARED = ("playground.css", "markdown.js", "share_link.js", "results.js", "playground.js")
"""Files that are the same whoever answers."""
_MAY_DO_NOTHING = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
}


def content_policy(allowed: Mapping[str, str]) -> str:
    """Return a content security policy that allows this, and nothing else.

    https://www.w3.org/TR/CSP3/
    """
    return "; ".join(
        f"{name} {sources}" for name, sources in {**_MAY_DO_NOTHING, **allowed}.items()
    )


def page_files(data: PageData, ask: str, where: str, policy: str) -> dict[str, bytes]:
    """Return the files of the page by name.

    `ask` is the script that has manifests answered, and `where` says where that is done.
    """
    folder = files(__package__) / "page"
    found = {name: (folder / name).read_bytes() for name in _SHARED}
    page = Template((folder / "index.html").read_text(encoding="utf-8"))
    shown = page.substitute(policy=policy, data=_as_data_block(data), where=where)
    return {"index.html": shown.encode(), "ask.js": (folder / ask).read_bytes(), **found}


def _as_data_block(data: PageData) -> str:
    """Return JSON that stands in HTML, where `<` could end the block."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")
