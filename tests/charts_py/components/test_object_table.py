from pathlib import Path

import pytest

from charts_py.components.object_table import read_objects
from charts_py.metrics.table import TableError
from tests.charts_py.managed import managed

TABLE = """\
objects:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server, namespace: "{namespace}"}
    spec:
      replicas: 2
      template: {spec: {imagePullSecrets: "{secrets}", containers: [{image: "{image}"}, "{more}"]}}
  - {apiVersion: v1, kind: Secret, metadata: {name: key}}
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "objects_of_a_server"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "objects.yaml").write_text(TABLE)
    monkeypatch.syspath_prepend(tmp_path)
    return folder.name


@pytest.mark.parametrize(
    ("secrets", "named"),
    [([{"name": "registry"}], {"imagePullSecrets": [{"name": "registry"}]}), (None, {})],
    ids=["pull secrets", "none"],
)
def test_pods_name_pull_secrets_and_objects_who_manages_them(
    package: str, secrets: object, named: dict[str, object]
) -> None:
    found = read_objects(package, namespace="tools", image="a:1", secrets=secrets, more=None)
    pod = {**named, "containers": [{"image": "a:1"}]}
    assert list(found) == [
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": managed("server", "tools"),
            "spec": {"replicas": 2, "template": {"spec": pod}},
        },
        {"apiVersion": "v1", "kind": "Secret", "metadata": managed("key")},
    ]


def test_a_hole_that_nothing_fills_is_an_error(package: str) -> None:
    with pytest.raises(TableError, match=r"nothing fills \{image\}"):
        list(read_objects(package, namespace="tools", secrets=None, more=None))
