"""The pages of the documentation as HTML, for browsers on this machine."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt

from gpuplane.pages import CONTENTS, pages_folder

LOOPBACK = "127.0.0.1"
_HTML = "text/html; charset=utf-8"
_TYPES = {".md": _HTML, ".svg": "image/svg+xml"}
"""What is served of the folder, and as what: pages keep their names, so that their links work."""
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
        if (file := _served_file(path)) is None:
            self.send_error(HTTPStatus.NOT_FOUND, explain="It is no page of the documentation.")
            return
        content = file.read_bytes()
        if file.suffix == ".md":
            content = page_html(content.decode()).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _TYPES[file.suffix])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def _served_file(path: str) -> Path | None:
    folder = pages_folder().resolve()
    file = (folder / path).resolve() if "\0" not in path else folder
    is_served = file.is_relative_to(folder) and file.suffix in _TYPES and file.is_file()
    return file if is_served else None
