"""GPUs whose device plugin gpuplane does not install."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from gpus.vendor import GAUDI


def check_device_plugin(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each Gaudi pool, unless the cluster brings its own manifests."""
    is_read = draft.is_whole(("extensions", "manifests"))
    if draft.cluster.extensions.manifests is not None or not is_read:
        return
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vendor == GAUDI:
            field = "gpu" if pool.spec.gpu is not None else "instanceType"
            what = f"gpuplane installs no device plugin for {pool.hardware.model.name}"
            allowed = "add Habana's device plugin with extensions.manifests"
            yield Problem((*pool.path, field), what, allowed)
