"""Custom rules."""

from charts_py.cluster_file.strict_model import StrictModel
from policies.custom_rule import CustomAudience, CustomSeverity


class CustomRule(StrictModel):
    """A rule of the platform team's own, in CEL; docs/own-rules.md says what CEL may call."""

    expression: str
    """What is true of a pod that passes: CEL that reads `object`, the pod, `request.namespace` and
    `request.operation`, and returns a bool."""
    message: str | None = None
    """The message to the author of a pod that does not pass; a line."""
    message_expression: str | None = None
    """CEL that returns the message, instead of `message`."""
    severity: CustomSeverity = CustomSeverity.REFUSE
    """What happens to a pod that does not pass: `refuse` it, or `warn` its author."""
    audience: CustomAudience = CustomAudience.GPU_PODS
    """Pods that it looks at: `gpu-pods`, those that ask for a GPU, or `all-pods`."""
    apply: str | None = None
    """CEL that returns what makes a new pod pass, from Kubernetes 1.36 on: a list of operations of
    a JSON Patch, maps with `op` (`add`, `replace` or `remove`), `path` and `value`."""
