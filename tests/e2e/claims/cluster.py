"""The clusters of this folder's files: their platforms, and what a platform renders for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.policies import Admission
from charts_py.cluster_file.queues import Queues
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from gpuplane.versions.rendering import render_platform
from tests.e2e.folders import CLUSTERS
from tests.e2e.manifest import manifest

RenderRelease = Callable[[str, Admission], Path]
"""Renders an example cluster in which others fix and judge pods, into a folder of its own."""
_FOLDER = Path(__file__).parent


def load_claim_cluster(name: str = "claims") -> Platform:
    """Return the platform of a cluster, over what the example fleet shares."""
    return load_platform(_FOLDER / f"{name}.yaml", CLUSTERS / FLEET_FILE)


def admitting(platform: Platform, admission: Admission) -> Platform:
    """Return a platform in which others fix and judge pods."""
    policies = platform.cluster.policies.model_copy(update={"admission": admission})
    return replace(platform, cluster=platform.cluster.model_copy(update={"policies": policies}))


def queued(platform: Platform) -> Platform:
    return replace(platform, cluster=platform.cluster.model_copy(update={"queues": Queues()}))


def write_release(platform: Platform, folder: Path) -> Path:
    """Render a platform into a folder, which then holds what `dist/<cluster>/<version>` does."""
    for path, content in _rendered(platform).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


def rendered(platform: Platform, *components: str) -> list[Document]:
    """Return the objects that a platform renders of components."""
    files = sorted(_rendered(platform).items())
    return [
        document
        for component in components
        for path, content in files
        if path.startswith(f"{component}/") and path.endswith(".yaml")
        for document in from_yaml(content.decode())
    ]


def policies_of(platform: Platform, component: str) -> list[Document]:
    """Return the policies for the API server that a platform renders of a component."""
    objects = rendered(platform, component)
    return [each for each in objects if each["kind"].startswith("ValidatingAdmissionPolicy")]


def granting(name: str, rules: Sequence[Document], *subjects: Document) -> list[Document]:
    """Return what lets users and groups, as RBAC has them, do something in the whole cluster."""
    group = "rbac.authorization.k8s.io"
    reference = {"apiGroup": group, "kind": "ClusterRole", "name": name}
    bound = [{"apiGroup": group, **each} for each in subjects]
    return [
        manifest(f"{group}/v1 ClusterRole", name, rules=rules),
        manifest(f"{group}/v1 ClusterRoleBinding", name, roleRef=reference, subjects=bound),
    ]


def _rendered(platform: Platform) -> Mapping[str, bytes]:
    return render_platform(platform, str(_FOLDER / f"{platform.name}.yaml")).files
