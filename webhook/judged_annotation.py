"""The annotation by which the API server knows that a new pod needs no more judging.

Only the webhook can say so: a policy of the API server takes the annotation off whatever arrives
with it, before any webhook is called (`policies.in_cel.judged_annotation`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import JUDGED
from policies.annotation import annotate
from policies.document import pointer
from policies.operation import Operation

if TYPE_CHECKING:
    from policies.pod import Pod

_PATH = pointer("metadata", "annotations", JUDGED)


def judged_annotation(pod: Pod, judged_by: str | None) -> tuple[Operation, ...]:
    """Return the operation after which a pod says by which rules nothing is wrong with it.

    None says that something is. Another webhook may have changed a pod since it was
    annotated, so that what it says is taken back.
    """
    if pod.annotations.get(JUDGED) == judged_by:
        return ()
    if judged_by is None:
        return (Operation("remove", _PATH),)
    return annotate(pod, JUDGED, judged_by)
