"""The version that is rendered, and the one that is live."""

from collections.abc import Iterator

from semver import Version

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.platform.draft import Draft


def check_versions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a live version that no synth has rendered yet."""
    version, live = draft.cluster.version, draft.cluster.live
    if live in (None, NOT_LIVE) or not draft.is_read(("version",)):
        return
    if Version.parse(live) > Version.parse(version):
        yield Problem(("live",), f"{live} is later than the version, {version}", f"up to {version}")
