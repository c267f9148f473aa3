"""Pods that no rule looks at."""

from policies.admission import CREATE, UPDATE, Review
from policies.pod import Pod
from policies.settings import ALWAYS_EXEMPT, Settings

_JUDGED = (CREATE, UPDATE)


def is_exempt(pod: Pod, namespace: str, review: Review, settings: Settings) -> bool:
    """Whether no rule looks at the pod.

    Exempt are namespaces and service accounts of the platform, static pods, pods that select
    Windows nodes and pods that are being deleted. No label exempts a pod, and no annotation does
    on a new one, since anybody can set it.
    """
    return (
        review.operation not in _JUDGED
        or is_exempt_namespace(namespace, settings)
        or (pod.is_mirror and not _is_false_mirror(review))
        or pod.is_ending
        or pod.is_windows
        or (
            bool(settings.exempt_service_accounts)
            and f"{namespace}/{pod.service_account}" in settings.exempt_service_accounts
        )
    )


def is_exempt_namespace(namespace: str, settings: Settings) -> bool:
    """Whether no rule looks at the pods of a namespace, whatever they are."""
    return namespace in ALWAYS_EXEMPT or namespace in settings.exempt_namespaces


def _is_false_mirror(review: Review) -> bool:
    """Whether somebody else than a kubelet says of a new pod that it mirrors a static one.

    No update can say so: `ValidatePodSpecificAnnotationUpdates` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
    """
    return review.creator is not None and not review.creator.is_kubelet
