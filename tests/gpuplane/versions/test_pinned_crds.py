"""Pinned definitions of custom kinds."""

from gpuplane.versions.pinned_crds import pinned_crds


def _document(api_version: str, kind: str) -> dict[str, object]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}


def test_each_group_of_custom_kinds_names_where_its_definitions_come_from() -> None:
    folders = [
        (_document("karpenter.sh/v1", "NodePool"), _document("v1", "Namespace")),
        (_document("containerservice.azure.com/v1api20240901", "ManagedClustersAgentPool"),),
    ]
    found = {crds.group: crds.source.split()[0] for crds in pinned_crds(folders)}
    assert found == {
        "containerservice.azure.com": "datreeio/CRDs-catalog",
        "karpenter.sh": "kubernetes-sigs/karpenter",
    }


def test_core_kinds_are_not_pinned() -> None:
    assert pinned_crds([(_document("apps/v1", "Deployment"),)]) == ()
