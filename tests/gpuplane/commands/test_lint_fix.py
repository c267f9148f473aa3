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
    - name: train  # the only one
      image: registry.example.com/train:1.0
      resources:
        limits: {nvidia.com/gpu: 1, cpu: 8, memory: 16Gi}
"""
ADDED = """\
      volumeMounts:
        - name: gpuplane-shm
          mountPath: /dev/shm
  volumes:
    - name: gpuplane-shm
      emptyDir:
        medium: Memory
        sizeLimit: 8Gi
"""
SELECTED = ("--select", "shared-memory")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pod.yaml"
    path.write_text(POD, encoding="utf-8")
    return path


def test_fixing_writes_the_file_and_prints_what_is_left(run: Run, file: Path) -> None:
    file.chmod(0o600)
    told = "Nothing found in 1 file with 1 GPU workload.\n"
    done = (0, told, "findings fixed: 1, in files: 1\n")
    assert run.ended("-C", ROOT, "lint", file, *SELECTED, "--fix") == done
    assert (file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777) == (POD + ADDED, 0o600)
    again = run("-C", ROOT, "lint", file, *SELECTED, "--fix")
    assert (again.exit_code, again.stderr) == (0, "findings fixed: 0, in files: 0\n")


def test_a_diff_shows_what_would_change_and_writes_nothing(run: Run, file: Path) -> None:
    result = run("-C", ROOT, "lint", file, *SELECTED, "--diff")
    added = "".join(f"+{line}\n" for line in ADDED.splitlines())
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == (
        f"--- {file}\n+++ {file}\n@@ -9,3 +9,11 @@\n"
        "       image: registry.example.com/train:1.0\n"
        "       resources:\n"
        "         limits: {nvidia.com/gpu: 1, cpu: 8, memory: 16Gi}\n" + added
    )
    assert file.read_text(encoding="utf-8") == POD


def test_a_diff_of_what_needs_no_fix_is_empty(run: Run, file: Path) -> None:
    assert run.printed("-C", ROOT, "lint", file, "--select", "image-tag", "--diff") == ""


def test_what_is_not_fixed_is_told_with_the_reason(run: Run, file: Path) -> None:
    file.write_text(POD.replace("spec:\n", "spec: &spec\n") + "copy: *spec\n", encoding="utf-8")
    result = run("-C", ROOT, "lint", file, *SELECTED, "--fix")
    why = "shared-memory is not fixed, since &spec shares it with other places"
    said = f"{file}:6:1: Pod train: {why}\nfindings fixed: 0, in files: 0\n"
    assert (result.exit_code, result.stderr) == (0, said)


ANCHORED = """\
apiVersion: v1
kind: Pod
metadata: {name: train, namespace: research-training}
spec:
  securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
  containers:
    - &main
      name: main
      image: registry.example.com/train:1.0
      securityContext: {capabilities: {drop: [ALL]}}
      resources: {limits: {nvidia.com/gpu: 1, cpu: 8, memory: 16Gi}}
    - <<: *main
      name: other
"""


def test_an_anchor_that_keeps_an_error_is_told_and_nothing_is_counted_as_fixable(
    run: Run, file: Path
) -> None:
    file.write_text(ANCHORED, encoding="utf-8")
    ruled = ("-C", ROOT, "lint", file, "--select", "pod-security", "--select", "tolerations")
    assert run.report(*ruled, code=1)["fixable"] == 0
    assert run(*ruled, "--fix").stderr == (
        f"{file}:10:7: Pod train: pod-security is not fixed, since &main shares it with other "
        f"places\n{file}:4:1: Pod train: tolerations is not fixed, since the object keeps the "
        "error pod-security\nfindings fixed: 0, in files: 0\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "fixable"),
    [
        ("spec:\n", "spec: &spec\n", 1),
        ("  containers", "  volumes: []  # none\n  containers", 1),
        ("  containers", "  volumes: [{name: a, emptyDir: {}}  # own\n  ]\n  containers", 0),
        ("  containers", "  volumes: !!seq []\n  containers", 0),
        ("train:1.0\n", "$TAG\n", 0),
        ("\n", "\r", 0),
    ],
)
def test_what_is_said_to_be_fixable_is_what_is_fixed(
    run: Run, file: Path, old: str, new: str, fixable: int
) -> None:
    file.write_bytes(POD.replace(old, new).encode())
    ruled = ("-C", ROOT, "lint", file, *SELECTED, "--severity", "note")
    assert run.report(*ruled)["fixable"] == fixable
    told = run(*ruled, "--fix").stderr.splitlines()[-1]
    assert told == f"findings fixed: {fixable}, in files: {fixable}"


def test_what_is_not_told_for_its_severity_is_fixed_all_the_same(run: Run, file: Path) -> None:
    run("-C", ROOT, "lint", file, *SELECTED, "--fix", "--severity", "error")
    assert file.read_text(encoding="utf-8") == POD + ADDED


def test_a_file_that_cannot_be_written_is_told(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Path, __: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", failing)
    said = f"{file.parent}: cannot be written: No space left on device; nothing is changed\n"
    assert run.refused("-C", ROOT, "lint", file, *SELECTED, "--fix", "--no-cache", code=3).endswith(
        said
    )
    assert file.read_text(encoding="utf-8") == POD
