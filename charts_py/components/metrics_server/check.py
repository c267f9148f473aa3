"""Whether a cluster would have two metrics-servers."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_metrics_server(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where the provider brings what the cluster file asks for."""
    if draft.cluster.addons.metrics_server.install and draft.provider.brings_metrics_server:
        yield Problem(
            ("addons", "metricsServer", "install"),
            f"every cluster on {draft.provider.name} has a metrics-server, and the metrics API has"
            " room for one",
            "false, or leave it out",
        )
