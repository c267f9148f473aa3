"""What jobs of Kubeflow Trainer, Spark and Slurm state about their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members, text
from policies.workloads.pod_part import one, pod_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document, Json
    from policies.workloads.workload_kind import Read


@one
def trainer(stated: Json) -> Document:
    """Return the pod of the nodes of a TrainJob."""
    fields = members(stated)
    container = {"name": "node", **fields, "resources": fields.get("resourcesPerNode")}
    return pod_part({}, container)


def spark_application(spec: Json) -> Iterator[tuple[str, Document]]:
    """Yield the pods of a Spark application's driver and executors."""
    return _spark_roles(spec, "driver", "executor")


def spark_connect(spec: Json) -> Iterator[tuple[str, Document]]:
    """Yield the pods of a Spark server and its executors."""
    return _spark_roles(spec, "server", "executor")


def _spark_roles(spec: Json, *roles: str) -> Iterator[tuple[str, Document]]:
    application = members(spec)
    for role in roles:
        own = members(application.get(role))
        gpu = members(own.get("gpu"))
        limits = {text(gpu.get("name")): gpu.get("quantity")} if gpu else {}
        container = {
            "name": role,
            "image": application.get("image"),
            **own,
            "resources": {"limits": limits},
        }
        template = members(members(own.get("template")).get("spec"))
        others = (*elements(own.get("sidecars")), *elements(template.get("containers")))
        volumes = [*elements(application.get("volumes")), *elements(template.get("volumes"))]
        yield f"/{role}", pod_part({**template, **own, "volumes": volumes}, container, *others)


def slurm_daemon(daemon: str) -> Read:
    """Make a reader of the pod of a Slurm daemon, which has the name of its container's field."""

    @one
    def read(spec: Json) -> Document:
        fields = members(spec)
        pod = members(members(fields.get("template")).get("spec"))
        container = {"name": daemon, **members(fields.get(daemon))}
        return pod_part(pod, container, *elements(pod.get("containers")))

    return read
