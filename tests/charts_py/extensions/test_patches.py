"""JSON Patches of a cluster file."""

from collections.abc import Callable

import pytest

from charts_py.extensions.patches import Patcher
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError

_CLUSTER = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {{repository: https://git.example.com/platform.git}}
pools:
  h200: {{gpu: H200-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: training, nodes: {{max: 8}}}}
extensions: {{patches: [{patches}]}}
"""


@pytest.fixture
def patcher_of(platform_of: Callable[[str], Platform]) -> Callable[..., Patcher]:
    """Return the function that makes the Patcher of a cluster with some patches."""

    def make(*patches: str) -> Patcher:
        return Patcher(platform_of(_CLUSTER.format(patches=", ".join(patches))))

    return make


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
    with pytest.raises(RenderError) as error:
        patcher.check_all_matched()
    assert str(error.value).splitlines() == [
        (
            "sample: extensions.patches[0]: matches nothing: no ConfigMapp metrics is emitted; "
            "allowed: ConfigMap; nearest: ConfigMap"
        ),
        (
            "sample: extensions.patches[1]: matches nothing: no ConfigMap metric is emitted; "
            "allowed: dashboard, metrics; nearest: metrics"
        ),
        (
            "sample: extensions.patches[2]: matches nothing: no ConfigMap two/metrics is emitted; "
            "allowed: dashboard, metrics; nearest: metrics"
        ),
    ]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (
            "{op: remove, path: /data/missing}",
            "can't remove a non-existent object 'missing'",
        ),
        (
            "{op: test, path: /data/x, value: '2'}",
            "1 (<class 'str'>) is not equal to tested value 2 (<class 'str'>)",
        ),
        ("{op: add, path: /spec/x, value: 1}", "member 'spec' not found in {document}"),
    ],
)
def test_a_patch_that_does_not_apply_is_an_error(
    patcher_of: Callable[..., Patcher], operation: str, expected: str
) -> None:
    document = _config_map("a", "one", x="1")
    patcher = patcher_of(f"{{kind: ConfigMap, name: a, operations: [{operation}]}}")
    with pytest.raises(RenderError) as error:
        patcher.apply([document])
    assert str(error.value) == (
        "sample: extensions.patches[0]: does not apply to ConfigMap one/a: "
        + expected.format(document=document)
    )


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
    with pytest.raises(RenderError) as error:
        patcher.apply([_config_map("a", "one")])
    assert str(error.value) == ("sample: a patch of ConfigMap one/a changes what identifies it")
