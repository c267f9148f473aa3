"""The API server takes every workload of `gpuplane new` as it is, by its schemas and policies."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from charts_py.cluster_file.policies import Admission
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kinds.kubeflow import MPIJOB
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.kinds.nccl_test import NCCL_TEST
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import new_workload
from gpus.platform_names import FIXED
from policies.document import members
from policies.manifest_pod import manifest_pods
from tests.conftest import CLUSTERS
from tests.e2e.claims.cluster import admitting, rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import Decision, decide
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied

COMPONENTS = ("priority-classes", "team-research", "admission-policies")
NODES = 2
_FOR_FEW = (NCCL_TEST, MPIJOB)
_ALLOWS = "        podSecurity: privileged\n        apiServer: true\n"
_MODEL: dict[str, Any] = {"weights": "Qwen/Qwen3-32B", "parameters": "32B", "replicas": 2}
_KEPT = ("labels", "annotations")
"""Of the metadata of a pod: its owner is none."""


def documents_of(kind: str, platform: Platform, **fields: Any) -> tuple[Document, ...]:
    image = "registry.example.com/train:1.4"
    model = _MODEL if kind == LLM.name else {}
    asked = Asked(kind=kind, name=f"new-{kind}", team="research", image=image, **model, **fields)
    return new_workload(asked, platform).documents


def bare(platform: Platform) -> Document:
    """Return a pod of the team without what lets it run."""
    *_, pod = documents_of("pod", platform)
    wanted = {"automountServiceAccountToken", "securityContext", "containers", "volumes"}
    spec = {name: value for name, value in pod["spec"].items() if name in wanted}
    metadata = {"name": "bare", "namespace": pod["metadata"]["namespace"]}
    return {**pod, "metadata": metadata, "spec": spec}


def decisions(client: ApiClient, documents: list[Document]) -> Iterator[Decision]:
    """Yield what is decided about each pod that workloads describe in full."""
    for document in documents:
        for number, pod in enumerate(manifest_pods(document)):
            if not pod.template.partial:
                described = members(pod.document["metadata"])
                kept = {name: described[name] for name in _KEPT if name in described}
                place = {"name": f"{pod.name}-{number}", "namespace": pod.namespace}
                yield decide(client, {**pod.document, "metadata": {**place, **kept}})


def test_it_takes_every_kind_and_fixes_nothing_in_their_pods(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    kinds = [kind for kind in KINDS if kind not in _FOR_FEW]
    documents, decided = _taken(admin, platforms["training"], kinds)
    evidence.show(
        "The API server takes each kind of workload that `gpuplane new` prints, and neither denies "
        "nor fixes a pod of it.",
        f"{len(kinds)} kinds, {documents} objects, {decided} pods",
    )


def test_an_api_server_takes_workloads_that_few_namespaces_allow(
    admin: ApiClient, tmp_path: Path, evidence: Evidence
) -> None:
    text = (CLUSTERS / "training.yaml").read_text(encoding="utf-8")
    namespace = "      research-training:\n"
    text = text.replace("network:\n", "network:\n  apiServer: [192.0.2.0/28]\n")
    (file := tmp_path / "training.yaml").write_text(
        text.replace(namespace, f"{namespace}{_ALLOWS}"), encoding="utf-8"
    )
    documents, decided = _taken(admin, load_platform(file, CLUSTERS / "fleet.yaml"), _FOR_FEW)
    evidence.show(
        "It takes a test of the network and an MPIJob, too, in a namespace where root may run and "
        "pods reach the API server.",
        f"{documents} objects, {decided} pods",
    )


def _taken(admin: ApiClient, of_cluster: Platform, kinds: Sequence[Kind]) -> tuple[int, int]:
    """Have the API server take workloads of some kinds; return how many objects and pods."""
    platform = admitting(of_cluster, Admission.IN_TREE_ONLY)
    documents = [
        each
        for kind in kinds
        for each in documents_of(kind.name, platform, nodes=NODES if kind.spreads else None)
    ]
    install(admin, definitions_of(documents, pinned_files()))
    with applied(admin, rendered(platform, *COMPONENTS)):
        once_seen(lambda: decide(admin, bare(platform)).pod, lambda pod: FIXED in str(pod))
        for document in documents:
            admin.create(document, dryRun="All", fieldValidation="Strict")
        decided = list(decisions(admin, documents))
    assert [each for each in decided if each.pod is None or FIXED in str(each.pod)] == []
    return len(documents), len(decided)
