"""What changes of the templates of training jobs do."""

from gpuplane.plan import sources
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_RUNTIME = ("ClusterTrainingRuntime.trainer.kubeflow.org", "TrainingRuntime.trainer.kubeflow.org")

ROWS: tuple[AnyRow, ...] = (
    Row(
        _RUNTIME,
        Verdict.SAFE,
        "Jobs can name it from now on.",
        sources.TRAINER,
        changes=ADDED,
    ),
    Row(
        _RUNTIME,
        Verdict.SAFE,
        "Jobs that run stay as they are; new ones take it as it is then.",
        sources.TRAINER,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _RUNTIME,
        Verdict.SAFE,
        "Jobs that run stay as they are; new ones that name it are refused.",
        sources.TRAINER,
        changes=REMOVED,
        is_certain=False,
    ),
)
