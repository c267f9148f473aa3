"""Who may scrape and alert."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem


def check_monitoring(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for collection that the provider does not have."""
    prometheus, allowed = draft.cluster.addons.monitoring.prometheus, draft.provider.prometheus
    if prometheus is not None and prometheus not in allowed:
        what = f'"{prometheus}" collects no metrics on {draft.cluster.provider}'
        yield Problem(("addons", "monitoring", "prometheus"), what, ", ".join(allowed))
