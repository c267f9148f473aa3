import pytest

from charts_py.cluster_file.kubernetes_version import Feature, has, since
from tests.charts_py.fixture_types import FaultsOf
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema_files import committed_schemas

LISTED = ", ".join(KubernetesVersion)
OLDEST, *_, NEWEST = KubernetesVersion


def test_a_version_has_the_features_that_it_or_an_earlier_one_brought() -> None:
    first = since(Feature.RESOURCE_CLAIMS)
    assert first is KubernetesVersion.V1_34
    assert [
        version.value for version in KubernetesVersion if not has(version, Feature.RESOURCE_CLAIMS)
    ] == ["1.33"]


def test_every_supported_version_has_compiled_schemas_and_no_other() -> None:
    folders = {folder.name for folder in (committed_schemas() / "core").iterdir()}
    assert folders == {f"v{version}" for version in KubernetesVersion}


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("1.31", OLDEST), ("1.19", OLDEST), ("1.99", NEWEST), ("1.35.2", "1.35"), ("2.36", "1.36")],
)
def test_a_kubernetes_version_is_supported(
    wrong: str, nearest: str, faults_after: FaultsOf
) -> None:
    assert faults_after("eks", ('"1.35"', f'"{wrong}"')) == (
        f'sample.yaml:3: kubernetes: unknown "{wrong}"; allowed: {LISTED}; nearest: {nearest}'
    )
