"""All kinds of workloads."""

from charts_py.workloads.kind import Kind
from charts_py.workloads.kinds.job import JOB_KIND
from charts_py.workloads.kinds.pod import POD
from charts_py.workloads.kinds.pytorchjob import PYTORCHJOB

KINDS: tuple[Kind, ...] = (POD, JOB_KIND, PYTORCHJOB)
"""In the order in which they are told."""

BY_NAME = {kind.name: kind for kind in KINDS}
