"""Folders with kustomizations, which the kubectl of the environment or on PATH builds."""

import datetime as dt
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpuplane.commands.linting import Linted, LintRequest, lint_manifests
from gpuplane.lint import kustomization
from gpuplane.lint.finding import LintSeverity, ObjectCounts
from gpuplane.lint.kustomization import KustomizationError, Layer, build
from gpuplane.lint.layer_index import LayerIndex
from gpuplane.lint.lint_source import lint_sources, named_roots
from gpuplane.lint.overlays import split_overlays
from policies.document import Json
from tests.counted_calls import is_linear
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
    "unknown-namespace",
    "unread-part",
    "without-effect",
    "workload-quota",
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


def _linted(
    files: Mapping[str, str], rules: Sequence[str] = RULES, paths: Sequence[str] = (".",)
) -> Linted:
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")
    request = LintRequest(
        folder=CLUSTERS,
        today=dt.date(2026, 11, 29),
        paths=paths,
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


def test_a_base_outside_of_what_is_named_is_judged_and_not_fixed() -> None:
    files = {
        "base/kustomization.yaml": "resources: [p.yaml]\n",
        "base/p.yaml": POD,
        "live/kustomization.yaml": "resources: [../base]\n",
    }
    (fixed,) = _linted(files, ("tolerations",), ["live"]).fixed()
    assert not fixed.is_changed
    assert str(fixed.unfixed[0]).endswith(
        "tolerations is not fixed, since it is outside of the folder that is named; name the file "
        "itself"
    )


def test_a_link_does_not_widen_what_an_overlay_may_name(tmp_path: Path) -> None:
    files = {
        "../outside/kustomization.yaml": "resources: [p.yaml]\n",
        "../outside/p.yaml": POD,
        "../named/kustomization.yaml": "resources: [../outside]\n",
    }
    (tmp_path / "named").mkdir()
    (tmp_path / "named/x.yaml").symlink_to("/etc/passwd")
    assert _unbuilt(files, [str(tmp_path / "named")]) == [
        f"resources names ../outside, which is no file or folder below {tmp_path.resolve()}/named"
    ]


def test_a_link_to_a_folder_is_followed_as_kustomize_follows_it() -> None:
    files = {
        "base/kustomization.yaml": "resources: []\n",
        "deep/base/kustomization.yaml": "resources: ['https://example.com/a']\n",
        "deep/real/kustomization.yaml": "resources: [../base]\n",
        "live/kustomization.yaml": "resources: [../link]\n",
    }
    Path("deep").mkdir()
    Path("link").symlink_to("deep/real")
    root = Path.cwd().resolve()
    what = f"resources names https://example.com/a, which is no file or folder below {root}"
    assert f"{root}/deep/base/kustomization.yaml:1: {what}" in _unbuilt(files, ["live"])


def _unbuilt(files: Mapping[str, str], paths: Sequence[str] = (".",)) -> list[str]:
    found = _linted(files, ("unbuilt-overlay",), paths).report.findings
    start = "The overlay is not linted, since kustomize does not build it: "
    return [each.message.removeprefix(start).removesuffix(".") for each in found]


@each_row("unbuilt")
def test_an_overlay_is_not_built_where(files: dict[str, str], why: str) -> None:
    assert _unbuilt(files) == [why.replace("{root}", str(Path.cwd().resolve()))]


@each_row("built")
def test_an_overlay_is_built_with(files: dict[str, str]) -> None:
    assert _unbuilt(files) == []


def test_a_link_to_itself_is_one_finding() -> None:
    Path("loop").symlink_to("loop")
    why = f"resources names loop, which is no file or folder below {Path.cwd().resolve()}"
    assert _unbuilt({"kustomization.yaml": "resources: [loop]\n"}) == [why]


def test_a_file_too_large_to_read_is_not_built() -> None:
    with Path("large.yaml").open("wb") as file:
        file.truncate(9 * 2**20)
    why = "large.yaml cannot be read: large.yaml: is larger than 8 MiB; split it"
    assert _unbuilt({"kustomization.yaml": "resources: [large.yaml]\n"}) == [why]


def test_what_is_built_is_bounded_in_bytes() -> None:
    with Path("large.txt").open("wb") as file:
        file.write(b"a" * (9 * 2**20))
    files = {"kustomization.yaml": "configMapGenerator: [{name: c, files: [large.txt]}]\n"}
    assert _unbuilt(files) == ["kustomize makes more than 8 MiB of it"]


def test_a_build_is_bounded_in_memory() -> None:
    with Path("huge.txt").open("wb") as file:
        file.truncate(2 * 2**30)
    (why,) = _unbuilt(
        {"kustomization.yaml": "configMapGenerator: [{name: c, files: [huge.txt]}]\n"}
    )
    assert "memory" in why


def test_all_builds_of_a_run_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuplane.lint.overlays.SECONDS", 0)
    monkeypatch.setattr(kustomization, "SECONDS", 0)
    files = {f"{name}/kustomization.yaml": "resources: []\n" for name in "ab"}
    found = _linted(files, ("unbuilt-overlay",), (".",)).report.findings
    why = "the 0 seconds for all overlays of a run are over"
    message = f"The overlay is not linted, since kustomize does not build it: {why}."
    remedy = "Lint fewer folders at once, or what is built: kubectl kustomize {} | gpuplane lint -"
    assert [(each.severity, each.message, each.remedy) for each in found] == [
        ("error", message, remedy.format(name)) for name in "ab"
    ]


def test_each_build_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomization, "_SECONDS_EACH", 0.001)
    assert _unbuilt({"kustomization.yaml": "resources: []\n"}) == [
        "kustomize takes more than 0.001 seconds"
    ]


def _layer(kind: str, name: str, target: Mapping[str, Json] | None = None) -> Layer:
    one: Any = None
    document = {"kind": kind, "metadata": {"name": name}}
    return Layer(one, document, target is not None, target)


def test_the_layers_of_an_object_are_found_by_kind_and_by_part_of_its_name() -> None:
    layers = [
        _layer("Pod", "a"),
        _layer("Pod", "b"),
        _layer("Job", "a"),
        _layer("", "", {"kind": "Pod"}),
        _layer("", "", {"name": "x-a"}),
    ]
    found = LayerIndex(layers).of({"kind": "Pod", "metadata": {"name": "x-a-y"}})
    assert found == [layers[0], layers[3], layers[4]]


def _asked(count: int) -> Callable[[], object]:
    layers = [_layer("Pod", f"pod-{at:04}") for at in range(count)]
    index = LayerIndex(layers)
    return lambda: [index.of(each.document) for each in layers]


def test_twice_as_many_layers_are_twice_the_work() -> None:
    assert is_linear(_asked, 100)


_NAMES = st.text() | st.sampled_from(["/", "..", ".", "k" * 300, "\0", "https://a", "p.yaml"])
_FIELDS = ("resources", "components", "patches", "patchesStrategicMerge", "generators", "labels")
_ENTRIES = _NAMES | st.dictionaries(st.sampled_from(["path", "patch", "target"]), _NAMES)


@given(st.binary() | st.dictionaries(st.sampled_from(_FIELDS), st.lists(_ENTRIES)).map(json.dumps))
def test_no_kustomization_ends_a_run(content: bytes | str) -> None:
    encoded = content if isinstance(content, bytes) else content.encode()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpuplane.lint.overlays.build", lambda *_: b"")
        Path(folder, "kustomization.yaml").write_bytes(encoded)
        Path(folder, "p.yaml").write_text(POD, encoding="utf-8")
        sources = lint_sources([folder], bytes)
        plain, overlays = split_overlays(sources, named_roots([folder]))
    assert len(plain) + len(overlays) <= len(sources)


def test_objects_are_counted_as_they_are_built() -> None:
    files = {"p.yaml": POD, "kustomization.yaml": "resources: [p.yaml]\n"}
    report = _linted(files).report
    assert (report.files, report.counts) == (2, ObjectCounts(1, {"Pod": 1}))


def test_what_kustomize_refuses_is_told_in_its_words() -> None:
    files = {"kustomization.yaml": "helmCharts: [{name: a}]\n"}
    (found,) = _linted(files).report.findings
    assert found.message.startswith(
        "The overlay is not linted, since kustomize does not build it: "
    )
    assert "--enable-helm" in found.message
