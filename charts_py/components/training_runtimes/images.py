"""The images of runtimes, for jobs that name none.

Those of https://github.com/kubeflow/trainer at v2.3.0 (charts/kubeflow-trainer/files/runtimes).
"""

from collections.abc import Mapping

from charts_py.spec.training import Framework, Trainer

_DEFAULTS = {
    Framework.TORCH: "docker.io/pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
    Framework.DEEPSPEED: "ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.3.0",
    Framework.JAX: "nvcr.io/nvidia/jax:25.10-py3",
}


def runtime_images(trainer: Trainer) -> Mapping[Framework, str]:
    """Return the image of each framework that has runtimes, in the order of frameworks."""
    images = _DEFAULTS | trainer.images
    return {framework: images[framework] for framework in Framework if framework in images}
