"""MPS on GKE."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_mps(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE that is shared by MPS.

    Google's device plugin mounts `/tmp/nvidia-mps` into a container and nothing else, so that the
    server reaches a client's memory only in the host's IPC namespace, which teams never get.
    pkg/gpu/nvidia/manager.go of https://github.com/GoogleCloudPlatform/container-engine-accelerators
    at 992db81; https://cloud.google.com/kubernetes-engine/docs/how-to/nvidia-mps-gpus
    """
    for pool in draft.pools:
        if pool.facts is not None and pool.sharing.mps > 1:
            what = "MPS on GKE takes pods with hostIPC, which are refused"
            yield Problem((*pool.path, "sharing", "mps"), what, "timeSlicing")
