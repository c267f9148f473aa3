"""`gpuplane lint`."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

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
"""


def test_findings_have_line_column_and_source(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "pod.yaml"
    file.write_text(POD, encoding="utf-8")
    result = run("-C", ROOT, "lint", file, "--select", "visible-devices")
    assert result.exit_code == 1
    assert result.stdout == (
        f"{file}:11:11: visible-devices error Pod train: The container train sets "
        "NVIDIA_VISIBLE_DEVICES by hand, which takes GPUs that the scheduler did not give it. "
        "Remove spec.containers[0].env[0] and ask for a GPU resource. (training)\n"
        "  11 |         - {name: NVIDIA_VISIBLE_DEVICES, value: all}\n"
        f"     |           {'^' * 42}\n\n"
        "Found 1 error in 1 file with 1 GPU workload.\n"
    )
