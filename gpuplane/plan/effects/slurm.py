"""What changes of a Slurm cluster do that Slinky's operator runs in pods."""

from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_GROUP = "slinky.slurm.net"
_CONTROLLER = (f"Controller.{_GROUP}",)
_REST_API = (f"RestApi.{_GROUP}",)
_NODE_SET = (f"NodeSet.{_GROUP}",)
_LOGIN_SET = (f"LoginSet.{_GROUP}",)

ROWS: tuple[AnyRow, ...] = (
    Row(
        (*_CONTROLLER, *_REST_API, *_NODE_SET, *_LOGIN_SET),
        Verdict.SAFE,
        "The operator starts its pods; none that runs is touched.",
        sources.SLINKY,
        changes=ADDED,
    ),
    Row(
        _NODE_SET,
        Verdict.ROLLING,
        "Replicas go from {old} to {new}: each Slurm node that goes is drained first, so that its "
        "jobs end, and then its pod is deleted.",
        sources.SLINKY_NODE_SETS,
        fields=("spec.replicas",),
        field_condition=is_lowered,
    ),
    Row(
        _NODE_SET,
        Verdict.SAFE,
        "Replicas go from {old} to {new}: Slurm nodes are added.",
        sources.SLINKY_NODE_SETS,
        fields=("spec.replicas",),
    ),
    Row(
        _NODE_SET,
        Verdict.ROLLING,
        "Its pods are replaced, as its update strategy says, and with them its Slurm nodes.",
        sources.SLINKY_NODE_SETS,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _NODE_SET,
        Verdict.DISRUPTIVE,
        "Its pods are deleted, and with them the Slurm nodes and the jobs that run there.",
        sources.SLINKY_NODE_SETS,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _CONTROLLER,
        Verdict.ROLLING,
        "slurmctld reads its configuration anew, or restarts: running jobs stay, and none starts "
        "meanwhile.",
        sources.SLINKY,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _CONTROLLER,
        Verdict.DISRUPTIVE,
        "slurmctld goes, and with it the queue of jobs: none starts any longer.",
        sources.SLINKY,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _REST_API,
        Verdict.ROLLING,
        "slurmrestd restarts: running jobs stay, and its clients, the operator among them, wait.",
        sources.SLINKY,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _REST_API,
        Verdict.DISRUPTIVE,
        "slurmrestd goes: its clients, the operator among them, no longer reach Slurm.",
        sources.SLINKY,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _LOGIN_SET,
        Verdict.ROLLING,
        "The login pods are replaced, and sessions on them end; jobs stay.",
        sources.SLINKY,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _LOGIN_SET,
        Verdict.DISRUPTIVE,
        "The login pods are deleted: sessions on them end, and nobody can log in; jobs stay.",
        sources.SLINKY,
        changes=REMOVED,
        is_certain=False,
    ),
)
