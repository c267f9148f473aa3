from charts_py.objects.metadata import ObjectMeta, object_of


def test_an_object_has_what_it_was_given_and_names_its_manager() -> None:
    metadata = ObjectMeta(
        "quota",
        "research",
        labels={"b": "2", "a": "1"},
        annotations={"z": "y", "c": "d"},
        finalizers=("example.com/last", "example.com/first"),
    )
    document = object_of("v1", "ResourceQuota", metadata, {"spec": {"hard": {"pods": "0"}}})
    assert document == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "quota",
            "namespace": "research",
            "labels": {"a": "1", "app.kubernetes.io/managed-by": "gpuplane", "b": "2"},
            "annotations": {"c": "d", "z": "y"},
            "finalizers": ["example.com/last", "example.com/first"],
        },
        "spec": {"hard": {"pods": "0"}},
    }
    assert list(document) == ["apiVersion", "kind", "metadata", "spec"]
    assert list(document["metadata"]["labels"]) == ["a", "app.kubernetes.io/managed-by", "b"]


def test_an_object_of_the_whole_cluster_has_no_namespace() -> None:
    assert ObjectMeta("training").manifest() == {
        "name": "training",
        "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
    }
