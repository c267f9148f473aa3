"""What the chart of AMD's operator cannot do."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.platform.draft import Draft
from gpus.vendor import AMD

CHART = "gpu-operator-charts"


def check_chart(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where it is to be rendered, for which Helm needs what it depends on.

    Of that, node-feature-discovery v0.18.3 is not pinned, which is in a Helm repository
    (https://github.com/ROCm/gpu-operator/blob/v1.5.1/helm-charts-k8s/Chart.yaml).
    """
    is_rendered = draft.cluster.gitops.charts is ChartForm.RENDERED
    vendors = {pool.hardware.model.vendor for pool in draft.pools if pool.hardware is not None}
    if is_rendered and AMD in vendors:
        what = f"the chart {CHART} of AMD's operator depends on a chart that is not pinned"
        yield Problem(("gitops", "charts"), what, ChartForm.APPLICATION.value)
