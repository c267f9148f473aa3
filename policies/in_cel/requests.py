"""What is asked about a pod, in CEL: `policies.admission.Review` has it in Python."""

from policies.in_cel.literal import text
from policies.in_cel.pod_fields import EPHEMERAL_CONTAINERS, is_among

IS_CREATED = f"(request.operation == {text('CREATE')})"
"""Whether the pod is created."""
_SUBRESOURCE = f"request.?subResource.orValue({text('')})"
OF_POD = f"({_SUBRESOURCE} == {text('')})"
"""Whether it is about the pod itself, and no subresource of it."""
OF_EPHEMERAL = f"({_SUBRESOURCE} == {text('ephemeralcontainers')})"
"""Whether ephemeral containers are added to a pod."""
IS_ADDED = f"({IS_CREATED} || ({OF_EPHEMERAL} && {is_among(EPHEMERAL_CONTAINERS)}))"
"""Whether a `container` is of a pod that is created, or an ephemeral one of a pod that runs;
evaluating it twice tells apart those that the pod has already."""
