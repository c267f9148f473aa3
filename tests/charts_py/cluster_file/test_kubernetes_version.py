from charts_py.cluster_file.kubernetes_version import Feature, KubernetesVersion, has, since
from upstream.compile_core import MINORS


def test_a_version_has_the_features_that_it_or_an_earlier_one_brought() -> None:
    first = since(Feature.RESOURCE_CLAIMS)
    assert first is KubernetesVersion.V1_34
    assert [
        version.value for version in KubernetesVersion if not has(version, Feature.RESOURCE_CLAIMS)
    ] == ["1.33"]


def test_every_supported_version_has_compiled_schemas_and_no_other() -> None:
    assert tuple(KubernetesVersion) == MINORS
