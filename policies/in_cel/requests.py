"""What is asked about a pod, in CEL: `policies.admission.Review` has it in Python."""

from policies.in_cel.literal import text

IS_CREATED = f"(request.operation == {text('CREATE')})"
"""Whether the pod is created."""
IS_ADDED = (
    f"({IS_CREATED} || (request.?subResource.orValue({text('')}) == {text('ephemeralcontainers')}"
    " && object.spec.?ephemeralContainers.orValue([]).exists(one, one.name == container.name)))"
)
"""Whether a `container` is of a pod that is created, or an ephemeral one of a pod that runs; those
that the pod has already are told apart by evaluating it twice."""
