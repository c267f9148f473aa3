from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_an_object_comes_out_as_it_was_given_with_sorted_marks(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    from charts_py.objects.kube_object import add_object  # starts Node
    from charts_py.objects.metadata import ObjectMeta

    metadata = ObjectMeta("quota", "research", labels={"b": "2", "a": "1"}, annotations={"z": "y"})
    (document,) = documents_of(
        lambda scope: add_object(
            scope, "v1", "ResourceQuota", metadata, {"spec": {"hard": {"pods": "0"}, "x": {}}}
        )
    )
    assert document == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "quota",
            "namespace": "research",
            "labels": {"a": "1", "app.kubernetes.io/managed-by": "gpuplane", "b": "2"},
            "annotations": {"z": "y"},
        },
        "spec": {"hard": {"pods": "0"}, "x": {}},
    }
    assert list(document["metadata"]["labels"]) == ["a", "app.kubernetes.io/managed-by", "b"]


def test_an_object_comes_after_the_one_on_which_it_depends(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    from charts_py.objects.kube_object import add_object
    from charts_py.objects.metadata import ObjectMeta

    def construct(scope: Construct) -> None:
        user, used = (
            add_object(scope, "v1", "ConfigMap", ObjectMeta(name), {}) for name in ("user", "used")
        )
        user.node.add_dependency(used)

    names = [document["metadata"]["name"] for document in documents_of(construct)]
    assert names == ["used", "user"]


def test_values_come_out_as_they_do_of_an_object_of_cdk8s(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    from cdk8s import ApiObject, JsonPatch

    from charts_py.objects.kube_object import add_documents

    numbers = [0, -0.0, 1.0, 2.5, 2**53, -(2**53), 1e16, 1e20, 1e21, 1e300, 1e-7, 5e-324]
    others: list[Any] = [
        True,
        None,
        "",
        "null",
        "1.0",
        "\u00e9\u2028\U0001f600",
        [],
        {},
        {"a": {"b": None}},
    ]
    document = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "values", "labels": None},
        "data": {"z": [*numbers, *others, others], "a": None, "b": {"c": 3.0}},
    }

    def plain(scope: Construct) -> None:
        added = ApiObject(scope, "plain", api_version="v1", kind="ConfigMap")
        added.add_json_patch(JsonPatch.replace("", document))

    (expected,), found = documents_of(plain), documents_of(lambda to: add_documents(to, [document]))
    assert repr(found) == repr((expected,))


def test_documents_that_are_none_add_none(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    from charts_py.objects.kube_object import add_documents

    assert documents_of(lambda scope: add_documents(scope, [])) == ()


def test_in_an_app_of_somebody_else_documents_are_objects() -> None:
    from cdk8s import App, Chart

    from charts_py.objects.kube_object import add_documents

    documents = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "1"}}
        for name in ("one", "two", "three")
    ]
    chart = Chart(App(), "theirs", disable_resource_name_hashes=True)
    add_documents(chart, documents)
    assert chart.to_json() == documents
