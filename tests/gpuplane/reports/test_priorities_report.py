from pathlib import Path

from gpuplane.reports.priorities_report import DISRUPTIONS


def test_only_the_eviction_api_is_held_back_by_a_budget() -> None:
    (held_back,) = [each for each in DISRUPTIONS if each.budgets.startswith("held back")]
    assert "eviction API" in held_back.what


def test_each_has_its_source() -> None:
    assert all(each.source.startswith("https://kubernetes.io/docs/") for each in DISRUPTIONS)


def test_the_page_says_the_same() -> None:
    page = Path(__file__).parents[3] / "docs" / "priorities.md"
    rows = page.read_text(encoding="utf-8").splitlines()
    assert {f"| [{each.what}]({each.source}) | {each.budgets} |" for each in DISRUPTIONS} <= {*rows}
