"""The pages of the documentation as HTML, for browsers on this machine."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt

from gpuplane.pages import CONTENTS, pages_folder

LOOPBACK = "127.0.0.1"
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_TYPES = {".md": _HTML, ".svg": "image/svg+xml", ".yaml": _TEXT}
"""What is served of the folder, and as what: pages keep their names, so that their links work."""
_PACKAGES = ("charts_py", "gpus")
"""Packages whose tables and code pages link to; an installation has them beside this one."""
_OF_PACKAGES = dict.fromkeys((".py", ".toml", ".yaml"), _TEXT)
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
_NOT_FOUND = """\
# Not found

No page is called so; the list of all pages leads to each.
"""


def page_html(markdown: str) -> str:
    """Return a page in HTML, with the anchors by which GitHub names its headings."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    titles = [
        (heading, inside.content)
        for heading, inside in pairwise(tokens)
        if heading.type == "heading_open"
    ]
    for (heading, _), anchor in zip(titles, _anchors([title for _, title in titles]), strict=True):
        heading.attrSet("id", anchor)
    body = parser.renderer.render(tokens, parser.options, {})
    return _PAGE.format(title=titles[0][1] if titles else "gpuplane", body=body)


def _anchors(titles: Sequence[str]) -> list[str]:
    anchors: list[str] = []
    for title in titles:
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        plain = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        again = sum(each == plain or each.startswith(f"{plain}-") for each in anchors)
        anchors.append(f"{plain}-{again}" if plain in anchors else plain)
    return anchors


class PageServer(ThreadingHTTPServer):
    """Serves the pages on the loopback address."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # the name is http.server's
        path = unquote(self.path.partition("?")[0]).lstrip("/") or f"{CONTENTS}.md"
        if (file := served_file(path)) is not None:
            content = file.read_bytes()
            shown = page_html(content.decode()).encode() if file.suffix == ".md" else content
            self._answer(HTTPStatus.OK, (_TYPES | _OF_PACKAGES)[file.suffix], shown)
        elif served_file(page := f"{path.removesuffix('.html')}.md") is not None:
            self._answer(HTTPStatus.FOUND, _HTML, b"", f"/{quote(page)}")
        else:
            self._answer(HTTPStatus.NOT_FOUND, _HTML, page_html(_NOT_FOUND).encode())

    def _answer(self, status: HTTPStatus, kind: str, content: bytes, to: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if to is not None:
            self.send_header("Location", to)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def served_file(path: str) -> Path | None:
    """Return what is served at a path: a page or what it shows, or a file of a package."""
    installed = Path(__file__).parents[1]
    packages = ((installed / name, path.removeprefix(f"{name}/")) for name in _PACKAGES)
    of_packages = ((folder, rest, _OF_PACKAGES) for folder, rest in packages if rest != path)
    for folder, rest, types in ((pages_folder(), path, _TYPES), *of_packages):
        file = (folder / rest).resolve() if "\0" not in rest else folder
        is_inside = file.is_relative_to(folder.resolve())
        if is_inside and file.suffix in types and file.is_file():
            return file
    return None
