"""The Application that names the live version of a cluster."""

from dataclasses import replace

from charts_py.argocd.app_of_apps import app_of_apps
from charts_py.argocd.application import Application
from charts_py.argocd.applications import NAME, version_folder
from charts_py.objects.sync_options import PRUNE_LAST
from charts_py.platform.platform import Platform


def live_application(platform: Platform, *, prunes_last: bool) -> Application:
    """Return the Application that syncs the Applications of the live version.

    It is not the root Application itself: one that follows its own file delays a rollback until
    the version that it leaves is healthy.
    """
    path = version_folder(platform.name, platform.live, NAME)
    live = app_of_apps(f"{platform.name}-live", platform.cluster.gitops, path)
    if prunes_last:
        # Versions once had an AppProject in their folder, whose deletion waits until no Application
        # names it. The price is the order of removal, which is otherwise the reverse of creation.
        return replace(live, sync_options=(*live.sync_options, PRUNE_LAST))
    return live
