"""The requests on kinds of jobs that a policy or a webhook is about."""

from collections.abc import Iterable
from typing import Any

from policies.job_priority import known
from policies.settings import JobKind


def writes_of(kinds: Iterable[JobKind]) -> dict[str, Any]:
    """Return the requests that create and change objects of these kinds."""
    return _requests(kinds, "CREATE", "UPDATE")


def deletions_of(kinds: Iterable[JobKind]) -> dict[str, Any]:
    """Return the requests that delete objects of these kinds."""
    return _requests(kinds, "DELETE")


def _requests(kinds: Iterable[JobKind], *operations: str) -> dict[str, Any]:
    workloads = [known(each) for each in kinds]
    return {
        "apiGroups": sorted({each.group for each in workloads}),
        "apiVersions": ["*"],
        "operations": list(operations),
        "resources": sorted({each.resource for each in workloads}),
    }
