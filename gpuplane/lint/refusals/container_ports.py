"""A port is from 1 to 65535.

https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go
(`IsValidPortNum`)
"""

from collections.abc import Iterator

from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.template_rule import TemplateFinding
from gpuplane.lint.written_containers import WrittenContainer, written_containers
from policies.document import Json, elements, members, shown
from policies.workloads.pod_template import PodTemplate

_HIGHEST = 65535


def wrong_ports(template: PodTemplate) -> Iterator[TemplateFinding]:
    """Find what is not a port among those of a template's containers."""
    for container in written_containers(template):
        for index, port in enumerate(elements(container.raw.get("ports"))):
            value = members(port).get("containerPort")
            if value is not None and not _is_port(value):
                yield _wrong(container, index, value)


def _is_port(value: Json) -> bool:
    return is_placeholder(value) or (type(value) is int and 0 < value <= _HIGHEST)


def _wrong(container: WrittenContainer, index: int, value: Json) -> TemplateFinding:
    stated = f'the string "{shown(value)}"' if type(value) is str else shown(value)
    return TemplateFinding(
        f"{container.pointer}/ports/{index}/containerPort",
        f"The {container.culprit} has {stated} for containerPort, which Kubernetes refuses: a port "
        f"is a number from 1 to {_HIGHEST}.",
        "State the port that its program listens on.",
    )
