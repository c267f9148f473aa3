import pytest

from upstream.schema import schema_path, to_json


@pytest.mark.parametrize(
    ("api_version", "kind", "path"),
    [
        ("v1", "ConfigMap", "v1/configmap_v1.json"),
        ("apps/v1", "Deployment", "apps/deployment_v1.json"),
        ("nvidia.com/v1alpha1", "NVIDIADriver", "nvidia.com/nvidiadriver_v1alpha1.json"),
    ],
)
def test_a_schema_stands_under_its_group_by_kind_and_version(
    api_version: str, kind: str, path: str
) -> None:
    assert schema_path(api_version, kind) == path


def test_json_is_compact_sorted_and_ends_in_a_newline() -> None:
    assert (
        to_json({"type": "object", "enum": ["ä", 1]})
        == '{"enum":["ä",1],"type":"object"}\n'.encode()
    )
