"""What daemons report of the nodes of a pool, as stages of KWOK.

https://kwok.sigs.k8s.io/docs/user/stages-configuration/
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, PlatformPool
from gpus.catalog import load_catalog
from gpus.platform_names import POOL
from gpus.taint import Taint
from tests.e2e.manifest import manifest

_ADVERTISED = "kwok.x-k8s.io/devices"
"""Label of a node whose device plugin has registered."""
_NODE = {"apiGroup": "v1", "kind": "Node"}


def pool_stages(platform: Platform) -> list[Document]:
    """Return stages that make nodes which Karpenter has registered what their pool says."""
    stages = [_devices(pool) for pool in platform.pools]
    by_pool = platform.contribution.startup_taints.values()
    if startup_taints := tuple(dict.fromkeys(chain.from_iterable(by_pool))):
        stages.append(_readiness(startup_taints))
    return stages


def _devices(pool: PlatformPool) -> Document:
    """Return kubelet and device plugin: what the pool offers stands in place of whole GPUs."""
    devices = {load_catalog().resource_of(pool.hardware.model): "0"}
    devices |= {resource.name: str(resource.per_node) for resource in pool.facts.resources}
    selector = {
        "matchLabels": {POOL: pool.name, "karpenter.sh/registered": "true"},
        "matchExpressions": [
            _expression('.status.conditions.[] | select( .type == "Ready" ) | .status', "True"),
            {"key": f'.metadata.labels["{_ADVERTISED}"]', "operator": "DoesNotExist"},
        ],
    }
    # Karpenter's own cloud has the CPUs in what is allocatable alone.
    capacity = {"cpu": str(pool.hardware.cpu), **devices}
    status = {"capacity": capacity, "allocatable": devices}
    return _stage(
        f"devices-{pool.name}",
        selector,
        {"subresource": "status", "root": "status", "template": json.dumps(status)},
        {"root": "metadata", "template": json.dumps({"labels": {_ADVERTISED: "registered"}})},
    )


def _readiness(startup_taints: Sequence[Taint]) -> Document:
    """Return the controllers that take the start-up taints off."""
    selector = {
        "matchLabels": {_ADVERTISED: "registered"},
        "matchExpressions": [
            _expression(".spec.taints.[].key", *(taint.key for taint in startup_taints))
        ],
    }
    template = "\n".join(_other_taints(startup_taints))
    return _stage("readiness", selector, {"root": "spec", "template": template})


def _other_taints(startup_taints: Sequence[Taint]) -> Iterator[str]:
    """Yield the lines of the template of a node's taints without some."""
    keys = " ".join(f'"{taint.key}"' for taint in startup_taints)
    yield "taints:"
    yield "{{ range .spec.taints }}"
    yield f"{{{{ if not ( has .key ( list {keys} ) ) }}}}"
    yield "- key: {{ .key | Quote }}"
    yield "  effect: {{ .effect | Quote }}"
    yield '  value: {{ or .value "" | Quote }}'
    yield "{{ end }}"
    yield "{{ end }}"


def _expression(key: str, *values: str) -> Document:
    return {"key": key, "operator": "In", "values": list(values)}


def _stage(name: str, selector: Document, *patches: Document) -> Document:
    merged = {"patches": [{"type": "merge", **patch} for patch in patches]}
    spec = {"resourceRef": _NODE, "selector": selector, "next": merged}
    return manifest("kwok.x-k8s.io/v1alpha1 Stage", name, spec=spec)
