"""Workloads and the way of sharing that is recommended for each."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from gpuplane.reports.recommendation.recommendation import Choice, choose
from gpuplane.reports.recommendation.rule import ways
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.sharing import Sharing, SharingKind

WHOLE = Sharing()
TEAM: dict[str, object] = {"trust": "team", "latency": "soft", "peak": 0.05}
UNWATCHED = {"trust": "team", "latency": "none", "stage": "development"}
NOTEBOOKS: dict[str, object] = {**UNWATCHED, "pods": 100}
SERVICES: dict[str, object] = {"average": 0.13, "peak": 0.14, "pods": 200}
SMALL: dict[str, object] = {"memory": "2Gi", "average": 0.035}

ANSWERS: list[tuple[str, dict[str, object], Sharing]] = [
    ("A100-SXM-80", SERVICES, Sharing(mig=(("1g.10gb", 7),))),
    ("A100-SXM-80", {**SERVICES, "peak": 0.3}, Sharing(mig=(("3g.40gb", 2),))),
    ("A100-SXM-80", {**SERVICES, "memory": "19Gi"}, Sharing(mig=(("1g.20gb", 4),))),
    ("A100-SXM-80", {**SERVICES, "memory": "60Gi"}, WHOLE),
    ("A100-SXM-80", {**SERVICES, "peak": 0.9}, WHOLE),
    ("A100-SXM-80", {**SERVICES, "gpusPerPod": 2}, WHOLE),
    ("A100-SXM-80", {**SERVICES, "nvlink": True}, WHOLE),
    ("A100-SXM-80", {**NOTEBOOKS, **SMALL}, Sharing(mig=(("1g.10gb", 7),), time_slicing=4)),
    ("A100-SXM-80", {**NOTEBOOKS, **SMALL, "trust": "others"}, Sharing(mig=(("1g.10gb", 7),))),
    ("A100-SXM-80", {**TEAM, "average": 0.04, "memory": "4Gi"}, Sharing(mps=20)),
    ("L40S", {**TEAM, "average": 0.03, "peak": 0.035, "memory": "1Gi"}, Sharing(mps=25)),
    ("L40S", SERVICES, WHOLE),
    ("L40S", {**SERVICES, "trust": "team", "latency": "soft"}, Sharing(mps=4)),
    ("L40S", {**NOTEBOOKS, "memory": "4Gi"}, Sharing(mps=10)),
    ("T4", {**NOTEBOOKS, "memory": "3Gi"}, Sharing(mps=5)),
    ("V100-SXM-16", {**NOTEBOOKS, "memory": "2Gi"}, Sharing(mps=8)),
    ("MI300X", {**NOTEBOOKS, "memory": "4Gi"}, WHOLE),
    ("onprem/l40s", {**NOTEBOOKS, "memory": "4Gi"}, Sharing(time_slicing=10)),
    ("inference/a100-mig", SERVICES, Sharing(mig=(("1g.10gb", 7),))),
    ("inference/l4-shared", {**NOTEBOOKS, "memory": "2Gi"}, Sharing(time_slicing=10)),
    ("mixed/a100mig", {**SERVICES, "memory": "19Gi"}, Sharing(mig=(("2g.20gb", 3),))),
    ("mixed/t4spot", {**NOTEBOOKS, "memory": "2Gi"}, Sharing(mps=7)),
]
"""GPUs, a workload, and how they are shared."""


@pytest.fixture
def chosen(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> Callable[..., Choice]:
    def choice(name: str, **fields: object) -> Choice:
        return choose("workload", workload(**fields), target(name), {})

    return choice


def _reason(choice: Choice, kind: SharingKind) -> str:
    (reason,) = [f"{one.step}: {one.reason}" for one in choice.refusals if one.kind is kind]
    return reason


@pytest.mark.parametrize(("name", "fields", "sharing"), ANSWERS)
def test_a_workload_shares_a_gpu_as_it_may(
    name: str, fields: dict[str, object], sharing: Sharing, chosen: Callable[..., Choice]
) -> None:
    choice = chosen(name, **fields)
    assert choice.option is not None
    assert choice.option.sharing == sharing


@pytest.mark.parametrize(("name", "fields", "_"), ANSWERS)
def test_every_other_way_has_one_reason_with_its_source(
    name: str, fields: dict[str, object], _: Sharing, chosen: Callable[..., Choice]
) -> None:
    choice = chosen(name, **fields)
    assert choice.option is not None
    refused = [one.kind for one in choice.refusals]
    assert sorted([*refused, choice.option.kind]) == sorted(ways())
    assert all(one.reason and one.source for one in choice.refusals)


@pytest.mark.parametrize(
    ("name", "fields", "kind", "reason"),
    [
        (
            "L40S",
            SERVICES,
            "mig",
            "hardware: L40S has no MIG; it can be shared by time-slicing or MPS",
        ),
        (
            "L40S",
            SERVICES,
            "mps",
            (
                "isolation: faults of pods of other teams would end it, and it takes one user ID "
                "at a time"
            ),
        ),
        (
            "A100-SXM-80",
            {**SERVICES, "memory": "60Gi"},
            "mig",
            (
                "pattern: a pod needs 60Gi of memory and 14% of a GPU's compute: no GPU holds two "
                "instances of that size"
            ),
        ),
        (
            "A100-SXM-80",
            {**SERVICES, "nvlink": True},
            "mig",
            "hardware: NVLink joins whole GPUs alone",
        ),
        (
            "A100-SXM-80",
            {**NOTEBOOKS, **SMALL},
            "time-slicing",
            "pattern: as many pods on a GPU as by MIG with time-slicing, which keeps more apart",
        ),
        (
            "A100-SXM-80",
            {**NOTEBOOKS, **SMALL},
            "mig",
            "pattern: 7 pods on a GPU, and 28 by MIG with time-slicing",
        ),
        (
            "inference/l4-shared",
            NOTEBOOKS,
            "mps",
            "hardware: MPS on GKE takes pods with hostIPC, which are refused; allowed: timeSlicing",
        ),
        (
            "onprem/l40s",
            NOTEBOOKS,
            "mps",
            (
                "hardware: the device plugin does not start with MPS beside MIG (h200-dev); "
                "allowed: timeSlicing; or MPS in a cluster without MIG"
            ),
        ),
    ],
)
def test_a_reason_is_of_isolation_of_the_hardware_or_of_the_pattern(
    name: str, fields: dict[str, object], kind: str, reason: str, chosen: Callable[..., Choice]
) -> None:
    assert _reason(chosen(name, **fields), SharingKind(kind)) == reason


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        (
            "T4",
            {"memory": "40Gi"},
            "a pod needs 40Gi of memory and 100% of a GPU's compute, which is more than a GPU has",
        ),
        ("T4", {"gpusPerPod": 16}, "a pod computes on 16 GPUs, and a node has 8"),
        ("L40S", {"gpusPerPod": 2, "nvlink": True}, "L40S has no NVLink"),
    ],
)
def test_what_fits_no_gpu_is_told_so(
    name: str, fields: dict[str, object], reason: str, chosen: Callable[..., Choice]
) -> None:
    choice = chosen(name, **fields)
    assert choice.option is None
    assert _reason(choice, SharingKind.NONE).partition(": ")[2] == reason


def test_seven_instances_by_four_turns_are_twenty_eight_pods_on_a_gpu(
    chosen: Callable[..., Choice],
) -> None:
    option = chosen("A100-SXM-80", **NOTEBOOKS, **SMALL).option
    assert option is not None
    assert (option.pods_per_gpu, option.facts.allocations_per_node) == (Fraction(28), 224)
    sharing = {"mig": {"1g.10gb": 7}, "timeSlicing": 4}
    assert option.trial.block == {"sharing": sharing, "maxPods": 250}
