"""The page as one file of HTML that loads nothing."""

import hashlib
from base64 import b64encode
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gpuplane.fleet_report.bar_chart import BarChart, draw
from gpuplane.fleet_report.gpu_drawing import GpuDrawings
from gpuplane.fleet_report.report_page import ReportPage, ReportTable

_TEMPLATES = files(__package__) / "templates"


def page_html(page: ReportPage) -> str:
    """Return the page; the same bytes for the same content.

    Its policy (https://www.w3.org/TR/CSP3/) lets a browser load nothing, and run only the style
    and the script that are in it.
    """
    style, script = _text("page.css"), _text("page.js")
    environment = Environment(
        autoescape=True,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.tests |= {
        "table": lambda part: isinstance(part, ReportTable),
        "chart": lambda part: isinstance(part, BarChart),
        "drawings": lambda part: isinstance(part, GpuDrawings),
    }
    return environment.from_string(_text("page.html")).render(
        page=page,
        # Markup: they are the package's own, and must stay as they are hashed.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=(
            f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        picture=_picture,
    )


def _picture(chart: BarChart) -> Markup | None:
    """Return a chart that can be read aloud; None where it cannot be drawn."""
    svg = draw(chart)
    if svg is None:
        return None
    opening = Markup('<svg role="img" aria-labelledby="{0}.title {0}.text" ').format(chart.name)
    title = Markup('<title id="{0}.title">{1}</title><desc id="{0}.text">{2}</desc>').format(
        chart.name, chart.title, chart.description
    )
    start, _, rest = svg.removeprefix("<svg ").partition(">")
    # Vega escapes every text that it draws.
    return opening + Markup(start) + Markup(">") + title + Markup(rest)  # noqa: S704


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
