from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

ROOT = Path(__file__).parents[3]
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: research-training}
spec:
  backoffLimit: 0
  template:
    spec:
      containers:
        - {name: train, image: i, resources: {limits: {nvidia.com/gpu: 1}}}
"""
STALE = (
    ".gpuplane/acknowledged.yaml:4:1: acknowledgement warning What job-ttl finds in Job train of "
    "job.yaml has changed since it was acknowledged. Remove the row; acknowledge anew what is "
    "still meant."
)
RULES = ("--select", "job-ttl", "--select", "acknowledgement", "--cluster", "training")


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = Path("job.yaml")
    file.write_text(JOB, encoding="utf-8")
    return file


def test_what_is_acknowledged_is_hidden_until_it_changes(run: Run, job: Path) -> None:
    lint = ("-C", ROOT, "lint", job, *RULES)
    done = run(*lint, "--acknowledge", "--reason", "a demo", "--by", "me@example.com")
    assert done.stderr == "note: acknowledged 1 finding in .gpuplane/acknowledged.yaml\n"
    assert done.stdout == (
        "Nothing found in 1 file with 1 GPU workload.\n1 finding acknowledged.\n"
        "Judged by training 1.3.0-rc.1, while 1.2.0 is live.\n"
    )
    job.write_text(JOB.replace("backoffLimit: 0", "backoffLimit: 1"), encoding="utf-8")
    changed = run(*lint, "--fail-on", "warning")
    assert changed.exit_code == 1
    assert changed.stdout.splitlines()[-3:-1] == [
        STALE,
        "Found 2 warnings in 1 file with 1 GPU workload.",
    ]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("job.yaml", "../other.yaml"), "../other.yaml is not below "),
        (("--helm", "/nowhere/chart"), "/nowhere/chart is not below "),
    ],
)
@pytest.mark.usefixtures("job")
def test_what_no_row_can_name_is_refused(run: Run, names: tuple[str, ...], told: str) -> None:
    Path(".git").mkdir()
    acknowledge = ("--acknowledge", "--reason", "a demo", "--by", "me")
    assert told in run.misused("-C", ROOT, "lint", *names, *acknowledge)
    assert not Path(".gpuplane").exists()


def test_nothing_is_written_where_nothing_is_found(run: Run, job: Path) -> None:
    lint = ("-C", ROOT, "lint", job, "--select", "host-ipc", "--cluster", "training")
    done = run(*lint, "--acknowledge", "--reason", "a demo", "--by", "me")
    assert done.stderr == "note: nothing was found that can be acknowledged\n"
    assert not Path(".gpuplane").exists()
