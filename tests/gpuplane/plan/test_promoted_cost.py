"""What a promotion costs, in `plan`, `cost` and `report` alike, or why none of them knows it."""

import datetime as dt
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_page import report_of
from gpuplane.plan.compared_cost import compare_cost
from gpuplane.plan.headline import sentence
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.versions.base import Base, find_base
from tests.gpuplane.plan.test_refused_pools import CLUSTER, POOL, Side
from tests.gpuplane.versions.conftest import Repository, new_repository
from tests.gpuplane.versions.rendered_versions import write_version

TODAY = dt.date(2026, 11, 24)
VERSIONS = {"1.0.0": Side(), "1.1.0": Side(most=6)}
WHY = (
    "What lab 1.0.0 was rendered from is not known: git has no commit here with a cluster file "
    "that renders it."
)
MORE = "+0 USD a month with the fewest nodes, +3,070 with the most"


def _promotion(folder: Path, kept: tuple[str, ...]) -> tuple[Repository, Base]:
    """Promote a version whose cluster file is the last of those that git keeps."""
    repository = new_repository(folder)
    file = repository.clusters / "lab.yaml"
    for version, side in VERSIONS.items():
        pool = POOL.format(machine=side.machine, most=side.most, spot="false")
        write_version(repository.dist, f"lab/{version}", "1.36", spec_digest=version, pool=pool)
        text = CLUSTER.format(version=version, **side._asdict())
        file.write_text(f"{text}live: 1.0.0\n", "utf-8")
        if version in kept:
            repository.commit()
    file.write_text(f"{text}live: 1.1.0\n", "utf-8")
    base = find_base(folder, "HEAD")
    assert base is not None
    return repository, base


@pytest.mark.parametrize(
    ("kept", "clause", "not_known"),
    [
        pytest.param(("1.0.0", "1.1.0"), MORE, (), id="git has the cluster file of both"),
        pytest.param(("1.1.0",), "what it costs is not known", (WHY,), id="of the new one alone"),
    ],
)
def test_plan_cost_and_report_agree(
    tmp_path: Path, kept: tuple[str, ...], clause: str, not_known: tuple[str, ...]
) -> None:
    repository, base = _promotion(tmp_path, kept)
    clusters, dist = repository.clusters, repository.dist
    (promoted,) = compare_cost(clusters, dist, (), base).promoted
    said = f"lab goes live as 1.1.0 in place of 1.0.0: {clause}."
    assert str(promoted) == " ".join((said, *not_known))
    (planned,) = plan(PlanRequest(clusters, dist, TODAY, base=base)).clusters
    assert clause in sentence([planned])
    assert (planned.cost, planned.not_known) == (promoted.comparison, not_known)
    page = report_of(clusters, dist, (), TODAY, base)
    assert [each.text for each in page.decisions if each.kind == "not known"] == [*not_known]
    assert [each.note for each in page.answer.costs] == (
        ["what it costs is not known"] * 2 if not_known else ["", "+$3.1k"]
    )


@pytest.mark.parametrize("live", ["1.0.0", "none"])
def test_what_is_not_promoted_is_not_told(tmp_path: Path, live: str) -> None:
    repository, base = _promotion(tmp_path, ("1.0.0", "1.1.0"))
    file = repository.clusters / "lab.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("live: 1.1.0", f"live: {live}"), "utf-8")
    assert compare_cost(repository.clusters, repository.dist, (), base).promoted == ()
