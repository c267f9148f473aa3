from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.versions.conftest import commit_all, run_git

pytestmark = pytest.mark.usefixtures("fixed_prices")
SAMPLES = Path(__file__).parents[2] / "charts_py" / "samples"
NOT_LIVE = "Counted as cluster files render it, and not as it is live: sample 1.1.0 (live: 1.0.0)."
MORE_QUOTA = ("h100: 24, a10g: 16", "h100: 24, a10g: 32")
SPOT = ("purchase: reserved\n    reservation: cr-0123456789abcdef0", "purchase: spot")


def _write(folder: Path, *replacements: tuple[str, str]) -> None:
    text = (SAMPLES / "eks.yaml").read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    (folder / "clusters").mkdir(exist_ok=True)
    (folder / "clusters" / "sample.yaml").write_text(text, encoding="utf-8")


def _budget(amount: int) -> tuple[str, str]:
    return ('costCenter: "4711"', f'costCenter: "4711"\n    budget: {amount}')


@pytest.fixture(autouse=True)
def repository(tmp_path: Path) -> Path:
    _write(tmp_path)
    commit_all(tmp_path)
    return tmp_path


def test_a_report_has_pools_sums_and_gaps(in_repository: Run) -> None:
    report = in_repository.report("cost")
    pools, sums, _ = report.pop("pools"), report.pop("sums"), report.pop("notLive")
    assert report == fields("kind: Cost, hoursOfMonth: 730, budgets: [], unpriced: []")
    assert pools[-1] == fields("""
        cluster: sample, pool: h100, purchase: reserved, nodes: {min: 2, max: 4}, gpusPerNode: 8,
        currency: USD, price: {nodeHour: 55.04, gpuHour: 6.88, origin: listed, asOf: "2026-07-20"}
    """)
    common = fields("by: team, currency: USD, figure: reserved, without: []")
    assert [each for each in sums if each["by"] == "team"] == [
        common | fields("name: research, gpus: 28.0, hour: 170.792, month: 124678.16"),
        common | fields("name: search, gpus: 24.0, hour: 109.9342, month: 80251.97"),
    ]


def test_a_change_costs_more_or_saves(in_repository: Run, repository: Path) -> None:
    _write(repository, ("nodes: {min: 2, max: 4}", "nodes: {min: 1, max: 4}"))
    assert in_repository.printed("cost", "--base", "main", "-o", "markdown") == (
        """\
### Cost since main

| By | Name | A month | Currency | Before | After | Difference |
|---|---|---|---|---:|---:|---:|
| pool | sample/h100 | at min | USD | 80,358.40 | 40,179.20 | -40,179.20 |
| cluster | sample | at min | USD | 100,394.78 | 60,215.58 | -40,179.20 |
| purchase | reserved | at min | USD | 80,358.40 | 40,179.20 | -40,179.20 |
| total | total | at min | USD | 100,394.78 | 60,215.58 | -40,179.20 |
| total | total | at max | USD | 209,070.69 | 209,070.69 | +0.00 |
| total | total | reserved | USD | 204,930.13 | 204,930.13 | +0.00 |

A month has 730 hours.

- Counted as cluster files render it, and not as it is live: sample 1.1.0 (live: 1.0.0).
"""
    )


@pytest.mark.parametrize("arguments", [(), ("--base", "main")])
def test_a_cost_says_which_version_it_is_of(
    in_repository: Run, repository: Path, arguments: tuple[str, ...]
) -> None:
    assert NOT_LIVE in in_repository.printed("cost", *arguments, "-o", "markdown")
    report = in_repository.report("cost", *arguments)
    assert report["notLive"] == [fields("cluster: sample, version: 1.1.0, live: 1.0.0")]
    _write(repository, ("live: 1.0.0\n", ""))
    assert NOT_LIVE not in in_repository.printed("cost", *arguments, "-o", "markdown")
    assert in_repository.report("cost", *arguments)["notLive"] == []


def test_what_a_new_cluster_costs_was_nothing_before(in_repository: Run, repository: Path) -> None:
    (repository / "clusters" / "sample.yaml").rename(repository / "clusters" / "second.yaml")
    report = in_repository.report("cost", "--base", "main")
    assert report["kind"] == "CostChangeList"
    clusters = [each for each in report["items"] if each["by"] == "cluster"]
    assert [(each["name"], each["figure"], each["difference"]) for each in clusters] == [
        ("sample", "atMin", -100394.78),
        ("sample", "atMax", -209070.69),
        ("sample", "reserved", -204930.13),
        ("second", "atMin", 100394.78),
        ("second", "atMax", 209070.69),
        ("second", "reserved", 204930.13),
    ]


def test_a_cluster_that_is_gone_is_still_known_to_its_base(
    in_repository: Run, repository: Path
) -> None:
    (repository / "clusters" / "sample.yaml").rename(repository / "clusters" / "second.yaml")
    assert in_repository("cost", "sample", "--base", "main").exit_code == 0
    said = 'unknown cluster "simple"; allowed: sample, second; nearest: sample\n'
    assert in_repository.refused("cost", "simple", "--base", "main") == said


def test_what_was_wrong_at_the_base_is_told_by_its_name_in_git(
    in_repository: Run, repository: Path
) -> None:
    _write(repository, ("purchase: reserved", "purchase: reservd"))
    commit_all(repository)
    _write(repository)
    assert in_repository.refused("cost", "--base", "main") == (
        'main:clusters/sample.yaml:16: pools.h100.purchase: unknown "reservd"; '
        "allowed: reserved, on-demand, spot, capacity-block; nearest: reserved\n"
    )


def test_a_file_that_was_not_read_at_the_base_is_told_likewise(
    in_repository: Run, repository: Path
) -> None:
    misnamed = repository / "clusters" / "second.yml"
    misnamed.write_text("provider: eks\n", encoding="utf-8")
    commit_all(repository)
    misnamed.unlink()
    assert in_repository.refused("cost", "--base", "main").startswith(
        "main:clusters/second.yml:1: is not read, since its name does not end in .yaml"
    )


def test_a_pool_that_had_no_price_at_the_base_is_told_by_its_file(
    in_repository: Run, repository: Path
) -> None:
    _write(repository, SPOT)
    commit_all(repository)
    _write(repository)
    assert in_repository.report("cost", "--base", "main")["unpriced"] == [
        fields("""
            pool: sample/h100, reason: "no price of spot nodes is listed, since it varies",
            file: clusters/sample.yaml, line: 12
        """)
    ]
    assert "main:clusters/sample.yaml:12: " in in_repository.printed("cost", "--base", "main")


def test_extensions_of_the_base_are_those_that_it_had(in_repository: Run, repository: Path) -> None:
    manifests = repository / "clusters" / "own"
    manifests.mkdir()
    (manifests / "namespace.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: own}\n", "utf-8"
    )
    _write(repository, ("policies:\n", "extensions: {manifests: own}\npolicies:\n"))
    commit_all(repository)
    run_git(repository, "rm", "-r", "--quiet", "clusters/own")
    _write(repository)
    assert in_repository("cost", "--base", "main").exit_code == 0


def test_people_read_tables_and_why_a_pool_has_no_price(
    in_repository: Run, repository: Path
) -> None:
    _write(repository, SPOT)
    lines = in_repository("cost", "--detail").stdout.splitlines()
    assert lines[0] == (
        "A month costs 20,036 USD with the fewest nodes and 48,354 with the most, and quotas "
        "reserve 44,213, without 1 of 3 pools, whose price is not known."
    )
    assert [line for line in lines if "sample/h100" in line and "spot" in line] != []
    assert "\n".join(lines[-2:]) == (
        "A month has 730 hours. No price is known for sample/h100; the sums leave it out.\n"
        f"{repository}/clusters/sample.yaml:12: pools.h100: no price of spot nodes is listed, "
        "since it varies; allowed: price, cost.prices, or cost.discounts"
    )


def test_a_table_has_a_row_for_each_pool_and_their_sum(in_repository: Run) -> None:
    printed = in_repository.printed("cost", "-o", "markdown")
    assert printed[printed.index("| Pool") :] == (
        """\
| Pool | Purchase | Nodes | GPU-hour | Month at min | Month at max | Month reserved |
|---|---|---:|---:|---:|---:|---:|
| sample/a100-mig | on-demand | 1 to 2 | 3.43 | 20,036.38 | 40,072.77 | 40,072.77 |
| sample/a10g | on-demand | 0 to 2 | 1.42 | 0.00 | 8,281.12 | 4,140.56 |
| sample/h100 | reserved | 2 to 4 | 6.88 | 80,358.40 | 160,716.80 | 160,716.80 |
| total |  |  |  | 100,394.78 | 209,070.69 | 204,930.13 |
"""
    )


def test_an_unknown_reference_is_near_to_one_that_there_is(in_repository: Run) -> None:
    said = in_repository.refused("cost", "--base", "mian")
    assert 'unknown git reference "mian"' in said
    assert said.endswith("nearest: main\n")


ABOVE = (
    "Above budget: the quotas of sample/research reserve 128,818.72 USD a month, 3,818.72 more "
    "than its budget of 125,000.00"
)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([MORE_QUOTA], [_budget(125_000), MORE_QUOTA], f"{ABOVE}; before, it had no budget."),
        (
            [_budget(125_000)],
            [_budget(125_000), MORE_QUOTA],
            f"{ABOVE}; before, 124,678.16 of 125,000.00.",
        ),
        (
            [_budget(128_000), MORE_QUOTA],
            [_budget(125_000), MORE_QUOTA],
            f"{ABOVE}; before, 128,818.72 of 128,000.00.",
        ),
        (
            [_budget(120_000), MORE_QUOTA],
            [_budget(125_000), MORE_QUOTA],
            "The budget of sample/research, 120,000.00 USD a month, becomes 125,000.00.",
        ),
        (
            [_budget(125_000)],
            [MORE_QUOTA],
            "The budget of sample/research, 125,000.00 USD a month, is removed.",
        ),
        ([_budget(125_000), MORE_QUOTA], [_budget(125_000), MORE_QUOTA], None),
    ],
    ids=["new budget", "more quota", "less budget", "more budget", "no budget", "as before"],
)
def test_a_change_of_a_budget_is_told_first_and_fails_where_it_exceeds_it_and_that_is_asked_for(
    before: list[tuple[str, str]],
    after: list[tuple[str, str]],
    told: str | None,
    in_repository: Run,
    repository: Path,
) -> None:
    _write(repository, *before)
    commit_all(repository)
    _write(repository, *after)
    asked = ("cost", "--base", "main", "-o", "markdown")
    printed = in_repository.printed(*asked)
    begin = f"### Cost since main\n\n**{told}**\n\n| By" if told else "### Cost since main\n\n| By"
    assert printed.startswith(begin)
    failing = in_repository(*asked, "--fail-on", "over-budget")
    exceeds = told is not None and told.startswith(ABOVE)
    assert (failing.exit_code, failing.stdout) == (1 if exceeds else 0, printed)


def test_a_report_says_how_far_a_budget_is_exceeded(in_repository: Run, repository: Path) -> None:
    _write(repository, _budget(125_000))
    commit_all(repository)
    _write(repository, _budget(125_000), MORE_QUOTA)
    before = fields("""
        cluster: sample, team: research, currency: USD, month: 125000, reserved: 124678.16,
        above: 0, without: []
    """)
    after = before | {"reserved": 128_818.72, "above": 3_818.72}
    assert in_repository.report("cost")["budgets"] == [after]
    changed = in_repository.report("cost", "--base", "main")["budgets"]
    assert changed == [{"before": before, "after": after, "exceeds": True}]


@pytest.mark.parametrize(
    ("changes", "first", "code"),
    [
        ([_budget(125_000), MORE_QUOTA], f"{ABOVE}.", 1),
        ([_budget(150_000)], None, 0),
        # Of what is reserved, the part that has a price is within the budget.
        ([_budget(6_000), SPOT], None, 0),
        (
            [_budget(4_000), SPOT],
            (
                "Above budget: the quotas of sample/research reserve at least 4,140.56 USD a "
                "month, 140.56 more than its budget of 4,000.00."
            ),
            1,
        ),
    ],
)
def test_quotas_above_a_budget_are_told_first_and_fail_where_that_is_asked_for(
    changes: list[tuple[str, str]],
    first: str | None,
    code: int,
    in_repository: Run,
    repository: Path,
) -> None:
    _write(repository, *changes)
    result = in_repository("cost", "--fail-on", "over-budget")
    assert (result.exit_code, result.stderr) == (code, "")
    told, *_ = result.stdout.splitlines()
    assert told == first if first else told.startswith("A month costs ")
    assert in_repository("cost").exit_code == 0
