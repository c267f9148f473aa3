import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from charts_py.helm.program import Helm, HelmError
from charts_py.helm.release import (
    Release,
    Renderer,
    called_function,
    reason_at,
    stop_at_changing_functions,
    stopped,
)
from charts_py.objects.document import Document, EmittedKind
from tests.binaries.pinned_program import HELM
from tests.rows import rows_beside
from upstream.lock import LockedFile

each_row = rows_beside(__file__, "release.yaml")

Rendered = Callable[..., tuple[Document, ...]]

CHART = "charts/sample/Chart.yaml"
TEMPLATE = "charts/sample/templates/a.yaml"
OBJECT = """
apiVersion: v1
kind: ConfigMap
metadata: {name: NAME}
data: {value: "VALUE"}
"""
RELEASE = Release(
    name="sample-release",
    namespace="sample-namespace",
    chart="sample",
    is_released=True,
    values={"word": "given"},
    kinds=(EmittedKind("", "ConfigMap", namespaced=True),),
    skips_definitions=False,
)


def _map(name: str, value: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "sample-namespace"},
        "data": {"value": value},
    }


def _locked(file: str, content: str) -> LockedFile:
    is_chart = file == CHART
    return LockedFile(
        file=file,
        repository="example/sample",
        version="v1",
        commit="0" * 40,
        path=file,
        sha256=hashlib.sha256(content.encode()).hexdigest(),
        chart="sample" if is_chart else None,
        chart_version="1.0.0" if is_chart else "",
    )


@pytest.fixture
def rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rendered:
    """Return the function that renders a chart of these files."""

    def render(files: dict[str, str], release: Release = RELEASE) -> tuple[Document, ...]:
        files = {CHART: "{apiVersion: v2, name: sample, version: 0.0.0}\n", **files}
        lock = tuple(_locked(file, content) for file, content in files.items())
        for module in ("fetch", "lock"):
            monkeypatch.setattr(f"upstream.{module}.committed_lock", lambda: lock)
        for file, content in files.items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(content, encoding="utf-8")
        return Renderer(Helm(HELM.build()), tmp_path, "1.36").objects(release)

    return render


def _object(value: str, name: str = "a") -> str:
    return OBJECT.replace("VALUE", value).replace("NAME", name)


@pytest.mark.parametrize(
    ("value", "is_rendered"),
    [
        ("{{ .Release.Name }}", "sample-release"),
        ("{{ .Release.Namespace }}", "sample-namespace"),
        ("{{ .Values.word }}", "given"),
        ("{{ .Chart.Version }}", "1.0.0"),
        ("{{ .Capabilities.KubeVersion.Version }}", "v1.36.0"),
        ('{{ .Capabilities.APIVersions.Has "resource.k8s.io/v1/DeviceClass" }}', "true"),
        ('{{ if false }}{{ lookup "v1" "Secret" "a" "b" }}{{ end }}', ""),
    ],
)
def test_helm_is_told_what_argo_cd_tells_it(
    rendered: Rendered, value: str, is_rendered: str
) -> None:
    assert rendered({TEMPLATE: _object(value)}) == (_map("a", is_rendered),)


def test_hooks_are_kept_and_tests_are_not(rendered: Rendered) -> None:
    hook = _object("b", "b").replace("{name: b}", "{name: b, annotations: {helm.sh/hook: HOOK}}")
    files = {
        TEMPLATE: hook.replace("HOOK", "pre-install"),
        TEMPLATE.replace("a.yaml", "b.yaml"): hook.replace("HOOK", "test"),
    }
    (found,) = rendered(files)
    assert found["metadata"]["annotations"] == {"helm.sh/hook": "pre-install"}


@pytest.mark.parametrize(("skips", "names"), [(False, ["ds.example.com", "a"]), (True, ["a"])])
def test_definitions_come_with_it_unless_another_chart_brings_them(
    rendered: Rendered, skips: bool, names: list[str]
) -> None:
    definition = (
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, "
        "metadata: {name: ds.example.com}}"
    )
    files = {"charts/sample/crds/d.yaml": definition, TEMPLATE: _object("a")}
    found = rendered(files, replace(RELEASE, skips_definitions=skips))
    assert [each["metadata"]["name"] for each in found] == names


@each_row("changing")
def test_what_would_change_by_itself_is_refused(rendered: Rendered, value: str, fault: str) -> None:
    with pytest.raises(HelmError) as refused:
        rendered({TEMPLATE: _object(value)})
    assert str(refused.value) == fault


def test_an_object_that_is_not_always_rendered_is_refused(rendered: Rendered) -> None:
    name = '{{ tpl (printf "{{ %s }}" "uuidv4") . }}'
    with pytest.raises(HelmError) as refused:
        rendered({TEMPLATE: _object("a", name)})
    assert re.fullmatch(
        r"ConfigMap sample-namespace/[\da-f-]{36} is in only one of two renderings",
        str(refused.value),
    )


CALL = '{{ now | date "2006" }}'
OF_CALL = "templates/a.yaml:5: in a text that tpl evaluates, now reads the clock"


@pytest.mark.parametrize(
    ("file", "content", "evaluated"),
    [
        ("charts/sample/values.yaml", f"word: {CALL!r}", ".Values.word"),
        ("charts/sample/values.yaml", f"word: {json.dumps(CALL)}", ".Values.word"),
        ("charts/sample/files/word", CALL, '(.Files.Get "files/word")'),
    ],
)
def test_what_would_change_is_found_wherever_it_is_evaluated_from(
    rendered: Rendered, file: str, content: str, evaluated: str
) -> None:
    template = _object(f"{{{{ tpl {evaluated} . }}}}")
    with pytest.raises(HelmError) as refused:
        rendered({file: content, TEMPLATE: template}, replace(RELEASE, values={}))
    assert str(refused.value) == OF_CALL


def test_what_would_change_is_found_in_the_values_that_are_given(rendered: Rendered) -> None:
    with pytest.raises(HelmError) as refused:
        rendered(
            {TEMPLATE: _object("{{ tpl .Values.word . }}")}, replace(RELEASE, values={"word": CALL})
        )
    assert str(refused.value) == OF_CALL


def test_what_nothing_evaluates_is_rendered_as_it_is(rendered: Rendered) -> None:
    release = replace(RELEASE, values={"word": "{{ values }}"})
    assert rendered({TEMPLATE: _object("{{ .Values.word }}")}, release) == (
        _map("a", "{{ values }}"),
    )


def test_a_chart_that_refuses_its_values_is_told(rendered: Rendered) -> None:
    with pytest.raises(HelmError) as refused:
        rendered({TEMPLATE: '{{ fail "the word is wrong" }}'})
    assert "the word is wrong" in str(refused.value)


def test_a_chart_that_renders_nothing_is_refused(rendered: Rendered) -> None:
    with pytest.raises(HelmError) as refused:
        rendered({TEMPLATE: "# {{ .Values.word }}\n"})
    assert str(refused.value) == "helm prints no object"


VALUES = {"{{ now }}": ['{{ "a" | date "2006" }}', 3], "day": "2026-01-01", "keys": "lookup"}


@pytest.mark.parametrize("name", ["charts/inner/templates/a.yaml", "files/a.txt"])
def test_every_file_is_rewritten(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\xff\r\n{{ now }}\n")
    stop_at_changing_functions(tmp_path)
    assert file.read_bytes() == b"\xff\r\n{{ fail.now }}\n"


@pytest.mark.parametrize("style", ["'", '"', None])
def test_values_are_rewritten_however_they_are_quoted(tmp_path: Path, style: str | None) -> None:
    file = tmp_path / "charts" / "inner" / "values.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(yaml.dump(VALUES, default_style=style), encoding="utf-8")
    stop_at_changing_functions(tmp_path)
    assert yaml.safe_load(file.read_text("utf-8")) == {
        "{{ fail.now }}": ['{{ "a" | fail.date "2006" }}', 3],
        "day": "2026-01-01",
        "keys": "lookup",
    }


@each_row("calls")
def test_a_call_is_told_with_its_place(tmp_path: Path, error: str, call: str | None) -> None:
    file = tmp_path / "templates" / "x.yaml"
    file.parent.mkdir()
    file.write_text("{{ fail }}\n{{ fail.lookup 1 }}\n", encoding="utf-8")
    assert called_function(error, tmp_path) == call


@each_row("replaced")
def test_calls_are_replaced_and_nothing_else(template: str, rewritten: str) -> None:
    assert stopped(template) == rewritten


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        (1, 3, None),
        (2, 7, "lookup reads the cluster"),
        (2, 26, "now reads the clock"),
        (2, 27, None),
        (3, 3, None),
    ],
)
def test_a_call_is_told_by_its_place(line: int, column: int, reason: str | None) -> None:
    lines = ['{{ fail "x" }}', "\u00e4: {{ fail.lookup 1 }}{{ fail.now }}", "{{ fail.other }}"]
    assert reason_at("\n".join(lines), line, column) == reason
