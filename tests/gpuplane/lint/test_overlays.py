"""Folders with kustomizations, which the kubectl of the environment or on PATH builds."""

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gpuplane.commands.linting import Linted, LintRequest, lint_manifests
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.kustomization import KustomizationError, build
from tests.rows import rows_beside

each_row = rows_beside(__file__, "overlays.yaml")
CLUSTERS = Path(__file__).parents[3] / "clusters"
RULES = (
    "host-ipc",
    "image-registry",
    "invalid-fields",
    "memory-limit",
    "node-name",
    "unbuilt-overlay",
    "unread-part",
)
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - {name: c, image: "registry.example.com/c:1", resources: {limits: {nvidia.com/gpu: 1}}}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root").mkdir()
    monkeypatch.chdir(tmp_path / "root")
    Path("kustomization.yaml").write_text("resources: []\n", encoding="utf-8")
    try:
        build(Path())
    except KustomizationError as error:
        if "kubectl is not" in str(error):
            pytest.skip("there is no kubectl")
    Path("kustomization.yaml").unlink()


def _linted(files: Mapping[str, str], rules: Sequence[str] = RULES) -> Linted:
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")
    request = LintRequest(
        folder=CLUSTERS,
        today=dt.date(2026, 11, 29),
        paths=["."],
        clusters=["training"],
        select=rules,
        severity=LintSeverity.NOTE,
        is_cached=False,
    )
    return lint_manifests(request, bytes)


@each_row("folders")
def test_a_finding_stands_in_the_file_that_brought_the_field(
    files: dict[str, str], found: list[str]
) -> None:
    told = [
        f"{each.start.file}:{each.start.line}: {each.full_message}"
        for each in _linted(files).report.findings
    ]
    assert told == [each.replace("{root}", str(Path.cwd().resolve())) for each in found]


def test_what_a_patch_changes_is_not_fixed_and_the_rest_is() -> None:
    patch = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeSelector: {a: b}}\n"
    files = {
        "kustomization.yaml": "resources: [p.yaml, q.yaml]\npatches: [{path: patch.yaml}]\n",
        "patch.yaml": patch,
        "p.yaml": POD,
        "q.yaml": POD.replace("name: p", "name: q"),
    }
    fixed = _linted(files, ("tolerations",)).fixed()
    assert [each.source.shown_as for each in fixed if each.is_changed] == ["q.yaml"]


OVERLAY = "resources: [../base]\nnamespace: {namespace}\n"
BASE = {"base/kustomization.yaml": "resources: [p.yaml]\n", "base/p.yaml": POD}
SECURITY = ("pod-security", "tolerations")


def _moved(*namespaces: str) -> dict[str, str]:
    return {
        f"to-{each}/kustomization.yaml": OVERLAY.replace("{namespace}", each) for each in namespaces
    }


def _changed(files: Mapping[str, str], rules: Sequence[str]) -> dict[str, str]:
    return {
        each.source.shown_as: each.after.decode()
        for each in _linted(files, rules).fixed()
        if each.is_changed
    }


def test_a_base_is_fixed_for_the_namespace_in_which_its_overlay_puts_it() -> None:
    linted = _linted(BASE | _moved("research-training"), SECURITY)
    (file,) = linted.fixed()
    assert (len(file.fixed), file.source.shown_as) == (len(linted.report.fixable), "base/p.yaml")
    assert "seccompProfile" in file.after.decode()


def test_a_base_of_several_namespaces_is_not_fixed() -> None:
    files = BASE | _moved("research-training", "vision-training")
    assert _changed(files, SECURITY) == {}


@pytest.mark.parametrize("moved", [False, True])
def test_a_base_whose_object_keeps_an_error_in_its_overlay_is_not_fixed(*, moved: bool) -> None:
    images = "images: [{name: registry.example.com/c, newName: docker.io/else/c}]\n"
    overlay = {"live/kustomization.yaml": f"resources: [../base]\n{images if moved else ''}"}
    changed = _changed(BASE | overlay, ("image-registry", "tolerations"))
    assert bool(changed) is not moved


def test_an_object_is_fixed_beside_one_that_a_patch_changes() -> None:
    patch = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeSelector: {a: b}}\n"
    files = {
        "kustomization.yaml": "resources: [both.yaml]\npatches: [{path: patch.yaml}]\n",
        "patch.yaml": patch,
        "both.yaml": f"{POD}---\n{POD.replace('name: p', 'name: q')}",
    }
    (content,) = _changed(files, ("tolerations",)).values()
    assert content.startswith(f"{POD}---\n")


def test_objects_are_counted_as_they_are_built() -> None:
    files = {"p.yaml": POD, "kustomization.yaml": "resources: [p.yaml]\n"}
    report = _linted(files).report
    assert (report.files, report.objects, report.gpu_workloads) == (2, 1, {"Pod": 1})


def test_what_kustomize_refuses_is_told_in_its_words() -> None:
    files = {"kustomization.yaml": "helmCharts: [{name: a}]\n"}
    (found,) = _linted(files).report.findings
    assert found.message.startswith(
        "The overlay is not linted, since kustomize does not build it: "
    )
    assert "--enable-helm" in found.message
