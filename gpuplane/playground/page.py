"""The page, as one file that loads nothing."""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template

import msgspec

from gpuplane.playground.page_data import PageData

_SCRIPTS_BEFORE, _SCRIPTS_AFTER = ("markdown.js", "share_link.js"), ("results.js", "playground.js")
"""Scripts that are the same whoever answers, before the one that asks, and after it."""
_MAY_DO_NOTHING = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
}


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers what the page asks."""

    script: str
    """The file of the script that asks."""
    where: str
    """A sentence for people: where manifests go."""
    allowed: Mapping[str, str]
    """What the page may do besides running its script, as directives of a content security policy
    (https://www.w3.org/TR/CSP3/)."""
    blocks: Mapping[str, str]
    """Further data for the script, by the ID of the element that holds it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and what it may do."""

    html: bytes
    policy: str
    """Its content security policy."""


def build_page(data: PageData, answering: Answering) -> Page:
    """Return the page."""
    scripts = (*_SCRIPTS_BEFORE, answering.script, *_SCRIPTS_AFTER)
    script, style = "".join(map(page_file, scripts)), page_file("playground.css")
    policy = _policy(answering, script, style)
    blocks = {"data": _json_block(data), **answering.blocks}
    html = Template(page_file("index.html")).substitute(
        policy=policy,
        where=answering.where,
        style=style,
        script=script,
        blocks="".join(_block(name, content) for name, content in blocks.items()),
    )
    return Page(html.encode(), policy)


def page_file(name: str) -> str:
    """Return the text of a file of the page."""
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _policy(answering: Answering, script: str, style: str) -> str:
    may = {**_MAY_DO_NOTHING, "script-src": _hash(script), "style-src": _hash(style)}
    for name, sources in answering.allowed.items():
        may[name] = f"{may[name]} {sources}" if name in may else sources
    return "; ".join(f"{name} {sources}" for name, sources in may.items())


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _block(name: str, content: str) -> str:
    return f'<script type="text/plain" id="{name}">{content}</script>\n'


def _json_block(content: object) -> str:
    """Return JSON that stands in HTML, where `<` could end its element."""
    return msgspec.json.encode(content).decode().replace("<", "\\u003c")
