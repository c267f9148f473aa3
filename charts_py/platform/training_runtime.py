"""Names and images that the runtimes of Kubeflow Trainer share with jobs.

Names and images are those of https://github.com/kubeflow/trainer at v2.3.0 (pkg/constants and
charts/kubeflow-trainer/files/runtimes).
"""

from collections.abc import Mapping

from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.fabric import is_whole
from charts_py.platform.platform import Platform, PlatformPool
from gpus.vendor import NVIDIA

API_VERSION = "trainer.kubeflow.org/v1alpha1"
NODE = "node"
"""The job of a runtime whose pods compute, and the container of its pods that Trainer changes."""
LAUNCHER = "launcher"
"""The job of a runtime of MPI that starts the processes, and computes, too."""
GRACE_SECONDS = 120
"""From SIGTERM to SIGKILL, for a last checkpoint: EC2 takes a spot node as long after its notice
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html)."""

_SEVERAL = 2
_IMAGES = {
    Framework.TORCH: "docker.io/pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
    Framework.DEEPSPEED: "ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.3.0",
    Framework.JAX: "nvcr.io/nvidia/jax:25.10-py3",
}


def runtime_name(framework: Framework, pool: PlatformPool) -> str:
    return f"{framework}-{pool.name}"


def runtime_pools(platform: Platform) -> tuple[PlatformPool, ...]:
    """Return the pools that have runtimes: those of whole NVIDIA GPUs, several on a node."""
    return tuple(
        pool
        for pool in platform.pools_of(NVIDIA)
        if is_whole(pool) and pool.facts.gpus_per_node >= _SEVERAL
    )


def runtime_images(trainer: Trainer) -> Mapping[Framework, str]:
    """Return the image of each framework that has runtimes, in the order of frameworks.

    It is that of jobs which name none.
    """
    images = _IMAGES | trainer.images
    return {framework: images[framework] for framework in Framework if framework in images}


def has_launcher(framework: Framework | None) -> bool:
    """Return whether the first of the pods starts the processes of all."""
    return framework in (Framework.MPI, Framework.DEEPSPEED)
