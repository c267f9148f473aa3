"""What environments to work in state about their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import members
from policies.workloads.place import at
from policies.workloads.pod_part import pod_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document, Json


def workspace_options(pod_template: Json) -> Iterator[tuple[str, Document]]:
    """Yield a pod for each option that a WorkspaceKind of Kubeflow Notebooks has for pods.

    Images are options of their own, which go with any of these.
    """
    common = members(pod_template)
    container = {"name": "main", "securityContext": common.get("containerSecurityContext")}
    of_all = {
        "securityContext": common.get("securityContext"),
        "volumes": common.get("extraVolumes"),
    }
    for pointer, option in at(pod_template, "/options/podConfig/values/*/spec"):
        fields = members(option)
        resources = {"resources": fields.get("resources")}
        yield pointer, pod_part({**of_all, **fields}, {**container, **resources})
