"""The rules of the readiness controller: under which conditions nodes have no taint."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import taint_objects
from gpus.taint import Taint

TAINT_PREFIX = "readiness.k8s.io"
"""The controller takes no other before the key of a taint
(https://github.com/kubernetes-sigs/node-readiness-controller, api/v1alpha1 at v0.5.0)."""


class EnforcementMode(StrEnum):
    """For how long a rule looks at a node."""

    BOOTSTRAP_ONLY = "bootstrap-only"
    """Until the taint is off for the first time."""
    CONTINUOUS = "continuous"
    """Always, so that the taint can come again."""


def readiness_rule(
    name: str,
    selector: Mapping[str, Any],
    conditions: tuple[Mapping[str, str], ...],
    taint: Taint,
    mode: EnforcementMode,
) -> Document:
    """Return a rule for the nodes that a label selector finds; all but `dryRun` is immutable."""
    (taint_object,) = taint_objects((taint,))
    spec = {
        "nodeSelector": selector,
        "conditions": list(conditions),
        "taint": taint_object,
        "enforcementMode": mode.value,
    }
    api_version = "readiness.node.x-k8s.io/v1alpha1"
    return object_of(api_version, "NodeReadinessRule", ObjectMeta(name), {"spec": spec})
