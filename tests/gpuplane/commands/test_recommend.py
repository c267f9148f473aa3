from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run, fields

SERVICES = ("--memory", "9Gi", "--average", "0.13", "--peak", "0.14", "--pods", "200")
FILE = """\
workloads:
  services: {memory: 9Gi, average: 0.13, peak: 0.14, pods: 200}
  training: {memory: 60Gi, average: 0.85, gpusPerPod: 8, pods: 21}
"""

pytestmark = pytest.mark.usefixtures("examples", "fixed_prices")


def test_a_report_has_workloads_pools_and_what_they_take(
    in_repository: Run, tmp_path: Path
) -> None:
    (tmp_path / "workloads.yaml").write_text(FILE, encoding="utf-8")
    arguments = ("training", "--pool", "a100-mixed", "--from", tmp_path / "workloads.yaml")
    report = in_repository.report("recommend", *arguments)
    workloads, pools = report.pop("workloads"), report.pop("pools")
    assert report == fields("""
        kind: Recommendation, gpu: A100-SXM-80, gpusPerNode: 8, currency: USD,
        before: {gpus: 368, nodes: 46, utilization: 0.4587, month: 921673.62},
        after: {gpus: 197, nodes: 25, utilization: 0.844, month: 500909.58}
    """)
    assert [(one["name"], one["sharing"], one["resource"]) for one in workloads] == [
        ("services", "mig", "nvidia.com/mig-1g.10gb"),
        ("training", "none", "nvidia.com/gpu"),
    ]
    not_taken = ["mig-time-slicing", "mps", "time-slicing", "none"]
    assert [one["sharing"] for one in workloads[0]["notTaken"]] == not_taken
    assert [(one["name"], one["fields"], one["workloads"]) for one in pools] == [
        ("a100-mixed", {"sharing": {"mig": {"1g.10gb": 7}}}, ["services"]),
        ("another", {"sharing": {}}, ["training"]),
    ]
    assert pools[0]["after"] == {"gpus": 29, "nodes": 4, "utilization": 0.8125, "month": 80145.53}


def test_people_read_what_to_paste_and_what_it_saves(in_repository: Run) -> None:
    model = ("--gpu", "A100-SXM-80", "--name", "chat")
    printed = in_repository.printed("recommend", *model, *SERVICES)
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in printed.splitlines()
        if "│" in line
    ]
    assert ["chat", "MIG", "nvidia.com/mig-1g.10gb: 1", "200", "7", "56"] in rows
    assert ["chat", "saved", "171", "21", "", "?"] in rows
    assert (
        """
pools:
  recommended:
    gpu: A100-SXM-80
    gpus: 8
    sharing:
      mig: {1g.10gb: 7}
"""
        in printed
    )


def test_what_fits_nothing_has_reasons_alone(in_repository: Run) -> None:
    arguments = ("--gpu", "T4", "--memory", "40Gi", "--average", "1")
    assert in_repository("recommend", *arguments, "-o", "json").exit_code == 0
    shown = in_repository("recommend", *arguments).stdout
    assert "none fits" in shown
    assert "which is more than a GPU has" in " ".join(shown.split())


def test_what_is_assumed_and_decides_is_told_first(in_repository: Run) -> None:
    asked = ("training", "--pool", "a100-mixed", "--memory", "9Gi", "--average", "0.1")
    first, second, *_ = in_repository("recommend", *asked, "--pods", "20").stdout.splitlines()
    assert (first, second) == (
        "workload: peak 1 is assumed, and decides. With peak 0.1: MIG.",
        "workload: latency strict is assumed, and decides. With latency none: MIG.",
    )
    (first, *_) = in_repository("recommend", *asked).stdout.splitlines()
    assert first == (
        "workload: assumed are peak 1, pods 1, latency strict, stage production, trust others. "
        "With peak 0.1, pods 8, latency none, stage development, trust team instead it would be "
        "MIG with time-slicing."
    )


def test_the_ways_to_weights_are_shown_with_what_waits_for_them(in_repository: Run) -> None:
    asked = ("recommend", "training", "--pool", "h100", "--weights", "140GB")
    first, *_ = in_repository.printed(*asked).splitlines()
    assert first == (
        "A replica with 140 GB of weights on 2 GPUs answers soonest, after 2 min 2 s, where it "
        "reads them from a bucket, streamed: --weights s3://BUCKET/PATH."
    )
    report = in_repository.report(*asked, "--starts", "10", "--gpus-per-pod", "4")
    ways = report.pop("items")
    assert report == fields(
        "kind: WeightList, size: 140000000000, gpus: 4, resource: null, starts: 10, currency: USD"
    )
    assert next(each for each in ways if each["name"] == "volume") == {
        "name": "volume",
        "option": "--weights OWNER/NAME",
        "newNode": 1154,
        "sameNode": 1154,
        "waiting": 88.19,
        "storage": 11.2,
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--starts", "10"), "--starts counts replicas that load --weights"),
        (
            ("--weights", "1GB", "--pods", "2"),
            "--weights goes with --gpus-per-pod and --starts alone",
        ),
    ],
)
def test_options_of_the_other_question_are_refused(
    in_repository: Run, options: tuple[str, ...], said: str
) -> None:
    assert said in in_repository("recommend", "training", "--pool", "h100", *options).stderr
