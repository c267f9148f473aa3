"""What a workload says of its pods: the ports at which they answer, and whether they compute."""

import re
from collections.abc import Iterator, Mapping

from policies.document import Json, elements, members, text, value_at

_PORT = re.compile(r"(?<![\w-])--port[= ]+(\S+)")
_PROBES = ("startupProbe", "readinessProbe", "livenessProbe")


def answering(spec: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the template of the pods that answer: of a LeaderWorkerSet, its leaders."""
    group = members(spec.get("leaderWorkerTemplate"))
    templates = (spec.get("template"), group.get("leaderTemplate"), group.get("workerTemplate"))
    return members(next(filter(None, templates), None))


def told_pods(spec: Mapping[str, Json]) -> tuple[tuple[int, ...], bool, tuple[str, ...]]:
    """Return the ports, none where some are not known, whether pods ask for devices, and names."""
    containers = [*_running(members(answering(spec).get("spec")))]
    ports = [port for each in containers for port in _ports(each)]
    known = sorted({port for port in ports if type(port) is int})
    is_known = len({*map(str, ports)}) == len(known)
    names = sorted({name for each in containers for name in _names(each)})
    asks = any(map(_asks_for_devices, containers))
    return tuple(known) if is_known else (), asks, tuple(names)


def _names(container: Mapping[str, Json]) -> Iterator[str]:
    """Yield the names of declared ports."""
    names = (members(each).get("name") for each in elements(container.get("ports")))
    yield from filter(None, map(text, names))


def _running(pod: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Yield the containers that run while it answers."""
    yield from map(members, elements(pod.get("containers")))
    for each in map(members, elements(pod.get("initContainers"))):
        if each.get("restartPolicy") == "Always":
            yield each


def _ports(container: Mapping[str, Json]) -> Iterator[Json]:
    yield from (members(each).get("containerPort") for each in elements(container.get("ports")))
    for probe in _PROBES:
        asked = value_at(container, (probe, "httpGet", "port"))
        # A name is that of a port which the container declares.
        if type(asked) is int:
            yield asked
    words = " ".join(
        text(word) for field in ("command", "args") for word in elements(container.get(field))
    )
    yield from (int(each) if each.isdecimal() else each for each in _PORT.findall(words))


def _asks_for_devices(container: Mapping[str, Json]) -> bool:
    resources = members(container.get("resources"))
    limits = members(resources.get("limits"))
    return bool(resources.get("claims")) or any("/" in name for name in limits)
