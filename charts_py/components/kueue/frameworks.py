"""The kinds of jobs that Kueue holds back, by the names that its configuration has for them."""

from collections.abc import Iterable, Iterator

from charts_py.components.kueue.managed_kinds import MANAGED
from charts_py.spec.training import Training
from policies.settings import JobKind

_OF_KUBERNETES = ("", "apps", "batch")
_JOB_SET = "jobset.x-k8s.io"
_OF_TRAINING = {
    "trainer": "trainer.kubeflow.org",
    "leader_worker_set": "leaderworkerset.x-k8s.io",
    "ray": "ray.io",
}
"""API groups by the field that brings them."""
_OF_TRAINING_OPERATOR = tuple(
    JobKind("kubeflow.org", kind) for kind in ("PyTorchJob", "TFJob", "XGBoostJob")
)
"""The training operator has no MPIJob of the version of Kueue."""


def frameworks_of(training: Training) -> tuple[str, ...]:
    """Return the kinds that a cluster has: those of Kubernetes, and those that it installs."""
    groups = {*_OF_KUBERNETES, *_groups(training)}
    kinds = [kind for kind in MANAGED if kind.group in groups]
    has_operator = training.training_operator is not None
    return _named([*kinds, *(_OF_TRAINING_OPERATOR if has_operator else ())])


def _groups(training: Training) -> Iterator[str]:
    if training.has_job_set:
        yield _JOB_SET
    for field, group in _OF_TRAINING.items():
        if getattr(training, field) is not None:
            yield group


def _named(kinds: Iterable[JobKind]) -> tuple[str, ...]:
    """Return the names of kinds in order, those with a group first."""
    return tuple(sorted(map(_framework, kinds), key=lambda name: ("/" not in name, name)))


def _framework(kind: JobKind) -> str:
    name = kind.kind.lower()
    return name if kind.group in ("", "apps") else f"{kind.group}/{name}"


FRAMEWORKS = _named(MANAGED)
"""Every kind whose pods Kueue starts together, and single pods, whoever brings them."""
