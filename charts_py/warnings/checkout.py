"""Where Argo CD looks for `dist/`."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster_files import path_in_checkout
from charts_py.cluster_file.gitops import ROOT
from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_other_folder(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning where Argo CD would look for `dist/` in a folder that does not hold it.

    No more than that: `dist/` may be copied to the repository that Argo CD reads. A platform that
    no file describes has none.
    """
    stated = platform.cluster.gitops.path
    found = path_in_checkout(platform.directory.parent)
    if found in (None, stated) or not platform.mark(()).line:
        return
    what = f'dist/ is in "{found}" of its checkout, and Argo CD would look in "{stated}"'
    allowed = f"{found}, or a checkout of its own: git init" if found != ROOT else ROOT
    yield ClusterWarning(platform.fault(("gitops", "path"), what, allowed))
