from charts_py.objects.document import EmittedKind, ObjectKey, key_of


def test_the_core_group_is_empty() -> None:
    document = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}
    assert key_of(document) == ObjectKey(group="", kind="Namespace", namespace="", name="a")
    assert key_of(document).emitted_kind == EmittedKind("", "Namespace", namespaced=False)


def test_a_key_reads_as_kind_namespace_and_name() -> None:
    document = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "reader", "namespace": "research"},
    }
    assert str(key_of(document)) == "Role research/reader"
    assert key_of(document).emitted_kind == EmittedKind(
        "rbac.authorization.k8s.io", "Role", namespaced=True
    )
