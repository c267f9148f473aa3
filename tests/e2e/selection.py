"""Which tests `make e2e` runs, which `make e2e-more`, and which both; and which side by side.

Files are named by their path below `tests/e2e/`, as `claims/test_quota.py`.
"""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.e2e.folders import E2E, REPOSITORY

USUAL = "e2e"
"""Marks what `make e2e` runs."""
MORE = "e2e_more"
"""Marks what only `make e2e-more` runs: a test, or its run on the oldest supported Kubernetes."""
_MORE = "more"
_ARGO_CD = "argo_cd"
_LONG = (
    "argo_cd/test_removal.py",
    "argo_cd/test_rendered_charts.py",
    "jobs/test_mpi_job.py",
    "jobs/test_pytorch_job.py",
)
"""What takes minutes, or has a controller built that nothing else needs, and changes rarely."""
_OF_ONPREM = tuple(
    f"argo_cd/test_{name}.py" for name in ("onprem", "other_owners", "planned_changes")
)
"""What runs on the cluster of that name, one file after the other."""
_OF_THEIR_OWN = ("benchmarks", "first_day", "releases", "report")
"""Folders that use no control plane, or none but their own."""
_ALL_OTHERS = "all others"
LONGEST_FIRST = (
    _ALL_OTHERS,
    "argo_cd/test_training.py",
    "onprem",
    "argo_cd/test_queues.py",
    "first_day",
    "argo_cd/test_fleet.py",
    "argo_cd/test_first_day.py",
)
"""What takes minutes, by its control planes: begun last, it runs on when all else has ended."""
_ADMISSION_AND_SCHEDULING = ("claims", "control_plane", "webhook")
_OF_LATER_VERSIONS = ("claims/test_allocators.py",)
"""What the oldest supported Kubernetes does not have: extended resources by DRA (KEP-5004)."""


def is_more(file: str) -> bool:
    """Tell whether a file is of those that only `make e2e-more` runs."""
    return _folder(file) == _MORE or file in _LONG


def runs_on_oldest_too(file: str) -> bool:
    """Tell whether `make e2e-more` runs a file of `make e2e` on the oldest supported Kubernetes."""
    return _folder(file) in _ADMISSION_AND_SCHEDULING and file not in _OF_LATER_VERSIONS


def shared_control_plane(file: str) -> str:
    """Return a name of the control planes that a file needs.

    Some have their own, those of Argo CD by cluster; all other tests share one.
    """
    if _folder(file) == _ARGO_CD:
        return "onprem" if file in _OF_ONPREM else file
    return _folder(file) if _folder(file) in _OF_THEIR_OWN else _ALL_OTHERS


class SharedControlPlanes(LoadScopeScheduling):  # type: ignore[misc] # pytest-xdist has no types
    """Hands out all tests that share a control plane together, those first that take longest.

    https://pytest-xdist.readthedocs.io/en/stable/how-it-works.html
    """

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.partition("::")[0])
        return shared_control_plane(file.relative_to(E2E.relative_to(REPOSITORY)).as_posix())

    def _assign_work_unit(self, node: WorkerController) -> None:
        waiting = [scope for scope in LONGEST_FIRST if scope in self.workqueue]
        if waiting:
            self.workqueue.move_to_end(waiting[0], last=False)
        super()._assign_work_unit(node)


def _folder(file: str) -> str:
    return file.partition("/")[0]
