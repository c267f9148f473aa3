"""Which worker runs a test, where several run side by side."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling

from tests.e2e.folders import E2E, REPOSITORY
from tests.e2e.selection import shared_control_plane

_E2E = E2E.relative_to(REPOSITORY)


class SharedControlPlanes(LoadScopeScheduling):  # type: ignore[misc] # pytest-xdist has no types
    """Hands out all tests that share a control plane together.

    https://pytest-xdist.readthedocs.io/en/stable/how-it-works.html
    """

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.partition("::")[0])
        return shared_control_plane(file.relative_to(_E2E).as_posix())
