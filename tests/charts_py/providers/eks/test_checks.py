import pytest

from charts_py.providers.eks.checks import known_to_eksctl
from charts_py.providers.eks.ec2 import NEWEST_RELEASES
from gpus.catalog import load_catalog
from gpus.instance_type import family_of
from gpus.provider import Provider
from tests.charts_py.fixture_types import FaultsOf, Sample
from upstream.kubernetes_version import KubernetesVersion


def test_a_kubernetes_version_without_a_known_release_needs_one(
    monkeypatch: pytest.MonkeyPatch, sample: Sample, faults_of: FaultsOf
) -> None:
    monkeypatch.delitem(NEWEST_RELEASES, KubernetesVersion.V1_35)
    assert faults_of(sample("eks")) == (
        "sample.yaml:8: eks.imageRelease: missing; no release of Amazon Linux for Kubernetes 1.35 "
        r"is known; allowed: one such as 1.35.6-20260714"
    )


def test_eksctl_knows_all_listed_machines_but_the_smaller_p3_and_g4dn_metal() -> None:
    families = {"p3", *map(family_of, known_to_eksctl())}
    listed = {
        name for name in load_catalog().instance_types[Provider.EKS] if family_of(name) in families
    }
    assert listed - known_to_eksctl() == {"g4dn.metal", "p3.2xlarge", "p3.8xlarge", "p3.16xlarge"}
