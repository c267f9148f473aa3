"""Platform repositories in which mistakes are made."""

import shutil
from pathlib import Path

from gpus.provider import Provider
from tests.conftest import CLUSTERS
from tests.example_repository import write_example_repository
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version

_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
  namespace: research-training
spec:
  containers:
    - name: train
      image: registry.example.com/train:1.4
      resources:
        limits:
          nvidia.com/gpu: 1
          memory: 64Gi
      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
  securityContext: {runAsUser: 1000, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
"""


def two_clusters(folder: Path) -> None:
    """Make one with two clusters, which cannot be read, of which something was rendered."""
    for name in ("east", "west"):
        for file in (f"clusters/{name}.yaml", f"dist/{name}/1.0.0/release.json"):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(f"{name}: {file}\n", encoding="utf-8")
    (folder / ".git").mkdir()


def new_repository(folder: Path) -> None:
    """Make one as `gpuplane init` does, with a version of one object, and the manifest of a pod."""
    write_example_repository(folder, Provider.ONPREM)
    write_version(folder / "dist", "example/0.1.0-rc.1", research=NAMESPACE)
    (folder / "pod.yaml").write_text(_POD, encoding="utf-8")


def examples(folder: Path) -> None:
    """Make one of the example clusters, of which nothing is rendered, with a pod."""
    shutil.copytree(CLUSTERS, folder / "clusters")
    (folder / "pod.yaml").write_text(_POD, encoding="utf-8")
    (folder / ".git").mkdir()
