"""The rules by which the readiness controller takes taints off nodes."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.node_readiness.readiness import (
    CONDITION,
    STARTUP_TAINT,
)
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from gpus.platform_names import POOL


class NodeReadiness(Construct):
    """One NodeReadinessRule per pool."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, _documents(platform))


def _documents(platform: Platform) -> Iterator[Document]:
    for pool in platform.pools:
        yield node_readiness_rule(pool)


def node_readiness_rule(pool: PlatformPool) -> Document:
    """Return the rule of a pool; all but `dryRun` is immutable."""
    (taint,) = taint_objects((STARTUP_TAINT,))
    spec = {
        "nodeSelector": {"matchLabels": {POOL: pool.name}},
        "conditions": [{"type": CONDITION, "requiredStatus": "False"}],
        "taint": taint,
        # A GPU that is lost later must not keep pods off the others.
        "enforcementMode": "bootstrap-only",
    }
    api_version = "readiness.node.x-k8s.io/v1alpha1"
    return object_of(api_version, "NodeReadinessRule", ObjectMeta(pool.name), {"spec": spec})
