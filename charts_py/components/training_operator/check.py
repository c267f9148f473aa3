"""Whether Argo CD can get the definitions of the training operator's kinds, and pods its images."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.components.refused_images import allowed_images, refused_images
from charts_py.components.training_operator.names import INIT_IMAGE
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform


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


def refused_pods(platform: Platform) -> Iterator[Fault]:
    """Yield why admission refuses the workers of PyTorchJobs."""
    if platform.cluster.training.training_operator is None:
        return
    for refused in refused_images(platform, (INIT_IMAGE,)):
        what = f"admission refuses workers of PyTorchJobs: they wait in {refused}, of no allowed "
        path = ("training", "trainingOperator")
        yield platform.fault(path, f"{what}registry", allowed_images(platform))
