"""A cluster of which two small versions are written by hand."""

from pathlib import Path

import pytest

from tests.gpuplane.versions.conftest import Repository, new_repository
from tests.gpuplane.versions.rendered_versions import write_version

RULE = """\
apiVersion: nfd.k8s-sigs.io/v1alpha1
kind: NodeFeatureRule
metadata:
  name: h200
spec:
  rules:
  - name: h200
    labels:
      gpuplane.io/gpu-model: h200
      gpuplane.io/pool: h200
      nvidia.com/mig.config: {layout}
"""
TEAM = """\
apiVersion: v1
kind: Namespace
metadata:
  name: research
  annotations:
    argocd.argoproj.io/sync-options: Delete=confirm,Prune=confirm
"""


@pytest.fixture
def planned(tmp_path: Path) -> Repository:
    """Return a repository whose version 1.1.0 is to take the place of 1.0.0, which is committed."""
    repository = new_repository(tmp_path)
    repository.write()
    old, new = (RULE.format(layout=layout) for layout in ("all-disabled", "mig-1g.18gb-x7"))
    write_version(repository.dist, "lab/1.0.0", rule=old, team=TEAM)
    repository.commit()
    write_version(repository.dist, "lab/1.1.0", rule=new)
    repository.write(version="1.1.0", gpus=16)
    return repository
