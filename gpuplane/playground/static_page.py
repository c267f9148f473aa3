"""A page that needs no server: Python and the rules are in it."""

import gzip
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec.structs import replace as replace_setting

from gpuplane.playground.cluster_facts import ClusterFacts
from gpuplane.playground.page import Answering, Page, build_page, page_file
from gpuplane.playground.page_data import page_data
from gpuplane.playground.pyodide_folder import read_pyodide
from gpuplane.playground.rules_archive import rules_archive

_WHERE = "It stays in this page: your browser runs the rules, and nothing is sent to anybody."
_ALLOWED = {
    "script-src": "blob: 'wasm-unsafe-eval'",
    "worker-src": "blob:",
    "trusted-types": "worker",
}


def static_page(clusters: Sequence[ClusterFacts], examples: Path, pyodide: Path) -> Page:
    """Return the page; raises FileNotFoundError where the folder of Pyodide lacks something."""
    files = {
        **read_pyodide(pyodide),
        "rules.zip": rules_archive(),
        "facts.json": msgspec.json.encode([for_browser(facts) for facts in clusters]),
    }
    packed = {name: _packed(content) for name, content in files.items()}
    blocks = {**packed, "worker": page_file("worker.js")}
    by_browser = Answering("ask_browser.js", _WHERE, _ALLOWED, blocks)
    return build_page(page_data(clusters, examples), by_browser)


def for_browser(facts: ClusterFacts) -> ClusterFacts:
    """Return the facts without rules in CEL: nothing evaluates these in Pyodide."""
    return replace(
        facts,
        settings=replace_setting(facts.settings, own=()),
        unjudged=tuple(own.name for own in facts.settings.own),
        workers=tuple(map(for_browser, facts.workers)),
    )


def _packed(content: bytes) -> str:
    """Return a file so that the script unpacks it; the same for the same bytes."""
    return b64encode(gzip.compress(content, mtime=0)).decode()
