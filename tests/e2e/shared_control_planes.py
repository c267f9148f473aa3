"""Which worker runs a test, where several run side by side."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.e2e.folders import E2E, REPOSITORY
from tests.e2e.selection import LONGEST_FIRST, shared_control_plane

_E2E = E2E.relative_to(REPOSITORY)


class SharedControlPlanes(LoadScopeScheduling):  # type: ignore[misc] # pytest-xdist has no types
    """Hands out all tests that share a control plane together, those first that take longest.

    https://pytest-xdist.readthedocs.io/en/stable/how-it-works.html
    """

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.partition("::")[0])
        return shared_control_plane(file.relative_to(_E2E).as_posix())

    def _assign_work_unit(self, node: WorkerController) -> None:
        waiting = [scope for scope in LONGEST_FIRST if scope in self.workqueue]
        if waiting:
            self.workqueue.move_to_end(waiting[0], last=False)
        super()._assign_work_unit(node)
