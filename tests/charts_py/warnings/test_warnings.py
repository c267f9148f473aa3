import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.warnings import find_warnings
from tests.charts_py.fixture_types import PlatformWith, Sample
from tests.rows import rows_beside

each_row = rows_beside(__file__, "warnings.yaml")

ENGINE = ("network", "policyEngine")
WarningsAfter = Callable[..., list[str]]
LAST_DAY = dt.date(2027, 3, 31)


@pytest.fixture
def warnings_after(platform_after: PlatformWith) -> WarningsAfter:
    """Return the function that returns what a sample, with a piece replaced, warns of on a day."""

    def read(name: str, old: str, new: str, today: dt.date | None = None) -> list[str]:
        found = find_warnings(platform_after(name, (old, new)))
        told = [
            str(warning.fault)
            for warning in found
            if warning.holds(today) and warning.fault.problem.path != ENGINE
        ]
        return [line[line.index("sample.yaml") :] for line in told]

    return read


EXPIRED = (
    "sample.yaml:72: policies.exceptions[0].expires: 2027-03-31 is over, so that host-ipc applies "
    "again; allowed: a later day, or no exception"
)


@each_row("not_meant")
def test_what_is_likely_not_meant_is_told_with_its_line(
    warnings_after: WarningsAfter, sample_name: str, old: str, new: str, warnings: list[str]
) -> None:
    assert warnings_after(sample_name, old, new) == warnings


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        (
            "",
            [
                (
                    "network.policyEngine: not stated, so that the NetworkPolicies of 2 namespaces "
                    "may be ignored, and the pods of all teams reach each other; allowed: what "
                    "enforces them here: vpc-cni, calico, cilium"
                )
            ],
        ),
        ("network: {policyEngine: cilium}\n", []),
    ],
)
def test_policies_that_nothing_is_known_to_enforce_are_told(
    platform_after: PlatformWith, stated: str, told: list[str]
) -> None:
    found = find_warnings(platform_after("eks", ("pools:\n", f"{stated}pools:\n")))
    assert [str(each.fault.problem) for each in found if each.fault.problem.path == ENGINE] == told


@each_row("unpriced_budget")
def test_a_budget_towards_which_nothing_counts_is_told(
    platform_after: PlatformWith, tmp_path: Path, old: str, new: str, told: str | None
) -> None:
    budget = ('costCenter: "4711"', 'costCenter: "4711"\n    budget: 5000')
    engine = ("policies:\n", "network: {policyEngine: cilium}\npolicies:\n")
    found = find_warnings(platform_after("eks", budget, (old, new), engine))
    line = f"{tmp_path}/sample.yaml:38: teams.research.budget: {told}"
    assert [str(each.fault) for each in found if each.holds(None)] == ([line] if told else [])


@pytest.mark.parametrize(
    ("today", "warnings"),
    [(None, []), (LAST_DAY, []), (LAST_DAY + dt.timedelta(days=1), [EXPIRED])],
    ids=["no day", "the last day", "the next day"],
)
def test_an_exception_is_told_of_from_the_day_after_its_last_one(
    warnings_after: WarningsAfter, today: dt.date | None, warnings: list[str]
) -> None:
    assert warnings_after("eks", "region: us-east-1", "region: us-east-1", today) == warnings


HOLD = "promotion: {hold: {reason: waits for a driver, owner: jo@example.com, until: 2027-03-31}}\n"
OVER = (
    "sample.yaml:3: promotion.hold.until: 2027-03-31 is over, so that versions go live again; "
    "allowed: a later day, or no hold"
)


@pytest.mark.parametrize(
    ("today", "warnings"), [(LAST_DAY, []), (LAST_DAY + dt.timedelta(days=1), [OVER])]
)
def test_a_hold_is_told_of_from_the_day_after_its_last_one(
    warnings_after: WarningsAfter, today: dt.date, warnings: list[str]
) -> None:
    told = warnings_after("eks", "region: us-east-1", f"region: us-east-1\n{HOLD}", today)
    assert [each for each in told if "promotion" in each] == warnings


@each_row("without_effect")
def test_a_setting_that_nothing_goes_by_is_told(
    warnings_after: WarningsAfter, sample_name: str, old: str, new: str, warnings: list[str]
) -> None:
    assert warnings_after(sample_name, old, new) == warnings


def test_a_setting_that_clusters_share_may_be_for_others(sample: Sample, tmp_path: Path) -> None:
    file, fleet = tmp_path / "sample.yaml", tmp_path / "fleet.yaml"
    file.write_text(sample("aks"), encoding="utf-8")
    fleet.write_text("cost: {discounts: {reserved: 0.4}}\n", encoding="utf-8")
    assert find_warnings(load_platform(file, fleet)) == ()


@pytest.mark.parametrize(
    ("checkout", "stated", "told"),
    [
        ("monorepo", "gpus", None),
        ("monorepo/gpus", ".", None),
        (
            "monorepo",
            ".",
            (
                'dist/ is in "gpus" of its checkout, and Argo CD would look in "."; '
                "allowed: gpus, or a checkout of its own: git init"
            ),
        ),
        (
            "monorepo/gpus",
            "gpus",
            'dist/ is in "." of its checkout, and Argo CD would look in "gpus"; allowed: .',
        ),
        (None, "gpus", None),
    ],
)
def test_another_folder_of_the_checkout_than_argo_cd_is_told_is_told(
    platform_after: PlatformWith,
    tmp_path: Path,
    checkout: str | None,
    stated: str,
    told: str | None,
) -> None:
    (clusters := tmp_path / "monorepo" / "gpus" / "clusters").mkdir(parents=True)
    if checkout is not None:
        (tmp_path / checkout / ".git").mkdir()
    platform = replace(
        platform_after(
            "eks",
            ("gitops:\n", f"gitops:\n  path: {stated}\n"),
            ("policies:\n", "network: {policyEngine: cilium}\npolicies:\n"),
        ),
        directory=clusters,
    )
    line = f"{tmp_path}/sample.yaml:7: gitops.path: {told}"
    found = [str(each.fault) for each in find_warnings(platform) if each.holds(None)]
    assert found == ([line] if told else [])
