from typing import Any

from policies.document import Document
from policies.workloads.pod_template import pod_templates

GPU = {"nvidia.com/gpu": 8}
LIMITS = {"limits": GPU}
SPOT = [{"key": "spot", "operator": "Exists"}]


def partial_pods(version: str, kind: str, spec: Any) -> dict[str, Document]:
    """Return the parts of pods that a workload states, by the JSON Pointer to each."""
    found = list(pod_templates({"apiVersion": version, "kind": kind, "spec": spec}))
    assert [template for template in found if not template.partial] == []
    return {template.pointer: template.document for template in found}
