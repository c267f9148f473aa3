"""GPUs of AMD on AKS."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from charts_py.providers.aks.agent_pool_api import NO_GPU_PROFILE
from gpus.vendor import AMD


def check_amd(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of AMD GPUs, from which AKS must leave out NVIDIA's driver.

    https://learn.microsoft.com/azure/aks/use-amd-gpus
    """
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vendor == AMD:
            what = f"AKS makes nodes with {pool.hardware.model.name} only by {NO_GPU_PROFILE}"
            yield Problem((*pool.path, "instanceType"), what, "GPUs of nvidia")
