"""Where findings in what a chart renders stand, by a Helm that fills in one value."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import Mark
from charts_py.helm.program import HelmError
from gpuplane.lint.chart_templates import Templates, at_templates, template_lines
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.report import RuleSelection, merged_report
from tests.counted_calls import is_linear

HELPERS = '{{- define "labels" -}}\napp: a\n{{- end -}}\n'
POD = """\
{{- if .Values.enabled }}
kind: Pod
metadata:
  labels:
    {{- toYaml .Values.labels | nindent 4 }}
spec:
  hostIPC: {{
    .Values.hostIPC }}
  containers: []
{{- end }}
---
kind: ConfigMap
"""
RENDERED = """\
---
# Source: service/templates/pod.yaml
kind: Pod
metadata:
  labels:
    app: a
    team: b
spec:
  hostIPC: true
  containers: []
---
# Source: service/templates/pod.yaml
kind: ConfigMap
---
# Source: service/charts/packed/templates/other.yaml
kind: Service
"""


def _render(chart: Path) -> str:
    """Render as Helm would, with what stands behind each line of a template left there."""
    text = (chart / "templates" / "pod.yaml").read_text(encoding="utf-8")
    text = text.removeprefix("{{- if .Values.enabled }}")
    text = text.replace("{{- toYaml .Values.labels | nindent 4 }}", "app: a\n    team: b")
    text = text.replace("{{\n    .Values.hostIPC }}", "true").replace("\n{{- end }}", "")
    documents = [each.strip() for each in text.split("\n---\n")]
    source = "---\n# Source: service/templates/pod.yaml\n"
    other = "---\n# Source: service/charts/packed/templates/other.yaml\nkind: Service"
    return "\n".join([*(f"{source}{each}" for each in documents), other, ""])


@pytest.fixture
def chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = Path("service")
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "pod.yaml").write_text(POD, encoding="utf-8")
    (folder / "templates" / "_helpers.tpl").write_text(HELPERS, encoding="utf-8")
    assert _render(folder) == RENDERED
    return folder


def _lines(chart: Path, render: Callable[[Path], str] = _render) -> Templates:
    return template_lines(chart, RENDERED, render)


def test_each_line_is_that_of_its_template_or_of_the_action_that_made_it(chart: Path) -> None:
    file, other = "service/templates/pod.yaml", "service/charts/packed/templates/other.yaml"
    lines = {3: 2, 4: 3, 5: 4, 6: 5, 7: 5, 8: 6, 9: 8, 10: 9, 13: 12}
    assert _lines(chart) == {**{at: (file, line) for at, line in lines.items()}, 16: (other, None)}
    assert (chart / "templates" / "pod.yaml").read_text(encoding="utf-8") == POD


def _bare(count: int) -> Callable[[], object]:
    text = "\n".join(["{{ if", ".Values.a }}", *(f"a{at}: b" for at in range(count))])
    rendered = "\n".join(["# Source: a/templates/b.yaml", *([""] * count), text, ""])
    folder = Path(f"bare-{count}")
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "templates" / "b.yaml").write_text(text, encoding="utf-8")
    return lambda: template_lines(folder, rendered, lambda _: rendered)


def test_twice_as_many_lines_are_twice_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_linear(_bare, 500)


def test_each_template_is_read_once_for_all_its_findings(
    chart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = (Mark("service", line, 1) for line in (5, 6, 7, 8))
    found = tuple(LintFinding("rule", LintSeverity.ERROR, at, at, f"{at}.") for at in marks)
    source = LintSource("service", RENDERED.encode(), templates=lambda: lines)
    report = merged_report([source], [FileFindings(found)], RuleSelection(), ["training"])
    lines, read = _lines(chart), list[Path]()
    read_text = Path.read_text

    def noted(path: Path, encoding: str, errors: str) -> str:
        read.append(path)
        return read_text(path, encoding, errors)

    monkeypatch.setattr(Path, "read_text", noted)
    assert len(at_templates(report, [source]).findings) == 4
    assert read == [chart / "templates" / "pod.yaml"]


def _changing(chart: Path) -> str:
    return _render(chart).replace("team: b", "team: random")


def _failing(chart: Path) -> str:
    raise HelmError(f"no template in {chart}")


def test_a_line_that_is_never_the_same_has_no_place(chart: Path) -> None:
    known, file = _lines(chart, _changing), "service/templates/pod.yaml"
    assert (known[6], known[7]) == ((file, 5), (file, None))
    assert {line for _, line in _lines(chart, _failing).values()} == {None}


@pytest.mark.parametrize(
    ("line", "place", "remedy"),
    [
        (7, "service/templates/pod.yaml:5:5", "Mend it. The template reads .Values.labels there."),
        (8, "service/templates/pod.yaml:6:1", "Mend it."),
        (
            16,
            "service:16:1",
            "Mend it. It comes from the template service/charts/packed/templates/other.yaml.",
        ),
        (1, "service:1:1", "Mend it."),
    ],
)
def test_a_finding_stands_in_the_template(chart: Path, line: int, place: str, remedy: str) -> None:
    marks = Mark("service", line, 1), Mark("service", line, 5)
    finding = LintFinding("rule", LintSeverity.ERROR, *marks, "Wrong.", "Mend it.")
    source = LintSource("service", RENDERED.encode(), templates=lambda: _lines(chart))
    report = merged_report([source], [FileFindings((finding,))], RuleSelection(), ["training"])
    placed = at_templates(report, [source])
    (found,) = placed.findings
    assert (str(found.start), found.remedy) == (place, remedy)
    if found.start.file != "service":
        assert placed.sources[found.start.file] == POD.encode()


def test_no_link_of_a_chart_is_followed_and_nothing_but_templates_is_read(tmp_path: Path) -> None:
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "templates" / "pod.yaml").write_text(POD, encoding="utf-8")
    os.mkfifo(chart / "templates" / "pipe.yaml")
    links = {"a": ".", "b": ".", "zero": "/dev/zero", "templates/zero.yaml": "/dev/zero"}
    for name, target in links.items():
        (chart / name).symlink_to(target)
    kept: list[str] = []

    def render(copy: Path) -> str:
        paths = (each for each in copy.rglob("*") if not each.is_symlink())
        kept.extend(each.relative_to(copy).as_posix() for each in paths)
        assert (copy / "zero").readlink() == chart / "zero"
        return _render(copy)

    assert template_lines(chart, RENDERED, render)
    assert sorted(kept) == ["templates", "templates/pod.yaml"]
