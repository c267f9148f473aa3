"""The page as one file of HTML that loads nothing."""

import hashlib
from base64 import b64encode
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gpuplane.alike_clusters import names_of, same_holds
from gpuplane.fleet_report.figure_words import gap_words, gpus_words, known_words
from gpuplane.fleet_report.plan_words import plan_command, verdict_words
from gpuplane.fleet_report.pool_bar import MEANINGS, bar_of
from gpuplane.fleet_report.report_page import ReportPage
from gpuplane.fleet_report.told_once import told_once

_TEMPLATES = files(__package__) / "templates"
_MAX_OPEN = 24
"""Pools that are shown at once; of more, those of clusters that do not change are folded."""


def page_html(page: ReportPage) -> str:
    """Return the page; the same bytes for the same content.

    Its policy (https://www.w3.org/TR/CSP3/) lets a browser load nothing, and run only the style
    and the script that are in it.
    """
    once, others = told_once(page)
    used = {part.holder for pool in page.pools for part in pool.parts}
    style, script = _text("page.css"), _text("page.js")
    environment = Environment(
        autoescape=True,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "gpus": gpus_words,
        "known": known_words,
        "gap": gap_words,
        "verdict": verdict_words,
        "bar": bar_of,
        "names": names_of,
        "same": same_holds,
    }
    return environment.from_string(_text("page.html")).render(
        page=once,
        others=others,
        count=len(page.clusters),
        # Markup: they are the package's own, and must stay as they are hashed.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=(
            f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        scale=max((each.gpus_at_most for each in page.pools), default=1),
        is_small=len(once.pools) <= _MAX_OPEN,
        meanings={holder: words for holder, words in MEANINGS.items() if holder in used},
        command=plan_command(page.base),
    )


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
