"""Pods that no rule looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.admission import CREATE, UPDATE
from policies.settings import ALWAYS_EXEMPT

if TYPE_CHECKING:
    from policies.admission import Review
    from policies.pod import Pod
    from policies.settings import Settings

_JUDGED = (CREATE, UPDATE)


def is_exempt(pod: Pod, namespace: str, review: Review, settings: Settings) -> bool:
    """Whether no rule looks at the pod.

    Exempt are namespaces and service accounts of the platform, static pods, pods that select
    Windows nodes and pods that are being deleted. No label exempts a pod, since anybody can set
    one.
    """
    return (
        review.operation not in _JUDGED
        or is_exempt_namespace(namespace, settings)
        or pod.is_mirror
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
