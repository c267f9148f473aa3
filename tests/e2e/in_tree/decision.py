"""What the API server decides about a pod, by its own policies."""

from __future__ import annotations

import re
from dataclasses import dataclass

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient, ApiError

_DENIED = re.compile(
    r"ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.*)", re.DOTALL
)
_WARNED = re.compile(r"Validation failed for ValidatingAdmissionPolicy '[^']+'[^:]*: (.*)")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the API server decides about a pod."""

    denial: str = ""
    """Why a policy denies it; empty where none does."""
    policy: str = ""
    """The policy that denies it."""
    warnings: tuple[str, ...] = ()
    """What policies warn about."""
    refusal: str = ""
    """Why the API server refuses it whatever policies say; empty where it does not."""


def decide(client: ApiClient, pod: Document) -> Decision:
    """Create the pod without keeping it, and return the decision."""
    try:
        answer = client.create(pod, dryRun="All")
    except ApiError as error:
        denied = _DENIED.search(error.message)
        if denied is None:
            return Decision(refusal=error.message)
        return Decision(denial=denied[2], policy=denied[1])
    warned = (_WARNED.search(warning) for warning in answer.warnings)
    return Decision(warnings=tuple(found[1] for found in warned if found))
