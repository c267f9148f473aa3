"""A Job replaces a pod once that has ended, where its queue counts as many pods as it states.

By default it makes another as soon as a pod is deleted, which may go on for as long as its grace
period: GPUs that the queue counts once are then held twice, and again with the next deletion
(https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-replacement-policy).
"""

from policies.document import Document, members
from policies.fix import put
from policies.operation import Operation
from policies.settings import JobKind

JOB = JobKind("batch", "Job")
_FIELD = ("spec", "podReplacementPolicy")
_LATE = "Failed"
# The API server states the default before admission; in a file, admission adds what is not stated.
_STATED = f'object.spec.?podReplacementPolicy.orValue("{_LATE}")'
REPLACES_EARLY = f'request.resource.resource == "jobs" && {_STATED} != "{_LATE}"'
"""CEL for whether it is a Job that replaces a pod which has not ended."""
FIXED = f'[["add", "/{"/".join(_FIELD)}", "{_LATE}"]]'
"""CEL for the operations by which it does no longer."""


def replacement_fix(job: Document) -> tuple[Operation, ...]:
    """Return the operation by which a Job waits for its pods to end, where it does not."""
    stated = members(job.get("spec")).get("podReplacementPolicy")
    return () if stated in (None, _LATE) else put(job, "", _FIELD, _LATE)
