"""Objects added to a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
