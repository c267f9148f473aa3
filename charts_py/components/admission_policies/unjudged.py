"""Removes from arriving pods the annotation by which the webhook vouches for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.mutating_policy import MutatingPolicy
from charts_py.components.admission_policies.policy import named
from charts_py.platform.judged_namespaces import judged_namespaces
from charts_py.platform.wave import SYNC_WAVE
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.judged_annotation import IS_ANNOTATED, REMOVED

if TYPE_CHECKING:
    from policies.settings import Settings

NAME = f"pods-unjudged.{LABEL_PREFIX}"
_NEW_PODS = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["pods"],
}


def unjudged_policy(settings: Settings) -> MutatingPolicy:
    """Return the policy, for all pods that the policies of the rules judge."""
    return MutatingPolicy(
        name=NAME,
        namespaces=judged_namespaces(settings),
        rule=_NEW_PODS,
        body={
            "matchConditions": named({"is-annotated": IS_ANNOTATED}),
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": REMOVED}}],
        },
        failure_policy="Fail",
        # The second time the annotation is the webhook's.
        reinvocation_policy="Never",
        # No policy heeds the annotation before nobody else can set it.
        annotations={SYNC_WAVE: "-1"},
    )
