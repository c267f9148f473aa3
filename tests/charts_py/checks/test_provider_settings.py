from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform
from tests.charts_py.fixture_types import FaultsOf
from tests.gpuplane.versions.conftest import CLUSTER


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


def _freeze(begins: str, ends: str, more: str = "") -> str:
    return f'{{freezes: [{{from: "{begins}", to: "{ends}", reason: end of year{more}}}]}}'


FORMAT = "YYYY-MM-DDThh:mm[:ss] with Z or an offset, as 2026-12-18T18:00:00+01:00"


@pytest.mark.parametrize(
    ("promotion", "told"),
    [
        (
            "{chain: [labb, lab]}",
            'promotion.chain[0]: unknown cluster "labb"; allowed: lab; nearest: lab',
        ),
        ("{chain: [lab, lab]}", "promotion.chain: listed more than once: lab; allowed: each once"),
        (
            _freeze("2026-12-18T18:00Z", "2026-12-18T18:00+01:00"),
            (
                "promotion.freezes[0].to: 2026-12-18T18:00+01:00 is not after 2026-12-18T18:00Z; "
                "allowed: a later time"
            ),
        ),
        (
            _freeze("2026-12-18T18:00Z", "2026-12-19T18:00Z", ", clusters: [la]"),
            'promotion.freezes[0].clusters[0]: unknown cluster "la"; allowed: lab; nearest: lab',
        ),
        (
            _freeze("2026-12-18T18:00", "2026-12-19T18:00Z"),
            (
                'promotion.freezes[0].from: "2026-12-18T18:00" has no time zone; '
                f"allowed: {FORMAT}; nearest: 2026-12-18T18:00Z"
            ),
        ),
        (
            _freeze("2026-12-18", "2026-12-19T18:00Z"),
            f'promotion.freezes[0].from: "2026-12-18" is not a point in time; allowed: {FORMAT}',
        ),
        (
            _freeze("2026-02-30T18:00Z", "2026-12-19T18:00Z"),
            (
                'promotion.freezes[0].from: "2026-02-30T18:00Z": day is out of range for month; '
                f"allowed: {FORMAT}"
            ),
        ),
    ],
)
def test_what_never_holds_or_names_no_cluster_is_told(
    tmp_path: Path, promotion: str, told: str
) -> None:
    assert _told(tmp_path, promotion) == [told]
