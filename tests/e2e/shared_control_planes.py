"""Which worker runs a test, where several run side by side."""

from xdist.scheduler import LoadScopeScheduling

from tests.e2e.selection import shared_control_plane


class SharedControlPlanes(LoadScopeScheduling):  # type: ignore[misc] # pytest-xdist has no types
    """Hands out all tests that share a control plane together.

    https://pytest-xdist.readthedocs.io/en/stable/how-it-works.html
    """

    def _split_scope(self, nodeid: str) -> str:
        return shared_control_plane(nodeid.partition("::")[0].partition("e2e/")[2])
