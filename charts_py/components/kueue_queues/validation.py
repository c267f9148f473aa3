"""What the policies on pods and on jobs have in common."""

from charts_py.components.kueue_queues.api import PREBUILT_WORKLOAD

NO_PREBUILT_WORKLOAD = (
    f"{PREBUILT_WORKLOAD} takes a Workload from the job that it stands for; leave it out."
)


def refused_unless(holds: str, is_trusted: str, message: str) -> dict[str, str]:
    """Return the validation of what holds of all requests but those of somebody trusted."""
    return {
        "expression": f"{holds} || {is_trusted}",
        "message": message,
        "reason": "Forbidden",
    }
