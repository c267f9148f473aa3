"""The linter over manifests as people publish them, below the folders of GPUPLANE_CORPUS."""

from pathlib import Path

import pytest
import yaml

from benchmarks.corpus import CLUSTERS, VARIABLE, corpus_folders
from gpuplane.admission.manifest_sources import files_of
from gpuplane.lint.finding import ReadingRule
from gpuplane.lint.judged_file import judged_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import lint_sources
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import LintReport, RuleSelection, merged_report
from policies.admission import today

KNOWN = yaml.safe_load(Path(__file__).with_name("counts.yaml").read_bytes())
"""By the name of a folder: the objects with GPUs by kind, those that are not judged, and how many
files hold no objects, such as values of charts and tests of them."""
PAGE = Path(__file__).parents[2] / "docs" / "lint.md"
FOLDERS: list[Path | None] = [each for each in corpus_folders() if each.name in KNOWN] or [None]


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda each: each and each.name)
def folder(request: pytest.FixtureRequest) -> Path:
    if request.param is None:
        pytest.skip(f"{VARIABLE} does not name a folder of manifests that is counted here")
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def report(folder: Path) -> LintReport:
    sources = lint_sources([str(folder)], bytes)
    found = judged_files(sources, loaded_clusters(CLUSTERS, ()), LintTerms(today()))
    return merged_report(sources, found, RuleSelection(), ())


def test_every_file_is_read(report: LintReport, folder: Path) -> None:
    assert report.files == len(files_of(folder))
    assert report.empty == KNOWN[folder.name]["without objects"]
    unread = [each for each in report.findings if not each.subject]
    what_it_is = {ReadingRule.TEMPLATE, ReadingRule.UNFILLED_PLACEHOLDER}
    assert [str(each.start) for each in unread if each.rule not in what_it_is] == []


def test_each_object_with_gpus_is_found(report: LintReport, folder: Path) -> None:
    known = KNOWN[folder.name]
    assert report.counts.gpu_workloads == known["judged"]
    assert report.counts.unread_gpus == known.get("not judged", {})


def test_the_page_tells_these_counts() -> None:
    judged, unjudged = (
        sum(sum(each[of].values()) for each in KNOWN.values()) for of in ("judged", "not judged")
    )
    sentence = f"{judged} objects ask for GPUs in pods that are judged, and {unjudged} where"
    assert sentence in " ".join(PAGE.read_text(encoding="utf-8").split())


def test_placeholders_are_named(report: LintReport, folder: Path) -> None:
    placeholders = {
        each.message.rpartition(" placeholder ")[2].removesuffix(".")
        for each in report.findings
        if each.rule == ReadingRule.UNFILLED_PLACEHOLDER
    }
    assert {*KNOWN[folder.name]["placeholders"]} <= placeholders
