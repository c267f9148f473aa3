"""What has the autoscaler start all nodes of a job before the job starts.

https://kueue.sigs.k8s.io/docs/concepts/admission_check/provisioning_request/
"""

from collections.abc import Iterable, Iterator
from typing import Any

from charts_py.components.kueue_queues.api import API_VERSION, GROUP
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform

QUEUED_NODES = "queued-nodes"
"""The AdmissionCheck, and its configuration."""


def provisioning(platform: Platform) -> Iterator[Document]:
    """Yield the check of jobs that wait for nodes, where some pool has such nodes."""
    queued = [pool for pool in platform.pools if pool.spec.nodes.queued]
    if not queued:
        return
    resources = sorted({resource.name for pool in queued for resource in pool.facts.resources})
    metadata = ObjectMeta(QUEUED_NODES)
    config = {
        "provisioningClassName": platform.provider.provisioning_class,
        "managedResources": resources,
    }
    yield object_of(API_VERSION, "ProvisioningRequestConfig", metadata, {"spec": config})
    check = {
        "controllerName": f"{GROUP}/provisioning-request",
        "parameters": {
            "apiGroup": GROUP,
            "kind": "ProvisioningRequestConfig",
            "name": QUEUED_NODES,
        },
    }
    yield object_of(API_VERSION, "AdmissionCheck", metadata, {"spec": check})


def admission_checks(pools: Iterable[str], platform: Platform) -> dict[str, Any]:
    """Return the part of a ClusterQueue with these pools that has jobs wait for nodes."""
    queued = [pool for pool in pools if platform.pool(pool).spec.nodes.queued]
    if not queued:
        return {}
    rule = {"name": QUEUED_NODES, "onFlavors": queued}
    return {"admissionChecksStrategy": {"admissionChecks": [rule]}}
