"""Files of rendered folders."""

import pytest

from charts_py.platform.render_error import RenderError
from charts_py.rendering.rendering import files_of


def _role(name: str, namespace: str) -> dict[str, object]:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": name, "namespace": namespace},
    }


def test_a_file_is_named_by_kind_and_name_and_by_namespace_where_two_would_collide() -> None:
    folders = {"team": (_role("reader", "a"), _role("reader", "b"), _role("writer", "a"))}
    assert list(files_of(folders)) == [
        "team/Role.a.reader.yaml",
        "team/Role.b.reader.yaml",
        "team/Role.writer.yaml",
    ]


def test_a_colon_in_a_name_is_an_underscore_in_a_file() -> None:
    assert list(files_of({"x": (_role("gpu:reader", "a"),)})) == ["x/Role.gpu_reader.yaml"]


def test_an_object_that_is_emitted_twice_is_refused() -> None:
    with pytest.raises(RenderError) as refused:
        files_of({"team": (_role("reader", "a"), _role("reader", "a"))})
    assert str(refused.value) == "team: Role a/reader is emitted twice"
