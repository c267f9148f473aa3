"""The pages of the documentation as HTML, for browsers on this machine."""

import os
import re
from collections.abc import Sequence
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gpuplane.loopback_server import HTML, TEXT, LoopbackHandler, LoopbackServer
from gpuplane.pages import CONTENTS, pages_folder

_TYPES = {".md": HTML, ".svg": "image/svg+xml", ".yaml": TEXT}
"""What is served of the folder, and as what: pages keep their names, so that their links work."""
_PACKAGES = ("charts_py", "gpus")
"""Packages whose tables and code pages link to; an installation has them beside this one."""
_OF_PACKAGES = dict.fromkeys((".py", ".toml", ".yaml"), TEXT)
_PAGE = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><style>
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui }}
pre {{ overflow-x: auto; padding: .5rem; background: #8882 }} img {{ max-width: 100% }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
td, th {{ border: 1px solid #8888; padding: .25rem .5rem; text-align: left; vertical-align: top }}
:root {{ color-scheme: light dark }}
</style><p><a href="/">All pages</a></p>{body}
"""
_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; "
    "style-src 'unsafe-inline'; img-src 'self'"
)
_NOT_FOUND = """\
# Not found

Nothing is served at this address. The list of all pages leads to every page of the documentation;
code and tests are in the repository alone.
"""


def page_html(markdown: str, path: str = "") -> str:
    """Return a page in HTML, with the anchors by which GitHub names its headings.

    A link to a file that is not served is text: an installation has neither tests nor workflows.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    for token in tokens:
        token.children = _with_links(token.children, path) if token.children else token.children
    titles = [
        (heading, inside.content)
        for heading, inside in pairwise(tokens)
        if heading.type == "heading_open"
    ]
    for (heading, _), anchor in zip(titles, _anchors([title for _, title in titles]), strict=True):
        heading.attrSet("id", anchor)
    body = parser.renderer.render(tokens, parser.options, {})
    return _PAGE.format(title=titles[0][1] if titles else "gpuplane", body=body)


def _with_links(inside: Sequence[Token], path: str) -> list[Token]:
    kept, is_lost = [], False
    for token in inside:
        if token.type == "link_open":
            is_lost = not _leads_somewhere(str(token.attrGet("href")), path)
        if not (is_lost and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept


def _leads_somewhere(link: str, path: str) -> bool:
    target = urlsplit(link)
    if target.scheme or target.netloc or not target.path:
        return True
    return served_file(unquote(urljoin(f"/{path}", target.path)).lstrip("/")) is not None


def _anchors(titles: Sequence[str]) -> list[str]:
    anchors: list[str] = []
    for title in titles:
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        plain = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        again = sum(each == plain or each.startswith(f"{plain}-") for each in anchors)
        anchors.append(f"{plain}-{again}" if plain in anchors else plain)
    return anchors


class _Handler(LoopbackHandler):
    def do_GET(self) -> None:  # noqa: N802 # http.server's name
        path = unquote(self.path.partition("?")[0]).lstrip("/") or f"{CONTENTS}.md"
        if (file := served_file(path)) is not None:
            content = file.read_bytes()
            shown = page_html(content.decode(), path).encode() if file.suffix == ".md" else content
            self.send(HTTPStatus.OK, (_TYPES | _OF_PACKAGES)[file.suffix], shown)
        elif served_file(page := f"{path.removesuffix('.html')}.md") is not None:
            self.send(HTTPStatus.FOUND, HTML, b"", {"Location": f"/{quote(page)}"})
        else:
            self.send(HTTPStatus.NOT_FOUND, HTML, page_html(_NOT_FOUND).encode())


def page_server(port: int) -> LoopbackServer:
    return LoopbackServer(_Handler, _POLICY, port)


def served_file(path: str) -> Path | None:
    """Return what is served at a path: a page or what it shows, or a file of a package."""
    installed = Path(__file__).parents[1]
    packages = ((installed / name, path.removeprefix(f"{name}/")) for name in _PACKAGES)
    of_packages = ((folder, rest, _OF_PACKAGES) for folder, rest in packages if rest != path)
    for folder, rest, types in ((pages_folder(), path, _TYPES), *of_packages):
        file = (folder / rest).resolve() if "\0" not in rest else folder
        is_inside = file.is_relative_to(folder.resolve())
        # Path.is_file raises OSError for a name that is too long.
        if is_inside and file.suffix in types and os.path.isfile(file):  # noqa: PTH113
            return file
    return None
