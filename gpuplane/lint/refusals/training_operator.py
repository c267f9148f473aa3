"""What the webhooks of the training operator 1.9 refuse.

https://github.com/kubeflow/trainer/tree/v1.9.4/pkg/webhooks; they call for no MPIJob.
"""

from collections.abc import Iterator
from typing import NamedTuple

from charts_py.objects.document import Document
from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.refusals.whole_pod import is_whole_pod
from gpuplane.lint.template_rule import TemplateFinding
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, members, shown, text, unescaped
from policies.workloads.place import at
from policies.workloads.workload_kind import WorkloadKind

_REFUSES = "which the training operator refuses"
_MASTER, _WORKER = "Master", "Worker"


class _Kind(NamedTuple):
    container: str
    """That each replica has."""
    replicas: tuple[str, ...] = (_MASTER, _WORKER)
    """Of which there are no others; empty where any is taken."""
    has_one_master: bool = False


_KINDS = {
    "JAXJob": _Kind("jax", (_WORKER,)),
    "PaddleJob": _Kind("paddle"),
    "PyTorchJob": _Kind("pytorch", has_one_master=True),
    "TFJob": _Kind("tensorflow", ()),
    "XGBoostJob": _Kind("xgboost", has_one_master=True),
}


def refused_by_training_operator(
    document: Document, known: WorkloadKind
) -> Iterator[TemplateFinding]:
    """Find what is refused in a job of `kubeflow.org/v1`; nothing in others."""
    kind = _KINDS.get(known.kind)
    if kind is None or document.get("apiVersion") != "kubeflow.org/v1":
        return
    for place in known.templates:
        for pointer, replica in at(document, place.removesuffix("/template")):
            name = unescaped(pointer.rpartition("/")[2])
            if kind.replicas and name not in kind.replicas:
                yield _unknown(pointer, name, known.kind, kind.replicas)
            elif is_whole_pod(members(replica).get("template")):
                yield from _of_replica(pointer, name, replica, kind)


def _unknown(pointer: str, name: str, kind: str, allowed: tuple[str, ...]) -> TemplateFinding:
    close = nearest_hint(nearest(name, allowed))
    return TemplateFinding(
        pointer,
        f"A {kind} has no replicas called {shown(name)}, {_REFUSES}{close}.",
        f"Call them {' or '.join(allowed)}.",
    )


def _of_replica(pointer: str, name: str, replica: Json, kind: _Kind) -> Iterator[TemplateFinding]:
    fields = members(replica)
    count = fields.get("replicas")
    if kind.has_one_master and name == _MASTER and count != 1 and type(count) is not str:
        stated = "states no replicas" if count is None else f"has {shown(count)} replicas"
        yield TemplateFinding(
            f"{pointer}/replicas",
            f"The {_MASTER} {stated}, {_REFUSES}.",
            "Set replicas to 1.",
        )
    containers = elements(members(members(fields.get("template")).get("spec")).get("containers"))
    names = [text(members(each).get("name")) for each in containers]
    if kind.container not in names and not any(map(is_placeholder, names)):
        one = shown(names[0]) if len(names) == 1 else "the one that trains"
        yield TemplateFinding(
            f"{pointer}/template/spec/containers",
            f"The {shown(name)} has no container called {kind.container}, {_REFUSES}.",
            f"Rename {one} to {kind.container}.",
        )
