"""What nodes offer of their pool's resources and no pod holds."""

from charts_py.metrics.recorded import NODE_ALLOCATIONS, POD_ALLOCATIONS

FREE_ALLOCATIONS = (
    f"({NODE_ALLOCATIONS.name} - on (node, pool, resource)"
    f" sum by (node, pool, resource) ({POD_ALLOCATIONS.name}) or {NODE_ALLOCATIONS.name})"
)
"""By node, pool and resource, in PromQL."""
