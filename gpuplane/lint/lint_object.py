"""An object as the rules of the linter alone look at it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from charts_py.objects.document import Document
from gpuplane.lint.gpu_pod import GpuPod
from policies.job_priority import kind_of
from policies.offer import Offer
from policies.pod import Pod
from policies.settings import JobKind
from policies.workloads.pod_template import PodTemplate, pod_templates


@dataclass(frozen=True, slots=True)
class LintObject:
    """An object, never a List, and what most rules ask of it, read once for all of them."""

    document: Document
    kind: JobKind
    """With its API group."""
    templates: tuple[PodTemplate, ...]
    """Of its pods; none where it creates no pods."""
    gpu_pods: tuple[GpuPod, ...]
    """The pods that ask for a GPU of the cluster."""


def lint_object(document: Document, offer: Offer) -> LintObject:
    """Read an object; `offer` is that of the cluster in which it is applied."""
    templates = tuple(pod_templates(document))
    return LintObject(document, kind_of(document), templates, tuple(_gpu_pods(templates, offer)))


def _gpu_pods(templates: Sequence[PodTemplate], offer: Offer) -> Iterator[GpuPod]:
    for template in templates:
        pod = Pod(template.document, offer.names.is_gpu)
        if pod.asks_for_gpu:
            yield GpuPod(template.pointer, pod, template.partial)
