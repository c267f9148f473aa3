from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

ROOT = Path(__file__).parents[3]
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
  namespace: research-training
spec:
  containers:
    - name: train
      image: registry.example.com/train:1.0
      env:
        - {name: NVIDIA_VISIBLE_DEVICES, value: all}
      resources:
        limits: {nvidia.com/gpu: 1}
      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUPLANE_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "pod.yaml"
    file.write_text(POD, encoding="utf-8")
    return file


def test_findings_have_line_column_and_source(run: Run, file: Path) -> None:
    result = run("-C", ROOT, "lint", file, "--select", "visible-devices")
    assert result.exit_code == 1
    assert result.stdout == (
        f"{file}:11:11: visible-devices error Pod train: The container train sets "
        "NVIDIA_VISIBLE_DEVICES by hand, which takes GPUs that the scheduler did not give it. "
        "Remove spec.containers[0].env[0] and ask for a GPU resource. (training)\n"
        "  11 |         - {name: NVIDIA_VISIBLE_DEVICES, value: all}\n"
        f"     |           {'^' * 42}\n\n"
        "Found 1 error in 1 file with 1 GPU workload.\n"
        "Judged by training 1.3.0-rc.1, while 1.2.0 is live.\n"
    )


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--ignore", "visible-devices"), 0),
        (("--ignore", "visible-devices", "--fail-on", "warning"), 1),
        (("--select", "priority-class", "--fail-on", "warning"), 0),
        (("--select", "priority-class", "--fail-on", "note"), 1),
        (("--select", "priority-class", "--fail-on", "note", "--severity", "warning"), 1),
    ],
)
def test_it_fails_on_what_it_is_told_to(
    run: Run, file: Path, options: tuple[str, ...], code: int
) -> None:
    assert run("-C", ROOT, "lint", file, *options).exit_code == code


@pytest.mark.parametrize(
    ("output", "begin"),
    [
        ("json", '{\n  "apiVersion": "gpuplane.io/v1alpha1",\n  "kind": "Lint",\n'),
        ("sarif", '{\n  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/'),
        ("github", "::"),
        ("junit", '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites'),
        ("gitlab", '[\n  {\n    "description": "Pod train: '),
    ],
)
def test_each_format_is_all_that_is_printed(run: Run, file: Path, output: str, begin: str) -> None:
    result = run("-C", ROOT, "lint", file, "--output", output)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith(begin)


def test_a_second_run_finds_the_same(run: Run, file: Path) -> None:
    first, second, uncached = (
        run("-C", ROOT, "lint", file, *options) for options in ((), (), ("--no-cache",))
    )
    assert first.stdout == second.stdout == uncached.stdout


def test_stdin_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuplane.commands.lint.read_stdin", lambda _: POD.encode())
    result = run("-C", ROOT, "lint", "-", "--select", "visible-devices")
    assert result.stdout.startswith("-:11:11: visible-devices error Pod train: ")


def test_the_clusters_that_are_named_judge(run: Run, file: Path) -> None:
    named = ("--cluster", "onprem", "--cluster", "mixed")
    result = run("-C", ROOT, "lint", file, "--select", "visible-devices", *named)
    assert " ask for a GPU resource. (mixed, onprem)\n" in result.stdout


def test_a_file_without_objects_that_is_named_can_be_passed_over(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "dependabot.yml"
    other.write_text("version: 2\n", encoding="utf-8")
    assert run("-C", ROOT, "lint", other).exit_code == 1
    result = run("-C", ROOT, "lint", other, "--objects-only")
    told = "Nothing found in 1 file with 0 GPU workloads.\nSkipped 1 file without objects.\n"
    assert (result.exit_code, result.stdout) == (0, told)


def test_an_unknown_rule_has_the_nearest(run: Run) -> None:
    said = run.refused("-C", ROOT, "lint", "-", "--select", "host-ip")
    assert said.endswith("nearest: host-ipc\n")


SERVE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: serve, namespace: research-training}
spec:
  replicas: 1
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve}}
    spec:
      containers:
        - name: serve
          image: registry.example.com/serve:1.0
          resources: {limits: {nvidia.com/gpu: 8}}
"""
SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: up, namespace: research-training}
spec: {scaleTargetRef: {kind: Deployment, name: serve}, maxReplicas: MOST}
"""


def test_an_autoscaler_in_another_file_counts_also_where_it_alone_has_changed(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "serve.yaml").write_text(SERVE, encoding="utf-8")
    for most, told in (("1000", 1), ("1", 0), ("900", 1)):
        (tmp_path / "up.yaml").write_text(SCALER.replace("MOST", most), encoding="utf-8")
        result = run("-C", ROOT, "lint", tmp_path, "--fail-on", "never")
        assert result.stdout.count(f"The HorizontalPodAutoscaler up makes up to {most} rep") == told
        assert "not judged" not in result.stdout
    result = run("-C", ROOT, "lint", tmp_path / "up.yaml", "--fail-on", "never")
    assert "1 object not judged: 1 HorizontalPodAutoscaler.\n" in result.stdout
