"""Plans of which a page tells."""

from charts_py.plan.plan import Plan

UNPLANNED = Plan(base=None, clusters=(), unchanged=())
"""Of a fleet in which nothing changes."""
