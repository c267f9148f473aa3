"""The rules of the readiness controller: nodes lose a taint once conditions hold."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.draft import Draft
from charts_py.providers.registry import PROVIDERS
from gpus.taint import NO_SCHEDULE, Taint

WITH_KARPENTER = f'with eks.provisioner "{EksProvisioner.KARPENTER}"'
"""Where an autoscaler knows it."""
TAINT_PREFIX = "readiness.k8s.io"
"""The controller takes no other before the key of a taint
(https://github.com/kubernetes-sigs/node-readiness-controller, api/v1alpha1 at v0.5.0)."""
STARTUP_TAINT = Taint(f"{TAINT_PREFIX}/gpu-not-ready", "true", NO_SCHEDULE)


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


def takes_startup_taints(draft: Draft) -> bool:
    """Return whether what makes the nodes knows the taints that they start with.

    An autoscaler that does not know the taint starts another node in place of each that has it.
    """
    return PROVIDERS[draft.provider.name].provisioner(draft.cluster).takes_startup_taints


def unknown_taint(draft: Draft, field: FieldPath, allowed: str) -> Problem:
    """Return the problem of a field that asks for such a taint where none knows it."""
    what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
    return Problem(field, what, allowed)
