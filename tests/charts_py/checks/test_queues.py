from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import ClusterFiles
from charts_py.load import load_platforms
from tests.charts_py.fixture_types import FaultsOf, Sample

MANAGER, WORKER = "multikueue-manager", "multikueue-worker"
WORKERS = "workers: [multikueue-worker]"
NAMESPACES = "namespaces: [research-training]"


def test_a_manager_is_no_worker_of_itself(faults_of_both: FaultsOf) -> None:
    what = "multiKueue.workers[1]: multikueue-manager is the manager; allowed: other clusters"
    assert faults_of_both((WORKERS, f"workers: [{WORKER}, {MANAGER}]")) == (
        f"multikueue-manager.yaml:9: {what}\nmultikueue-worker.yaml:9: {what}"
    )


def test_clusters_have_files(faults_of_both: FaultsOf) -> None:
    assert faults_of_both(manager=((WORKERS, "workers: [multikueue-wroker]"),)) == (
        'multikueue-manager.yaml:9: multiKueue.workers[0]: unknown cluster "multikueue-wroker"; '
        "allowed: multikueue-manager, multikueue-worker; nearest: multikueue-worker, "
        "multikueue-manager"
    )


@pytest.mark.parametrize("queues", ["queues: {engine: volcano}", "webhook: {}"])
def test_both_have_queues_of_kueue(faults_of_both: FaultsOf, queues: str) -> None:
    assert faults_of_both(manager=(("queues: {}", queues),)) == (
        "multikueue-manager.yaml:7: multiKueue: multikueue-manager has no queues of Kueue; "
        "allowed: clusters with queues.engine: kueue"
    )


def test_both_have_the_namespaces(faults_of_both: FaultsOf) -> None:
    assert faults_of_both((NAMESPACES, "namespaces: [vision-training]")) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: no team of multikueue-manager has a "
        'namespace "vision-training"; allowed: research-notebooks, research-training; nearest: '
        "research-training"
    )


def test_the_quota_on_gpus_is_that_of_workers(faults_of_both: FaultsOf) -> None:
    quotas = (("{l40s: 0}", "{l40s: 8}"), ("{l40s: 16}", "{l40s: 8}"))
    training = "gpus: {h200: 16}\n          cpu"
    assert faults_of_both(manager=quotas, worker=((training, training.replace("16", "0")),)) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: research-training has a quota on "
        "GPUs of multikueue-manager, which its jobs would never use; allowed: namespaces with "
        "quotas in the workers alone\n"
        "multikueue-worker.yaml:10: multiKueue.namespaces[0]: research-training has no quota on "
        "GPUs of multikueue-worker; allowed: quota.gpus of some pool"
    )


def test_a_cluster_that_is_not_named_may_be_anything(tmp_path: Path, sample: Sample) -> None:
    files = tuple(tmp_path / f"{name}.yaml" for name in ("lab", MANAGER, WORKER))
    texts = (sample(MANAGER, ("queues: {}\n", "")), sample(MANAGER), sample(WORKER))
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    lab, *_ = load_platforms(ClusterFiles(None, files))
    assert (lab.taken_for_workers, lab.run_for_manager) == ((), ())
