"""The table of workloads says what the CRDs say that stand below the folder of GPUPLANE_MIRROR."""

from collections.abc import Iterator
from typing import Any

import pytest

from policies.document import Document, text
from policies.workloads.pod_template import pod_templates
from policies.workloads.registry import WORKLOAD_KINDS, Status, WorkloadKind, workload_kind
from tests.pinned_definitions import PinnedDefinitions, all_of

INFRASTRUCTURE = {
    "acme.cert-manager.io": {"Challenge": "a server that proves the ownership of a domain"},
    "amd.com": {"DeviceConfig": "the daemons of AMD's GPU operator"},
    "argoproj.io": {"WorkflowTaskSet": "the agent that does HTTP tasks of an Argo Workflow"},
    "cert-manager.io": {
        "ClusterIssuer": "servers that prove the ownership of a domain",
        "Issuer": "servers that prove the ownership of a domain",
    },
    "gateway.envoyproxy.io": {"EnvoyProxy": "the proxies of a gateway"},
    "kai.scheduler": {"Config": "the daemons of the KAI scheduler"},
    "kueue.x-k8s.io": {"ResourceFlavor": "what Kueue adds to the pods of other objects"},
    "mellanox.com": {
        "NicClusterPolicy": "the daemons of NVIDIA's network operator",
        "NicNodePolicy": "the daemons of NVIDIA's network operator",
    },
    "monitoring.coreos.com": {
        "Alertmanager": "a server of the Prometheus operator",
        "Prometheus": "a server of the Prometheus operator",
        "PrometheusAgent": "a server of the Prometheus operator",
        "ThanosRuler": "a server of the Prometheus operator",
    },
    "nvidia.com": {
        "ClusterPolicy": "the daemons of NVIDIA's GPU operator",
        "GPUCluster": "the daemons of NVIDIA's GPU operator",
        "NVIDIADriver": "the daemons of NVIDIA's GPU operator",
    },
    "slinky.slurm.net": {
        "Accounting": "a server of Slurm, which needs no GPU",
        "Controller": "a server of Slurm, which needs no GPU",
        "RestApi": "a server of Slurm, which needs no GPU",
    },
}
"""By API group and kind: what runs in pods that are of the platform and stated in part."""


@pytest.fixture(scope="module")
def crds(pinned_definitions: PinnedDefinitions) -> tuple[Document, ...]:
    return tuple(all_of(pinned_definitions))


def _example(schema: Any) -> Any:
    """Return a value that has every field of a schema, down to pods."""
    fields = schema.get("properties", {})
    if "containers" in fields:
        return {"containers": []}
    if "properties" in schema:
        return {name: _example(field) for name, field in fields.items()}
    if isinstance(values := schema.get("additionalProperties"), dict):
        return {"any": _example(values)}
    return [_example(schema["items"])] if "items" in schema else None


def _pods(value: Any, pointer: str) -> Iterator[str]:
    """Yield where pod specs stand, and name a container of each by its place."""
    if isinstance(value, dict):
        if "containers" in value:
            value["containers"] = [{"name": pointer}]
            yield pointer
        for name, inner in value.items():
            yield from _pods(inner, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _pods(inner, f"{pointer}/{index}")


def _unknown(crd: Document) -> Iterator[tuple[str, str, str]]:
    group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"]
    for version in crd["spec"]["versions"]:
        # There is none of a schema that leaves everything open.
        example = _example(version["schema"]["openAPIV3Schema"]) or {}
        example |= {"apiVersion": f"{group}/{version['name']}", "kind": kind}
        example.pop("status", None)
        stated = list(_pods(example, ""))
        known = set(_known_pods(example))
        yield from ((group, kind, pod) for pod in stated if pod not in known)


def _known_pods(example: Document) -> Iterator[str]:
    """Yield where pod specs stand whose containers are found at that place, or above it."""
    for template in pod_templates(example):
        for container in template.document["spec"]["containers"]:
            place = text(container["name"])
            if f"{place}/".startswith(f"{template.pointer}/"):
                yield place


def _is_infrastructure(group: str, kind: str) -> bool:
    return kind in INFRASTRUCTURE.get(group, {})


def test_every_pod_template_of_the_pinned_crds_is_found(crds: tuple[Document, ...]) -> None:
    unknown = [place for crd in crds for place in _unknown(crd)]
    assert [place for place in unknown if not _is_infrastructure(*place[:2])] == []


def _states_part_of_a_pod(schema: Any) -> bool:
    """Whether a schema has tolerations that are not a device's, or a spec that it leaves open."""
    fields = schema.get("properties", {})
    if "tolerations" in fields and not {"deviceClassName", "driver"} & fields.keys():
        return True
    template = fields.get("template", {}).get("properties", {}).get("spec", {})
    if template.get("x-kubernetes-preserve-unknown-fields"):
        return True
    inner = [field for name, field in fields.items() if name != "status"]
    inner += [schema[name] for name in ("items", "additionalProperties") if name in schema]
    return any(isinstance(each, dict) and _states_part_of_a_pod(each) for each in inner)


def test_every_kind_of_the_pinned_crds_that_states_part_of_a_pod_is_known(
    crds: tuple[Document, ...],
) -> None:
    stating = {
        (crd["spec"]["group"], crd["spec"]["names"]["kind"])
        for crd in crds
        for version in crd["spec"]["versions"]
        if _states_part_of_a_pod(version["schema"]["openAPIV3Schema"])
    }
    assert stating - {(known.group, known.kind) for known in WORKLOAD_KINDS} == {
        (group, kind) for group, kinds in INFRASTRUCTURE.items() for kind in kinds
    }


def _of_crd(spec: Document) -> tuple[str, bool, set[str]]:
    """Return its plural, whether it is namespaced, and its subresources in any served version."""
    served = [version for version in spec["versions"] if version["served"]]
    subresources = {name for version in served for name in version.get("subresources", ())}
    return spec["names"]["plural"], spec["scope"] == "Namespaced", subresources


def _of_table(known: WorkloadKind) -> tuple[str, bool, set[str]]:
    subresources = {"status": known.status is not Status.NONE, "scale": known.has_scale}
    exist = {name for name, exists in subresources.items() if exists}
    return known.resource, known.is_namespaced, exist


def test_a_kind_has_the_plural_scope_and_subresources_of_its_pinned_crd(
    crds: tuple[Document, ...],
) -> None:
    specs = [crd["spec"] for crd in crds]
    pairs = [(workload_kind(spec["group"], spec["names"]["kind"]), spec) for spec in specs]
    known = [(_of_table(kind), _of_crd(spec)) for kind, spec in pairs if kind is not None]
    assert known
    assert [pair for pair in known if pair[0] != pair[1]] == []
