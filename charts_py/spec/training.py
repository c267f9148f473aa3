"""Frameworks that run jobs of several nodes."""

from charts_py.spec.strict_model import StrictModel


class JobSet(StrictModel):
    """JobSet, which runs several Jobs as one; `{}` has it with defaults."""


class Trainer(StrictModel):
    """Kubeflow Trainer, version 2, with JobSet; `{}` has it with defaults."""


class Training(StrictModel):
    """Frameworks that run jobs of several nodes, each of which is installed where it is named."""

    trainer: Trainer | None = None
    """Kubeflow Trainer (TrainJob), with a runtime for every pool and framework. It brings
    JobSet."""
    job_set: JobSet | None = None
    """JobSet, for teams that write JobSets themselves."""

    @property
    def has_job_set(self) -> bool:
        """Whether JobSet is installed."""
        return self.trainer is not None or self.job_set is not None
