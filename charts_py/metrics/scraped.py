"""Series by who is scraped: what exporters say of nodes and GPUs, and not what pods of teams say.

Where Prometheus scrapes those as well, it sets `namespace` to theirs and they cannot change it: the
Prometheus operator with `enforcedNamespaceLabel`, Google's managed collection with each
PodMonitoring. Series of a namespace's own objects have its name whoever serves them.
"""

from charts_py.metrics.recorded import NAMESPACE_INFO


def from_no_team(series: str) -> str:
    """Return those of the series, in PromQL, that are from no namespace of a team."""
    return f"({series} unless on (namespace) {NAMESPACE_INFO.name})"
