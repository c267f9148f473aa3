from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform
from tests.charts_py.fixture_types import FaultsOf
from tests.gpuplane.versions.conftest import CLUSTER
from tests.rows import rows_beside

each_row = rows_beside(__file__, "provider_settings.yaml")


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


def _told(folder: Path, promotion: str) -> list[str]:
    file = folder / "lab.yaml"
    text = CLUSTER.format(version="1.0.0", live="1.0.0", gpus=8)
    file.write_text(f"{text}promotion: {promotion}\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_platform(file, None)
    return [str(fault.problem) for fault in caught.value.faults]


@each_row("promotion")
def test_what_never_holds_or_names_no_cluster_is_told(
    tmp_path: Path, promotion: str, told: str
) -> None:
    assert _told(tmp_path, promotion) == [told]
