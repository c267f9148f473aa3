"""What containers refer to in their pod: volumes, and ports by name.

The API server refuses mounts of no volume: `ValidateVolumeMounts` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go. The
kubelet looks for a port among those of the probe's own container: `ResolveContainerPort` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/probe/util.go
"""

from collections.abc import Iterator, Sequence

from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import RuleFinding, WrittenContainer, written_containers
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, listed, members, shown, text, value_at
from policies.workloads.pod_template import PodTemplate

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_ASKING = ("httpGet", "tcpSocket")


def unknown_references(template: PodTemplate, claims: Json) -> Iterator[RuleFinding]:
    """Find mounts of no volume, and probes of no port; `claims` are those of a StatefulSet."""
    volumes = elements(value_at(template.document, ("spec", "volumes")))
    names = [
        *_names(volumes),
        *_names([members(each).get("metadata") for each in elements(claims)]),
    ]
    for container in written_containers(template):
        yield from _unknown_volumes(container, names)
        yield from _unknown_ports(container)


def _names(named: Sequence[Json]) -> list[str]:
    return [text(members(each).get("name")) for each in named]


def _unknown_volumes(container: WrittenContainer, names: Sequence[str]) -> Iterator[RuleFinding]:
    for index, mount in enumerate(elements(container.raw.get("volumeMounts"))):
        name = text(members(mount).get("name"))
        if name and name not in names and not any(map(is_placeholder, (name, *names))):
            yield RuleFinding(
                f"{container.pointer}/volumeMounts/{index}/name",
                f"The {container.culprit} mounts {shown(name)}, but the pod has no such volume, so "
                f"the API server refuses it{nearest_hint(nearest(name, names))}.",
                "Declare it among the volumes of the pod.",
            )


def _unknown_ports(container: WrittenContainer) -> Iterator[RuleFinding]:
    names = _names(elements(container.raw.get("ports")))
    for probe in _PROBES:
        for asking in _ASKING:
            port = text(value_at(container.raw, (probe, asking, "port")))
            is_open = port.isdecimal() or any(map(is_placeholder, (port, *names)))
            if port and port not in names and not is_open:
                declared = f"; declared: {listed(names)}" if any(names) else ""
                yield RuleFinding(
                    f"{container.pointer}/{probe}/{asking}/port",
                    f"The {probe} of the {container.culprit} asks port {shown(port)}, which that "
                    f"does not declare, so that it never passes{declared}.",
                    "Name it among the ports of the container.",
                )
