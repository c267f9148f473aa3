"""All kinds of workloads that are known."""

from policies.workloads.argo_kinds import ARGO_KINDS
from policies.workloads.inference_kinds import AIBRIX_KINDS, INFERENCE_KINDS
from policies.workloads.job_kinds import JOB_KINDS
from policies.workloads.kubernetes_kinds import KUBERNETES_KINDS
from policies.workloads.ray_kinds import RAY_KINDS
from policies.workloads.session_kinds import SESSION_KINDS
from policies.workloads.workload_kind import WorkloadKind

WORKLOAD_KINDS: tuple[WorkloadKind, ...] = tuple(
    sorted(
        (
            *AIBRIX_KINDS,
            *ARGO_KINDS,
            *INFERENCE_KINDS,
            *JOB_KINDS,
            *KUBERNETES_KINDS,
            *RAY_KINDS,
            *SESSION_KINDS,
        ),
        key=lambda known: (known.group, known.kind),
    )
)
"""By API group and kind."""

_BY_NAME = {(known.group, known.kind): known for known in WORKLOAD_KINDS}


def workload_kind(group: str, kind: str) -> WorkloadKind | None:
    """Return what is known of a kind; None for an unknown one."""
    return _BY_NAME.get((group, kind))
