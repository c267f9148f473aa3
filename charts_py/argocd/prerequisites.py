"""What Argo CD must have, and reach."""

from charts_py.platform.prerequisite import Prerequisite


def argo_cd_prerequisites(repositories: tuple[str, ...]) -> tuple[Prerequisite, ...]:
    """Return them, by the repositories of all charts."""
    return (
        Prerequisite(
            name="Argo CD 3.5 or newer, in the cluster or elsewhere, allowed to change all of it",
            without="nothing is applied",
        ),
        Prerequisite(
            name="Its repo-server reaches this repository and those of charts, which it renders "
            "with the Helm that it brings: "
            + ", ".join(f"`{each}`" for each in repositories)
            + "; or `charts.mirror` in place of them all",
            needed="those whose components the cluster has; none with `gitops.charts: rendered`",
            checked="the cluster's AppProject allows these and no others",
            without="the Application of a chart reports `ComparisonError`, and the waves after it "
            "never start",
        ),
        Prerequisite(
            name="A node without GPUs that takes pods, and two where one may fail",
            without="operators, metrics-server and the webhook stay Pending, since they tolerate "
            "the taints of no pool; the wave of the operators never ends",
        ),
    )
