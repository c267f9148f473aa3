"""The pods of a workload that ask for GPUs."""

from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.lint.template_rule import TemplateContext
from charts_py.objects.document import Document
from policies.container import Container
from policies.document import text
from policies.pod import Pod
from policies.settings import JobKind
from policies.workloads.pod_template import pod_templates


@dataclass(frozen=True, slots=True)
class GpuPod:
    """A template of pods that ask for a GPU."""

    pointer: str
    """JSON Pointer from the workload to it."""
    pod: Pod
    partial: bool
    """Whether it states only some of what the pods will have."""

    def is_below(self, pointer: str) -> bool:
        """Whether it stands in what a JSON Pointer leads to."""
        return self.pointer.startswith(f"{pointer}/")


def whole_gpus(container: Container) -> int | None:
    """Return the GPUs of a container; None where that is not a number, as with claims."""
    amounts = container.gpus.values()
    whole = [amount for amount in amounts if type(amount) is int]
    known = len(whole) == len(amounts) and not container.has_claims
    return sum(whole) or None if known else None


def kind_of(document: Document) -> JobKind:
    """Return the kind of an object, with its API group."""
    group = text(document.get("apiVersion")).rpartition("/")[0]
    return JobKind(group, text(document.get("kind")))


def gpu_pods(document: Document, context: TemplateContext) -> Iterator[GpuPod]:
    """Yield the pods of a workload that ask for a GPU; none of other objects."""
    for template in pod_templates(document):
        pod = Pod(template.document, context.offer.names.is_gpu)
        if pod.asks_for_gpu:
            yield GpuPod(template.pointer, pod, template.partial)
