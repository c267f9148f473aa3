from collections.abc import Callable

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.extensions.patches import Patcher
from charts_py.objects.document import Document
from tests.charts_py.fixture_types import Load
from tests.charts_py.on_premises import ON_PREMISES
from tests.rows import rows_beside

each_row = rows_beside(__file__, "patches.yaml")


@pytest.fixture
def patcher_of(platform_of: Load) -> Callable[..., Patcher]:
    """Return the function that makes the Patcher of a cluster with some patches."""

    def make(*patches: str) -> Patcher:
        listed = ", ".join(patches)
        return Patcher(platform_of(f"{ON_PREMISES}extensions: {{patches: [{listed}]}}\n"))

    return make


def _shown(error: Exception) -> list[str]:
    return [line[line.index("sample.yaml") :] for line in str(error).splitlines()]


def _config_map(name: str, namespace: str, **data: str) -> Document:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def test_a_patch_changes_each_object_of_its_kind_and_name(
    patcher_of: Callable[..., Patcher],
) -> None:
    patcher = patcher_of(
        "{kind: ConfigMap, name: a, operations: ["
        "{op: add, path: /data/new, value: x}, {op: move, from: /data/old, path: /data/moved}]}"
    )
    original = (_config_map("a", "one", old="1"), _config_map("a", "two", old="2"))
    untouched = _config_map("b", "one", old="3")
    assert patcher.apply([*original, untouched]) == (
        _config_map("a", "one", new="x", moved="1"),
        _config_map("a", "two", new="x", moved="2"),
        untouched,
    )
    patcher.check_all_matched()
    assert original[0] == _config_map("a", "one", old="1")


def test_a_patch_with_a_namespace_changes_nothing_elsewhere(
    patcher_of: Callable[..., Patcher],
) -> None:
    patcher = patcher_of(
        "{kind: ConfigMap, name: a, namespace: two, "
        "operations: [{op: replace, path: /data/old, value: null}]}"
    )
    documents = (_config_map("a", "one", old="1"), _config_map("a", "two", old="2"))
    patched = patcher.apply(documents)
    assert [document["data"] for document in patched] == [{"old": "1"}, {"old": None}]


def test_patches_apply_one_after_the_other(patcher_of: Callable[..., Patcher]) -> None:
    patcher = patcher_of(
        "{kind: ConfigMap, name: a, operations: [{op: add, path: /data/x, value: '1'}]}",
        "{kind: ConfigMap, name: a, operations: [{op: test, path: /data/x, value: '1'}, "
        "{op: replace, path: /data/x, value: '2'}]}",
    )
    assert patcher.apply([_config_map("a", "one")]) == (_config_map("a", "one", x="2"),)


def test_patches_that_match_nothing_are_errors(patcher_of: Callable[..., Patcher]) -> None:
    operations = "operations: [{op: remove, path: /data}]"
    patcher = patcher_of(
        f"{{kind: ConfigMapp, name: metrics, {operations}}}",
        f"{{kind: ConfigMap, name: metric, {operations}}}",
        f"{{kind: ConfigMap, name: metrics, namespace: two, {operations}}}",
    )
    patcher.apply([_config_map("metrics", "one"), _config_map("dashboard", "one")])
    with pytest.raises(SpecError) as error:
        patcher.check_all_matched()
    assert _shown(error.value) == [
        (
            "sample.yaml:9: extensions.patches[0].kind: matches nothing: no ConfigMapp metrics is "
            "emitted; allowed: ConfigMap; nearest: ConfigMap"
        ),
        (
            "sample.yaml:9: extensions.patches[1].name: matches nothing: no ConfigMap metric is "
            "emitted; allowed: dashboard, metrics; nearest: metrics"
        ),
        (
            "sample.yaml:9: extensions.patches[2].name: matches nothing: no ConfigMap two/metrics "
            "is emitted; allowed: dashboard, metrics; nearest: metrics"
        ),
    ]


@each_row("refused")
def test_a_patch_that_does_not_apply_is_an_error(
    patcher_of: Callable[..., Patcher], operation: str, expected: str
) -> None:
    patcher = patcher_of(
        f"{{kind: ConfigMap, name: a, operations: [{{op: remove, path: /data/old}}, {operation}]}}"
    )
    with pytest.raises(SpecError) as error:
        patcher.apply([_config_map("a", "one", old="0", x="1", memory="2")])
    place = "sample.yaml:9: extensions.patches[0].operations[1]"
    assert _shown(error.value) == [f"{place}: does not apply to ConfigMap one/a: {expected}"]


@pytest.mark.parametrize(
    "operation",
    [
        "{op: replace, path: /metadata/name, value: b}",
        "{op: replace, path: '', value: 3}",
        "{op: replace, path: /metadata, value: null}",
        "{op: remove, path: /kind}",
    ],
)
def test_a_patch_cannot_make_another_object_of_one(
    patcher_of: Callable[..., Patcher], operation: str
) -> None:
    patcher = patcher_of(f"{{kind: ConfigMap, name: a, operations: [{operation}]}}")
    with pytest.raises(SpecError) as error:
        patcher.apply([_config_map("a", "one")])
    place = "sample.yaml:9: extensions.patches[0].operations[0]"
    allowed = "another object by extensions.manifests or extensions.constructs"
    assert _shown(error.value) == [
        f"{place}: changes what identifies ConfigMap one/a; allowed: {allowed}"
    ]
