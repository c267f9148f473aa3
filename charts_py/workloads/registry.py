"""All kinds of workloads."""

from charts_py.workloads.kind import Kind
from charts_py.workloads.kinds.job import JOB_KIND
from charts_py.workloads.kinds.jobset import JOBSET
from charts_py.workloads.kinds.mpijob import MPIJOB
from charts_py.workloads.kinds.notebook import NOTEBOOK
from charts_py.workloads.kinds.pod import POD
from charts_py.workloads.kinds.pytorchjob import PYTORCHJOB
from charts_py.workloads.kinds.raycluster import RAYCLUSTER
from charts_py.workloads.kinds.rayjob import RAYJOB
from charts_py.workloads.kinds.spark import SPARK
from charts_py.workloads.kinds.tfjob import TFJOB
from charts_py.workloads.kinds.trainjob import TRAINJOB

KINDS: tuple[Kind, ...] = (
    POD,
    JOB_KIND,
    JOBSET,
    TRAINJOB,
    PYTORCHJOB,
    TFJOB,
    MPIJOB,
    RAYJOB,
    RAYCLUSTER,
    SPARK,
    NOTEBOOK,
)
"""In the order in which they are listed."""

BY_NAME = {kind.name: kind for kind in KINDS}
