"""What the API server decides about a pod, by its own policies or by a webhook."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from charts_py.objects.document import Document
from policies.rule_name import RuleName
from tests.e2e.control_plane.api_client import ApiClient, ApiError

_DENIED = re.compile(
    r"(?:ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request"
    r'|admission webhook "([^"]+)" denied the request): (.*)',
    re.DOTALL,
)
_WARNED = re.compile(
    r"Validation failed for ValidatingAdmissionPolicy '[^']+'[^:]*: (.*)"
    rf"|((?:{'|'.join(RuleName)}): .*)",
    re.DOTALL,
)

_CLIENTS = 4

TOO_MUCH = "operation cancelled: actual cost limit exceeded"
"""What CEL says of a pod that it cannot afford to read."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the API server decides about a pod."""

    denial: str = ""
    """Why a policy or a webhook denies it; empty where none does."""
    policy: str = ""
    """The policy or webhook that denies it."""
    warnings: tuple[str, ...] = ()
    """What policies or webhooks warn about."""
    refusal: str = ""
    """Why the API server refuses it whatever they say; empty where it does not."""
    pod: Document | None = None
    """What is decided of the pod that it makes: labels, annotations and spec. None where it makes
    none."""


def without_expression(denial: str) -> str:
    """Return why a pod is denied; of one that costs too much, not the CEL that was read last."""
    return TOO_MUCH if denial.endswith(TOO_MUCH) else denial


def decide(client: ApiClient, pod: Document) -> Decision:
    """Create the pod without keeping it, and return the decision."""
    try:
        answer = client.create(pod, dryRun="All")
    except ApiError as error:
        denied = _DENIED.search(error.message)
        if denied is None:
            return Decision(refusal=error.message)
        warnings = tuple(_warned(error.answer.warnings))
        return Decision(denied[3], denied[1] or denied[2], warnings)
    return Decision(warnings=tuple(_warned(answer.warnings)), pod=_decided(answer.document))


def decide_all(client: ApiClient, pods: Iterable[Document]) -> list[Decision]:
    """Return the decisions about pods, of which some are sent at once."""
    with ThreadPoolExecutor(_CLIENTS) as pool:
        return [*pool.map(lambda pod: decide(client, pod), pods)]


def _warned(warnings: Iterable[str]) -> Iterator[str]:
    for found in map(_WARNED.match, warnings):
        if found:
            yield found[1] or found[2]


def _decided(made: Document) -> Document:
    metadata = {name: made["metadata"].get(name, {}) for name in ("labels", "annotations")}
    spec: dict[str, Any] = made["spec"]
    # The API server adds two of its own to a pod that is sent, after those that it has already.
    return {**metadata, "spec": {**spec, "tolerations": sorted(spec["tolerations"], key=str)}}
