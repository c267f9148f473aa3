from pathlib import Path

import pytest

from upstream.kubernetes_version import KubernetesVersion
from upstream.missing_schema import missing_schema
from upstream.schema_files import CRDS, committed_schemas, core_folder

FOLDERS: tuple[Path, ...] = (
    committed_schemas() / CRDS,
    committed_schemas() / core_folder("1.33"),
)
REMEDY = (
    "put its CustomResourceDefinition into the cluster's manifests folder, "
    "or pin it in upstream/lock.yaml"
)


@pytest.mark.parametrize(
    ("api_version", "kind", "message"),
    [
        pytest.param(
            "resource.k8s.io/v1",
            "DeviceClass",
            "no schema for kind DeviceClass of resource.k8s.io/v1: "
            f"Kubernetes 1.33 does not have it; {', '.join([*KubernetesVersion][1:])} do",
            id="a kind of a newer minor",
        ),
        pytest.param(
            "apps/v1",
            "Deploymnet",
            "no schema for kind Deploymnet of apps/v1 (nearest: Deployment of apps/v1); " + REMEDY,
            id="a misspelled kind",
        ),
        pytest.param(
            "example.com/v1",
            "Widget",
            "no schema for kind Widget of example.com/v1; " + REMEDY,
            id="a kind that nobody pinned",
        ),
    ],
)
def test_a_kind_without_a_schema_says_what_to_do(api_version: str, kind: str, message: str) -> None:
    assert missing_schema(api_version, kind, "1.33", FOLDERS) == message
