"""The linter over manifests as people publish them, below the folder of GPUPLANE_CORPUS."""

import os
from pathlib import Path

import pytest

from benchmarks.corpus import CLUSTERS, VARIABLE
from gpuplane.lint.finding import ReadingRule
from gpuplane.lint.judged_file import judged_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import lint_sources
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import LintReport, RuleSelection, merged_report
from policies.admission import today

GPU_WORKLOADS = {
    "ClusterTrainingRuntime": 1,
    "Deployment": 42,
    "HyperPodPyTorchJob": 1,
    "Job": 7,
    "LeaderWorkerSet": 3,
    "MPIJob": 15,
    "NIMService": 1,
    "Pod": 22,
    "PyTorchJob": 6,
    "RayCluster": 2,
    "RayJob": 1,
    "RayService": 13,
    "StatefulSet": 1,
    "VLLMRuntime": 3,
}
WITHOUT_OBJECTS = 19
"""Values of charts, and tests of them."""


@pytest.fixture(scope="module")
def report() -> LintReport:
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} does not name a folder of manifests")
    sources = lint_sources([os.environ[VARIABLE]], bytes)
    found = judged_files(sources, loaded_clusters(CLUSTERS, ()), LintTerms(today()))
    return merged_report(sources, found, RuleSelection(), ())


def test_every_file_is_read(report: LintReport) -> None:
    names = (path.suffix for path in Path(os.environ[VARIABLE]).rglob("*"))
    assert report.files == sum(suffix in {".json", ".yaml", ".yml"} for suffix in names)
    assert report.empty == WITHOUT_OBJECTS
    assert [str(each.start) for each in report.findings if not each.subject] == []


def test_each_gpu_workload_is_found(report: LintReport) -> None:
    assert report.gpu_workloads == GPU_WORKLOADS


def test_placeholders_are_named(report: LintReport) -> None:
    placeholders = [
        each.message.rpartition(" placeholder ")[2].removesuffix(".")
        for each in report.findings
        if each.rule == ReadingRule.UNFILLED_PLACEHOLDER
    ]
    assert {"$GPU_PER_NODE", "${IMAGE_URI}"} <= {*placeholders}


def test_a_finding_is_on_a_line_of_its_file(report: LintReport) -> None:
    lines = {file: content.splitlines() for file, content in report.sources.items()}
    astray = [
        str(each.start)
        for each in report.findings
        if not 0 < each.end.column - 1 <= len(lines[each.start.file][each.start.line - 1].decode())
    ]
    assert astray == []
