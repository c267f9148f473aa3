"""Whether Argo CD can get the definitions of the training operator's kinds."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.gitops import ChartForm


def check_definitions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where charts come from a mirror, and these definitions from GitHub."""
    cluster = draft.cluster
    is_read = all(map(draft.is_read, (("charts",), ("gitops", "charts"))))
    if not is_read or cluster.training.training_operator is None:
        return
    if cluster.charts.mirror is not None and cluster.gitops.charts is ChartForm.APPLICATION:
        yield Problem(
            ("training", "trainingOperator"),
            "the definitions of its kinds are in no chart, so that charts.mirror lacks them",
            "only with gitops.charts: rendered",
        )
