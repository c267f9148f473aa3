import shutil
from pathlib import Path

import yaml

from policies.rule_name import RuleName, rule_page
from policies.rules import RULES
from tests.gpuplane.conftest import Run

SAMPLE = Path(__file__).parents[2] / "charts_py" / "samples" / "eks.yaml"


def test_the_rules_are_listed_in_order_with_kind_and_summary(run: Run) -> None:
    rows = [row.split("│")[1:-1] for row in run("rules").stdout.splitlines() if "│" in row]
    cells = [[cell.strip() for cell in row] for row in rows]
    assert cells == [[rule.name, rule.severity, rule.summary] for rule in RULES]


def test_json_has_every_rule(run: Run) -> None:
    rows = [{"name": rule.name, "kind": rule.severity, "summary": rule.summary} for rule in RULES]
    assert run.report("rules") == {"kind": "RuleList", "items": rows}


def test_rules_of_a_clusters_own_come_last(in_repository: Run, tmp_path: Path) -> None:
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLE.with_name("custom-rules.yaml"), tmp_path / "clusters" / "sample.yaml")
    listed = in_repository.report("rules", "--cluster", "sample")["items"]
    assert [(each["name"], each["kind"]) for each in listed[len(RULES) :]] == [
        ("data-class", "fix"),
        ("no-host-network", "refuse"),
        ("few-containers", "warn"),
    ]
    assert listed[len(RULES)]["summary"] == "The pod has no label data-class."


def test_the_page_of_a_rule_is_printed(run: Run) -> None:
    assert run("rules", "shared-memory").stdout == rule_page(RuleName.SHARED_MEMORY)


def test_the_page_of_a_rule_of_the_linter_is_printed(run: Run) -> None:
    assert run("rules", "job-ttl").stdout.startswith("# job-ttl\n")


def test_the_page_of_a_clusters_own_rule_has_its_fields(in_repository: Run, tmp_path: Path) -> None:
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLE, tmp_path / "clusters" / "sample.yaml")
    printed = in_repository("rules", "no-host-network", "--cluster", "sample").stdout
    stated = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))["policies"]["own"]
    kinds = {"severity": "refuse", "audience": "gpu-pods"}
    expected = {"name": "no-host-network", **kinds, **stated["no-host-network"]}
    assert yaml.safe_load(printed) == expected


def test_a_rule_that_a_cluster_lacks_has_the_nearest_of_its_own(
    in_repository: Run, tmp_path: Path
) -> None:
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLE, tmp_path / "clusters" / "sample.yaml")
    assert in_repository.refused("rules", "no-host-networks", "--cluster", "sample").endswith(
        "; nearest: no-host-network\n"
    )


def test_an_unknown_rule_is_wrong_input(run: Run) -> None:
    said = run.refused("rules", "shared-memori")
    assert said.startswith('unknown rule "shared-memori"; allowed: gpu-count, ')
    assert said.endswith("; nearest: shared-memory, server-memory\n")
