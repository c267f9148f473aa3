"""What the repository asks of a change."""

from charts_py.cluster_file.fail_on import FailOn
from charts_py.cluster_file.strict_model import StrictModel


class PlanPolicy(StrictModel):
    """What `gpuplane plan` asks of a change."""

    fail_on: FailOn = FailOn.NEVER
    """From which verdict on `gpuplane plan` exits with 1, so that a check of a pull request fails:
    from the mildest, `rolling`, to `dangerous`, or `never`. `--fail-on` takes its place."""
