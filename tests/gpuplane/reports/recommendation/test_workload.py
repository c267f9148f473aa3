from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

from charts_py.cluster_file.fault import RenderError, SpecError
from gpuplane.reports.recommendation.workload import Workload, given_workload, read_workloads
from tests.gpuplane.messages import message_of

PAGE = Path(__file__).parents[4] / "docs" / "sharing.md"


@pytest.mark.parametrize(
    ("latency", "demand"),
    [("none", Fraction(1, 10)), ("soft", Fraction(1, 2)), ("strict", Fraction(1, 2))],
)
def test_whoever_waits_for_a_pod_needs_its_peak(
    latency: str, demand: Fraction, workload: Callable[..., Workload]
) -> None:
    assert workload(average=0.1, peak=0.5, latency=latency).demand == demand


def test_what_is_not_stated_asks_the_most_of_a_gpu(workload: Callable[..., Workload]) -> None:
    assert workload() == workload(
        peak=1.0, pods=1, gpusPerPod=1, latency="strict", stage="production", trust="others"
    )


def test_a_pod_of_several_gpus_uses_each(workload: Callable[..., Workload]) -> None:
    assert workload(average=0.85, gpusPerPod=8).in_use == Fraction(68, 10)


def test_the_page_lists_what_can_be_stated() -> None:
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    fields = [to_camel(name) for name in Workload.model_fields]
    listed = [field for row in rows for field in fields if row.startswith(f"| `{field}` | ")]
    assert listed == fields


FIELDS = "memory, average, peak, pods, gpusPerPod, nvlink, latency, stage, trust"
FAULTS = [
    (
        "workloads: {a: {memory: 9Gi}}",
        "1: workloads.a.average: missing; allowed: a number, above 0, at most 1",
    ),
    (
        "workloads: {a: {memory: 9, average: 1}}",
        (
            "1: workloads.a.memory: 9 has no unit; allowed: one of k, M, G, T, P, Ki, Mi, Gi, Ti, "
            "Pi after it, as in 512Gi; nearest: 9Gi, 9Mi"
        ),
    ),
    (
        "workloads:\n  a:\n    memory: 9Gi\n    average: 13",
        "4: workloads.a.average: 13 is out of bounds; allowed: a number, above 0, at most 1",
    ),
    (
        "workloads:\n  a:\n    memory: 9Gi\n    average: 13%",
        '4: workloads.a.average: "13%" is a string; allowed: a number, above 0, at most 1',
    ),
    (
        "workloads:\n  a:\n    memory: 9Gi\n    average: 1\n    latency: strickt",
        '5: workloads.a.latency: unknown "strickt"; allowed: none, soft, strict; nearest: strict',
    ),
    (
        "workloads:\n  a:\n    memory: 9Gi\n    average: 1\n    latency: 3",
        '5: workloads.a.latency: 3 is a number; allowed: "none", "soft", "strict"',
    ),
    (
        "workloads:\n  a:\n    memory: 9Gi\n    avrage: 1\n    average: 1",
        f'4: workloads.a.avrage: unknown field "avrage"; allowed: {FIELDS}; nearest: average',
    ),
    (
        "workloads: {a: {memory: 9Gi, average: 0.5, peak: 0.1}}",
        "1: workloads.a.peak: 0.1 is below the average; allowed: 0.5 to 1",
    ),
    (
        'workloads: {a: {memory: 9Gi, average: 1, pods: "2"}}',
        (
            '1: workloads.a.pods: "2" is a string; '
            "allowed: a whole number, at least 1, at most 100000; nearest: 2"
        ),
    ),
    (
        "workloads: {a: {memory: 9Gi, average: 1}}\nstage: production",
        '2: stage: unknown field "stage"; allowed: workloads; nearest: workloads.NAME.stage',
    ),
    (
        "workloads: {a: {memory: 9Gi, average: 1}}\napiServer: {}",
        '2: apiServer: unknown field "apiServer"; allowed: workloads',
    ),
    ("workloads: {}", "1: workloads: empty; allowed: a mapping with at least 1 entry"),
    (
        "workload: {}",
        (
            '1: workload: unknown field "workload"; allowed: workloads; nearest: workloads\n'
            "workloads.yaml:1: workloads: missing; allowed: a mapping with at least 1 entry"
        ),
    ),
]


def _read(folder: Path, text: str) -> object:
    file = folder / "workloads.yaml"
    file.write_text(text, encoding="utf-8")
    return read_workloads(file)


@pytest.mark.parametrize(("text", "fault"), FAULTS)
def test_a_fault_names_its_line_what_is_allowed_and_what_is_near(
    text: str, fault: str, tmp_path: Path
) -> None:
    message = message_of(SpecError, _read, tmp_path, text)
    assert message.replace(f"{tmp_path}/", "") == f"workloads.yaml:{fault}"


def test_a_file_that_is_no_yaml_says_where(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"workloads\.yaml:1"):
        _read(tmp_path, "workloads: [")


def test_options_are_named_as_they_are_written() -> None:
    message = message_of(RenderError, given_workload, "workload", {"gpusPerPod": 0, "average": 0.5})
    assert message == (
        "--memory: missing; allowed: a string such as 512Gi"
        "\n--gpus-per-pod: 0 is out of bounds; allowed: a whole number, at least 1, at most 64"
    )
