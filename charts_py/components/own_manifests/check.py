"""Whether what a cluster adds is there."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_extensions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a folder of manifests that is missing."""
    manifests = draft.cluster.extensions.manifests
    if manifests is not None and not (draft.directory / manifests).is_dir():
        what = f"no folder {draft.directory / manifests}"
        yield Problem(("extensions", "manifests"), what, "a folder beside the cluster file")
