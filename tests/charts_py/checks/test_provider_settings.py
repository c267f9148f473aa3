from tests.charts_py.fixture_types import FaultsOf


def test_policies_that_judge_need_the_version_that_mended_them(faults_after: FaultsOf) -> None:
    only = ("policies:\n", "policies:\n  admission: backstop\n")
    assert faults_after("eks", only) == (
        "sample.yaml:65: policies.admission: Kubernetes 1.35 has no policies that cannot crash the "
        "API server (kubernetes#135757); allowed: 1.36 or later"
    )


def test_policies_that_fix_need_the_version_that_brought_them(faults_after: FaultsOf) -> None:
    only = ("policies:\n", "policies:\n  admission: in-tree-only\n")
    assert faults_after("eks", only) == (
        "sample.yaml:65: policies.admission: Kubernetes 1.35 has no policies that fix pods "
        "(MutatingAdmissionPolicy v1); allowed: 1.36 or later"
    )


def test_resource_claims_need_the_version_that_brought_them(faults_after: FaultsOf) -> None:
    quota = ("storage: 20Ti", "storage: 20Ti\n          resourceClaims: 4")
    assert faults_after("eks", ('"1.35"', '"1.33"'), quota) == (
        "sample.yaml:49: teams.research.namespaces.research.quota.resourceClaims: "
        "Kubernetes 1.33 has no resource claims (resource.k8s.io/v1); allowed: 1.34 or later"
    )
