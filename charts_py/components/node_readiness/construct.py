"""The rules by which the readiness controller takes taints off nodes."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.node_problem_detector.conditions import GPU_NOT_READY
from charts_py.components.node_readiness.readiness import STARTUP_TAINT
from charts_py.components.node_readiness_controller.readiness_rule import (
    EnforcementMode,
    readiness_rule,
)
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
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
    """Return the rule of a pool."""
    return readiness_rule(
        pool.name,
        {"matchLabels": {POOL: pool.name}},
        ({"type": GPU_NOT_READY, "requiredStatus": "False"},),
        STARTUP_TAINT,
        # A GPU that is lost later must not keep pods off the others.
        EnforcementMode.BOOTSTRAP_ONLY,
    )
