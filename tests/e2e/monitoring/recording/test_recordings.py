"""Rules record what follows from the series of real exporters, and nothing twice."""

from pathlib import Path

import pytest

from charts_py.components.gpu_usage.definition import GPU_USAGE
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.metrics_collection import RecordingRule
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.promtool import Promtool
from tests.e2e.monitoring.recording.recording import (
    CLUSTERS,
    Recording,
    platform_of,
    read_recordings,
)

PAGE = Path(__file__).parents[4] / "docs" / "figures.md"
RECORDINGS = list(read_recordings())


def _blocks(language: str) -> list[str]:
    _, *blocks = PAGE.read_text(encoding="utf-8").split(f"```{language}\n")
    return [block.partition("```")[0] for block in blocks]


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: f"{each.topic}: {each.name}")
def test_rules_record_what_a_case_says(
    recording: Recording, promtool: Promtool, tmp_path: Path
) -> None:
    recording.play(promtool, tmp_path)


def test_prometheus_takes_the_queries_of_the_page_of_figures(
    promtool: Promtool, tmp_path: Path
) -> None:
    queries = _blocks("promql")
    rules = [{"record": f"query:{n}", "expr": query} for n, query in enumerate(queries)]
    file = tmp_path / "queries.yaml"
    file.write_text(to_yaml({"groups": [{"name": "queries", "rules": rules}]}), encoding="utf-8")
    assert rules
    promtool.check_rules([file])


def test_every_series_that_is_recorded_has_a_case(evidence: Evidence) -> None:
    platforms = [platform_of(file) for file in CLUSTERS.iterdir()]
    rules = [rule for p in platforms for group in GPU_USAGE.rules.groups(p) for rule in group.rules]
    records = {
        rule.record
        for rule in rules
        if isinstance(rule, RecordingRule) and not rule.expression.startswith("vector(")
    }
    played = " ".join(expression for each in RECORDINGS for expression in each.records)
    assert {record for record in records if record not in played} == set()
    evidence.show(
        "Prometheus records of the series of real exporters what is held and used of GPUs, and what"
        " it costs: whole, partitioned, shared, given out by DRA, and of AMD.",
        f"{len(records)} series, {len(RECORDINGS)} cases",
    )
