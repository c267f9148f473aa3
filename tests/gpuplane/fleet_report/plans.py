"""Plans of which a page tells."""

from gpuplane.plan.plan import Plan

UNPLANNED = Plan(base=None, clusters=(), unchanged=())
"""Of a fleet in which nothing changes."""
