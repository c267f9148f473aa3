"""What the rules fix of pods, as a policy by which the API server itself does it.

Each stage of fixes is a mutation: the API server writes the pod and reads it again for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.mutating_policy import MutatingPolicy, json_patch
from charts_py.components.admission_policies.policy import named
from charts_py.platform.judged_namespaces import judged_namespaces
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.cluster_fixes import fix_stages, fix_variables
from policies.in_cel.exemption import exemptions
from policies.in_cel.match_conditions import gpu_pod_conditions
from policies.in_cel.variables import needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.settings import Settings

NAME = f"pods-fixed.{LABEL_PREFIX}"
_PODS = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE", "UPDATE"],
    "resources": ["pods", "pods/ephemeralcontainers"],
}


def fixes_policies(settings: Settings) -> Iterator[MutatingPolicy]:
    """Yield the policy, where some rule fixes something."""
    if stages := fix_stages(settings):
        yield MutatingPolicy(
            name=NAME,
            namespaces=judged_namespaces(settings),
            rule=_PODS,
            body={
                "matchConditions": [
                    *named(exemptions(settings)),
                    *gpu_pod_conditions(settings),
                ],
                "variables": named(needed(stages, fix_variables(settings))),
                "mutations": [json_patch(stage) for stage in stages],
            },
            # What must hold, another policy validates.
            failure_policy="Ignore",
            # What another one changes may need a fix of its own.
            reinvocation_policy="IfNeeded",
        )
