"""The number that comes first: how much of the fleet's GPUs is in quotas."""

from collections.abc import Iterable
from fractions import Fraction

from charts_py.platform.platform import Platform
from gpuplane.fleet_report.report_page import LeadingNumber
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import CostStatement


def gpus_of(statement: CostStatement, figure: Figure, cluster: str | None = None) -> Fraction:
    """Return how many GPUs are of a figure, those without a price included."""
    counted = (
        item.gpus
        for item in statement.items
        if item.figure is figure and cluster in (None, item.cluster)
    )
    return sum(counted, Fraction())


def number_of(gpus: Fraction) -> str:
    """Return a count of GPUs, which a share of one makes fractional."""
    return f"{float(gpus):,.2f}".rstrip("0").rstrip(".")


def leading_number(platforms: Iterable[Platform], statement: CostStatement) -> LeadingNumber:
    """Return the part of the GPUs of all pools at their largest that quotas reserve."""
    reserved, largest, kept = (
        gpus_of(statement, figure) for figure in (Figure.RESERVED, Figure.AT_MAX, Figure.AT_MIN)
    )
    slurm = sum(_of_slurm(platform) for platform in platforms)
    given = f"{slurm} GPUs are those of Slurm. " if slurm else ""
    return LeadingNumber(
        part=float(reserved),
        whole=float(largest),
        statement="of the fleet's GPUs are in the quotas of teams",
        formula=(
            "sum of (quota x GPUs of an allocation) ÷ sum of (most nodes x GPUs of a node) = "
            f"{number_of(reserved)} ÷ {number_of(largest)}"
        ),
        explanation=(
            f"{given}{number_of(largest - reserved - slurm)} GPUs are in nobody's quota, so no "
            f"team can count on them. {number_of(kept)} of all are kept running; the others "
            "start when pods wait for them. What is reserved need not be used: use is not measured "
            "here."
        ),
    )


def _of_slurm(platform: Platform) -> int:
    """Return how many GPUs are on nodes of Slurm, which no quota can have."""
    slurm_nodes = platform.cluster.slurm_nodes
    return sum(slurm_nodes(pool.name) * pool.hardware.gpus for pool in platform.pools)
