"""The reference of the series that Prometheus records: what each is, and how it is computed."""

from collections.abc import Iterable, Iterator

from charts_py.components.gpu_usage.rules import figure_rules
from charts_py.metrics.series import RecordedSeries, known_series

_INTRODUCTION = """\
# Recorded series

What Prometheus records, [where the cluster has it](../monitoring.md). [Where the numbers come
from](../figures.md) has the formulas in words, and what is missing.
"""

_OF_ONE_MAKER = (
    "Where an expression is on exporters of several makers, a cluster has the part of its own."
)

_HEADER = "| Series | Labels | One for each | What it is |\n|---|---|---|---|"


def recorded_series_page() -> str:
    """Return the page as Markdown."""
    recorded = known_series().recorded
    return "\n".join(
        [
            _INTRODUCTION,
            *_table("Facts of the cluster file", (each for each in recorded if each.is_fact)),
            *_table("Figures", (each for each in recorded if not each.is_fact)),
            *_expressions(),
        ]
    )


def _table(title: str, series: Iterable[RecordedSeries]) -> Iterator[str]:
    yield from (f"## {title}", "", _HEADER)
    for each in series:
        labels = ", ".join(f"`{label}`" for label in each.labels)
        yield f"| `{each.name}` | {labels} | {each.one_for_each} | {each.help} |"
    yield ""


def _expressions() -> Iterator[str]:
    yield from ("## Expressions", "", _OF_ONE_MAKER, "")
    for rule in figure_rules():
        yield from (f"`{rule.record}`", "", "```promql", rule.expression, "```", "")
