"""The whole page of a small cluster."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.report_page import ReportPage, ReportTable
from tests.charts_py.fixture_types import Load
from tests.gpuplane.fleet_report.conftest import UNPLANNED


def _table(page: ReportPage, name: str) -> list[tuple[str, ...]]:
    tables = [part for section in page.sections for part in section.parts]
    (found,) = [each for each in tables if isinstance(each, ReportTable) and each.name == name]
    return [tuple(cell.text for cell in row.cells) for row in found.rows]


def test_the_first_number_is_what_quotas_reserve_of_all_gpus(fleet: Fleet) -> None:
    lead = fleet_page(fleet, UNPLANNED).lead
    # 24 H100, 12 on spot, and of A100 8 x 1, 4 x 2 and 4 x 3 sevenths
    assert (lead.part, lead.whole, lead.percent) == (40.0, 64.0, "62.5%")
    assert lead.formula.endswith("= 40 ÷ 64")


def test_a_cluster_that_was_never_rendered_says_so(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    (row,) = _table(page, "clusters")
    assert row[:6] == ("sample", "eks us-east-1", "1.36", "1.0.0", "1.0.0", "not rendered")
    assert _table(page, "components") == []
    assert ("not rendered", "sample", "1.0.0 is not in dist/.") in _table(page, "limits")


def test_a_pool_is_told_from_gpus_to_allocations(fleet: Fleet) -> None:
    a100, h100, _ = _table(fleet_page(fleet, UNPLANNED), "pools")
    assert ", ".join(a100) == (
        "sample, a100-mixed, A100-SXM-40, inference, on-demand, "
        "1g.5gb x 2 + 2g.10gb x 1 + 3g.20gb x 1, 0 to 2, 8, 32, 16, 64"
    )
    assert h100[-5:] == ("2 to 4", "8", "8", "32", "32")


def test_quotas_are_told_as_parts_of_the_capacity_and_of_what_is_kept(fleet: Fleet) -> None:
    rows = {row[1:4]: row[4:] for row in _table(fleet_page(fleet, UNPLANNED), "teams")}
    gpu = "nvidia.com/gpu"
    assert rows["h100", gpu, "research"] == ("16", "50%", "100%", "24", "75%")
    assert rows["h100", gpu, "all teams"] == ("24", "75%", "150%", "32", "100%")
    assert rows["h100-spot", gpu, "research"] == ("12", "75%", "none kept", "24", "150%")


@pytest.mark.parametrize(
    ("day", "state", "first"),
    [
        ("2027-01-01", "89 days left", ()),
        ("2027-03-01", "30 days left", ("Exceptions that end within 30 days: 1.",)),
        ("2027-03-30", "1 day left", ("Exceptions that end within 30 days: 1.",)),
        ("2027-03-31", "0 days left", ("Exceptions that end within 30 days: 1.",)),
        (
            "2027-04-01",
            "expired, the rule applies again",
            ("Expired exceptions, whose rules apply again: 1.",),
        ),
    ],
)
def test_an_exception_is_told_by_the_day_of_the_page(
    example: Load, tmp_path: Path, day: str, state: str, first: tuple[str, ...]
) -> None:
    platform = example("training")
    page = fleet_page(fleet_of((platform,), tmp_path, dt.date.fromisoformat(day)), UNPLANNED)
    (row,) = _table(page, "exceptions")
    assert row[:5] == ("2027-03-31", state, "training", "research-training", "host-ipc")
    (policies,) = [section for section in page.sections if section.name == "policies"]
    assert policies.first == first


def test_clusters_whose_ladders_are_equal_share_its_rows(example: Load, tmp_path: Path) -> None:
    platforms = [example(name) for name in ("training", "onprem", "mixed")]
    page = fleet_page(fleet_of(platforms, tmp_path, dt.date(2027, 1, 1)), UNPLANNED)
    rows = _table(page, "ladder")
    assert [row[0] for row in rows] == ["mixed"] * 7 + ["onprem, training"] * 7


def test_a_table_of_costs_is_of_what_its_caption_says(fleet: Fleet) -> None:
    sections = {section.name: section for section in fleet_page(fleet, UNPLANNED).sections}
    tables = [part for part in sections["cost"].parts if isinstance(part, ReportTable)]
    assert [(table.caption, table.headers[0]) for table in tables] == [
        ("By cluster", "Cluster"),
        ("By team", "Team"),
        ("What a node costs", "Pool"),
        ("By pool", "Pool"),
        ("By purchase", "Purchase"),
        ("By cost centre", "Cost centre"),
        ("By namespace", "Namespace"),
    ]


def test_the_order_in_which_clusters_are_given_is_of_no_matter(
    example: Load, tmp_path: Path
) -> None:
    platforms = [example(name) for name in ("training", "onprem")]
    day = dt.date(2027, 1, 1)
    one, other = (
        fleet_page(fleet_of(given, tmp_path, day), UNPLANNED)
        for given in (platforms, platforms[::-1])
    )
    assert one == other
    assert one != replace(one, as_of=dt.date(2027, 1, 2))
