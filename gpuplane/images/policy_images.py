"""The images that NVIDIA's operator runs by a ClusterPolicy, as its rendered chart holds one."""

from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.components.chart import ChartImage, known_chart, value_at
from charts_py.objects.document import Document, key_of
from gpuplane.images.object_images import images_of

_CLUSTER_POLICY = ("nvidia.com", "ClusterPolicy")


@dataclass(frozen=True, slots=True)
class PolicyImage:
    """An image that a ClusterPolicy names."""

    name: str
    has_os_tag: bool
    """Whether the operator adds the operating system of the nodes to the tag."""


def is_cluster_policy(document: Document) -> bool:
    """Return whether it is one of NVIDIA's operator; Kyverno has a kind of the same name."""
    key = key_of(document)
    return (key.group, key.kind) == _CLUSTER_POLICY


def policy_images(document: Document) -> Iterator[PolicyImage]:
    """Yield those that run; its sections are those of the chart's values, with the same switches.

    https://github.com/NVIDIA/gpu-operator (deployments/gpu-operator/templates/clusterpolicy.yaml at
    v26.7.0)
    """
    spec = document["spec"]
    known = [image for image in known_chart("gpu-operator").images if _is_named(image, spec)]
    for name in images_of(document):
        meant = [image for image in known if image.reference(spec) == name]
        if not meant:
            yield PolicyImage(name, has_os_tag=False)
        elif running := [image for image in meant if image.runs(spec)]:
            yield PolicyImage(name, has_os_tag=any(image.has_os_tag for image in running))


def _is_named(image: ChartImage, spec: Document) -> bool:
    return value_at(spec, ".".join(image.repository_path), None) is not None
