"""The annotation by which the webhook says that nothing is wrong with a new pod, in CEL.

The API server then need not judge the pod a second time. Policies that mutate come before webhooks
that do, so that what a pod arrives with is removed before the webhook writes its own, and a policy
that is not invoked again leaves that alone. `AllOrderedPlugins` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/kubeapiserver/options/plugins.go and
`dispatchInvocations` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go
"""

import hashlib
from functools import lru_cache

from gpus.platform_names import JUDGED
from policies.cel.pod import IS_CREATED
from policies.cel.text import quote
from policies.document import pointer
from policies.in_cel.action import Action
from policies.in_cel.cluster_rules import cluster_variables, findings_by
from policies.in_cel.match_conditions import gpu_pod_conditions
from policies.settings import Settings
from policies.settings_json import read_settings, webhook_settings, write_settings

_VALUE_LENGTH = 12
_KNOWN = 64
"""Settings whose hash is cached: planning and rendering a cluster ask for it several times."""
_STATED = f"object.metadata.?annotations[?{quote(JUDGED)}]"

IS_ANNOTATED = f"{_STATED}.hasValue()"
"""CEL for whether a pod has the annotation, whoever wrote it."""
REMOVED = f'[JSONPatch{{op: "remove", path: {quote(pointer("metadata", "annotations", JUDGED))}}}]'
"""CEL for the JSON Patch that removes it from a pod that has it."""


def judged_by(settings: Settings) -> str:
    """Return what the annotation says: a hash of the settings and of all rules in CEL.

    So a webhook vouches for nothing to policies whose rules are not its own.
    """
    return hash_by(write_settings(webhook_settings(settings)))


@lru_cache(_KNOWN)
def hash_by(written: str) -> str:
    """Return what `judged_by` does, by settings that are written already."""
    read = read_settings(written)  # in the order in which the webhook knows them
    findings = [each.expression for action in Action for each in findings_by(action, read)]
    said = [written, *findings, *cluster_variables(read).values()]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:_VALUE_LENGTH]


def is_unjudged(settings: Settings) -> str:
    """Return CEL for whether a pod is to be judged: the webhook has not, by these rules.

    What is updated is judged in any case, since the annotation is of the pod as it was created. So
    is a pod that the webhook is not shown: others have written its annotation, or taken its GPUs.
    """
    shown = (each["expression"] for each in gpu_pod_conditions(settings))
    judged = (IS_CREATED, f"{_STATED}.orValue({quote('')}) == {quote(judged_by(settings))}", *shown)
    return f"!({' && '.join(f'({each})' for each in judged)})"
