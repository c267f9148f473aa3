"""What the repository asks of a change."""

from enum import StrEnum

from charts_py.cluster_file.strict_model import StrictModel


class FailOn(StrEnum):
    """The least verdict of `gpuplane plan` that makes it fail."""

    ROLLING = "rolling"
    DISRUPTIVE = "disruptive"
    IMMUTABLE = "immutable"
    DANGEROUS = "dangerous"
    NEVER = "never"


class PlanPolicy(StrictModel):
    """What `gpuplane plan` asks of a change."""

    fail_on: FailOn = FailOn.NEVER
    """From which verdict on `gpuplane plan` exits with 1, so that a check of a pull request fails:
    from the mildest, `rolling`, to `dangerous`, or `never`. `--fail-on` takes its place."""
