"""The Application that a person applies once a cluster; everything else follows from it."""

from collections.abc import Callable
from dataclasses import dataclass

from constructs import Construct

from charts_py.argocd.app_of_apps import app_of_apps
from charts_py.argocd.application import Application, ApplicationProps
from charts_py.argocd.pinned_files import LIVE_APPLICATION, PROJECT
from charts_py.platform.platform import Platform
from charts_py.spec.gitops import GitOps

_FOLLOWED = f"{{{LIVE_APPLICATION},{PROJECT}}}"
"""All but the Application that follows them."""


@dataclass(frozen=True, slots=True)
class RootApplicationProps:
    """Whose root Application it is, and where Argo CD finds it."""

    cluster: str
    gitops: GitOps

    @property
    def application(self) -> ApplicationProps:
        """The Application that follows the files of the live Application and of the AppProject.

        Promoting or rolling back is a commit that changes these; this Application stays the same
        for the cluster's life. Deleting it leaves the platform running: it has no finalizer.
        """
        folder = f"dist/{self.cluster}"
        return app_of_apps(f"{self.cluster}-root", self.gitops, folder, include=_FOLLOWED)


def construct(platform: Platform) -> Callable[[Construct], object]:
    """Return what adds the root Application of a cluster."""
    props = RootApplicationProps(platform.name, platform.cluster.gitops)
    return lambda scope: Application(scope, "root", props.application)
