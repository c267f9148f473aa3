"""Definitions of kinds that are in no chart, which Argo CD gets from their repository."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.platform.draft import Draft


def mirrored_definitions(draft: Draft, path: FieldPath) -> Iterator[Problem]:
    """Yield a problem for what needs them where charts come from a mirror, which lacks them."""
    cluster = draft.cluster
    if not all(map(draft.is_read, (("charts",), ("gitops", "charts")))):
        return
    if cluster.charts.mirror is not None and cluster.gitops.charts is ChartForm.APPLICATION:
        yield Problem(
            path,
            "the definitions of its kinds are in no chart, so that charts.mirror lacks them",
            "only with gitops.charts: rendered",
        )
