"""What charts render, by a Helm that says what it was told."""

import os
from pathlib import Path

import pytest

from gpuplane.lint.chart_sources import chart_sources
from gpuplane.lint.lint_source import LintSource
from upstream.lock import UpstreamError

HELM = """#!/bin/sh
if [ "$1" = version ]; then echo v4.3.1; exit; fi
case "$3" in *broken) echo "Error: no template" >&2; exit 1;; esac
case "$3" in *lacking*)
  echo "Error: found in Chart.yaml, but missing in charts/ directory: redis, a-b" >&2; exit 1;;
esac
if [ -f "$3/said" ]; then cat "$3/said" >&2; exit 1; fi
shift 2; echo "$1 $2 $3 $4 $5 $6 $7 $8"
"""


@pytest.fixture(autouse=True)
def _helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "helm"
    program.parent.mkdir()
    program.write_text(HELM, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    for name in ("chart", "broken"):
        Path(name).mkdir()
    Path("values.yaml").touch()


def test_a_chart_is_rendered_with_its_values_for_the_cluster(tmp_path: Path) -> None:
    (source,) = chart_sources(["chart/"], ["values.yaml"], "team", "1.36")
    told = f"--values {tmp_path}/values.yaml --namespace team --kube-version 1.36.0 --skip-tests"
    rendered = f"{tmp_path}/chart {told}\n".encode()
    assert source == LintSource("chart", rendered, is_placed_later=True)


def test_a_chart_that_is_not_rendered_does_not_stop_the_rest() -> None:
    broken, chart = chart_sources(["broken", "chart"], [], "team", "1.36")
    assert broken == LintSource("broken", b"", unread="Helm does not render the chart: no template")
    assert chart.content


_TEMPLATE = "chart/templates/d.yaml"
_DEBUG = "\n\nUse --debug flag to render out invalid YAML\n"
_JSON = "cannot unmarshal yaml document: error converting YAML to JSON: yaml: line 2: a is no b"


@pytest.mark.parametrize(
    ("said", "file", "line", "why"),
    [
        (
            f"execution error at ({_TEMPLATE}:4:26): name is required{_DEBUG}",
            *(_TEMPLATE, 4),
            f"execution error at ({_TEMPLATE}:4:26): name is required",
        ),
        (
            f"parse error at ({_TEMPLATE}:5): unclosed action started at {_TEMPLATE}:4{_DEBUG}",
            *(_TEMPLATE, 4),
            f"parse error at ({_TEMPLATE}:5): unclosed action started at {_TEMPLATE}:4",
        ),
        (
            f'{_TEMPLATE}:4:11\n  executing "{_TEMPLATE}" at <include "a" .>:\n    no a{_DEBUG}',
            *(_TEMPLATE, 4),
            f'{_TEMPLATE}:4:11 executing "{_TEMPLATE}" at <include "a" .>: no a',
        ),
        (
            f"YAML parse error on {_TEMPLATE}: error converting YAML to JSON: yaml: line 4: no key",
            *(_TEMPLATE, 1),
            f"YAML parse error on {_TEMPLATE}: line 4: no key",
        ),
        (
            "failed to parse {here}/values.yaml: " + _JSON,
            *("values.yaml", 2),
            "failed to parse values.yaml: line 2: a is no b",
        ),
        (
            f"cannot load values.yaml: {_JSON}",
            *("chart/values.yaml", 2),
            "cannot load values.yaml: line 2: a is no b",
        ),
        (
            f"chart requires kubeVersion: >=1.99{_DEBUG}",
            *("chart/Chart.yaml", 1),
            "chart requires kubeVersion: >=1.99",
        ),
    ],
)
def test_what_helm_says_stands_where_it_is_wrong(said: str, file: str, line: int, why: str) -> None:
    Path("chart/templates").mkdir()
    for name in ("chart/Chart.yaml", "chart/values.yaml", _TEMPLATE):
        Path(name).touch()
    told = f"Error: {said}".replace("{here}", str(Path.cwd()))
    Path("chart/said").write_text(told, encoding="utf-8")
    (source,) = chart_sources(["chart"], ["values.yaml"], "team", "1.36")
    unread = f"Helm does not render the chart: {why}"
    assert source == LintSource(file, b"", unread=unread, unread_line=line)


CHART = """\
name: lacking
dependencies:
  - {name: there, version: 1.0.0}
  - version: 2.0.0
    name: redis
  - {name: a-b, version: 3.0.0}
"""


@pytest.mark.parametrize(
    ("content", "line"), [(CHART, 5), ("dependencies: [{name: other}, 1]\n", 1), ("a: [", 1)]
)
def test_a_chart_without_its_dependencies_is_told_at_the_first_of_them(
    content: str, line: int
) -> None:
    Path("lacking it").mkdir()
    Path("lacking it/Chart.yaml").write_text(content, encoding="utf-8")
    assert chart_sources(["lacking it"], [], "team", "1.36") == (
        LintSource(
            "lacking it/Chart.yaml",
            content.encode(),
            unread="Helm does not render the chart: charts/ lacks redis, a-b; fetch them: "
            "helm dependency build 'lacking it'",
            unread_line=line,
        ),
    )


def test_an_archive_without_its_dependencies_is_told_in_helms_words() -> None:
    Path("lacking.tgz").touch()
    (source,) = chart_sources(["lacking.tgz"], [], "team", "1.36")
    assert "missing in charts/ directory: redis, a-b" in source.unread


def test_without_charts_no_helm_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert chart_sources([], [], "team", "1.36") == ()
    with pytest.raises(UpstreamError, match="gpuplane lint --helm needs Helm 4 on PATH"):
        chart_sources(["chart"], [], "team", "1.36")
