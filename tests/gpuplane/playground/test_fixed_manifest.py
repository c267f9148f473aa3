"""A manifest with its fixes, and which fix wrote each line."""

from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.playground.answer import DiffLine
from gpuplane.playground.fixed_manifest import FixedManifest, manifest_diff
from policies.admission import Effect
from tests.gpuplane.playground.conftest import Ask

EXAMPLES = Path(__file__).parents[3] / "examples"
MULTI_GPU_JOB = (EXAMPLES / "multi-gpu-job.yaml").read_text("utf-8")
SHARED = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train, namespace: research-training}
spec:
  pytorchReplicaSpecs:
    Master: &same
      template:
        spec:
          containers: [{name: pytorch, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]
    Worker: *same
"""
COMMENT = MULTI_GPU_JOB.partition("apiVersion")[0]


def _diff(before: Document, after: Document) -> tuple[DiffLine, ...]:
    return manifest_diff(FixedManifest(to_yaml(before), to_yaml(after), {}))


@pytest.mark.parametrize("name", ["multi-gpu-job", "nvidia-smi", "training-job"])
def test_what_is_fixed_is_admitted_as_it_is(training: Ask, name: str) -> None:
    answer = training((EXAMPLES / f"{name}.yaml").read_text("utf-8"))
    (again,) = training(answer.fixed).objects
    assert (answer.objects[0].allowed, again.allowed) == (True, True)
    assert Effect.FIXED not in {finding.effect for finding in again.findings}


def test_its_author_s_comments_and_anchors_stay(training: Ask) -> None:
    fixed = training(MULTI_GPU_JOB).fixed
    assert fixed.startswith(COMMENT)
    assert set(MULTI_GPU_JOB.splitlines()) <= set(fixed.splitlines())


def test_a_fix_of_what_an_anchor_shares_is_written_without_it(training: Ask) -> None:
    fixed = training(SHARED).fixed
    assert ("*same" in fixed, fixed.count("gpuplane.io/team: research")) == (False, 2)


def test_all_documents_are_there_and_those_without_fixes_are_as_they_were(training: Ask) -> None:
    other = "---\n# nothing to fix\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    fixed = training(f"{MULTI_GPU_JOB}{other}").fixed
    assert fixed == training(MULTI_GPU_JOB).fixed + other


def test_where_nothing_is_fixed_there_is_no_fixed_manifest(training: Ask) -> None:
    answer = training("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert (answer.fixed, answer.objects[0].diff) == ("", ())


def test_each_line_has_the_fix_that_wrote_it(training: Ask) -> None:
    (answered,) = training(MULTI_GPU_JOB).objects
    rules = [one.rule for one in answered.findings]
    by_rule: dict[str, list[str]] = {rule: [] for rule in rules}
    for line in answered.diff:
        if line.sign == "+":
            assert line.finding is not None
            by_rule[rules[line.finding]].append(line.text.strip())
    assert by_rule == {
        "granted-pools": [
            "affinity:",
            "nodeAffinity:",
            "requiredDuringSchedulingIgnoredDuringExecution:",
            "nodeSelectorTerms:",
            "- matchExpressions:",
            "- key: gpuplane.io/pool",
            "operator: In",
            "values:",
            "- h100",
            "- h100-spot",
        ],
        "node-affinity": ["- key: gpuplane.io/nvlink", "operator: In", "values:", '- "true"'],
        "tolerations": [
            "tolerations:",
            "- key: nvidia.com/gpu",
            "operator: Equal",
            "value: present",
            "effect: NoSchedule",
        ],
        "priority-class": ["priorityClassName: training"],
        "team-labels": [
            "labels:",
            "gpuplane.io/team: research",
            'gpuplane.io/cost-center: "4711"',
            "gpuplane.io/project: foundation-models",
            "gpuplane.io/owner: research-leads_at_example.com",
            "gpuplane.io/purpose: training",
        ],
        "shared-memory": [
            *(2 * ["volumeMounts:", "- name: gpuplane-shm", "mountPath: /dev/shm"]),
            "volumes:",
            "- name: gpuplane-shm",
            "emptyDir:",
            "medium: Memory",
            "sizeLimit: 64Gi",
        ],
        "visible-devices": ["env:", "- name: NVIDIA_VISIBLE_DEVICES", "value: void"],
    }


def test_a_change_is_shown_with_the_lines_around_it() -> None:
    before = dict.fromkeys("abcdefghijk", "x")
    assert _diff(before, {**before, "e": "z"}) == (
        DiffLine("@", "1 unchanged line"),
        *(DiffLine(" ", f"{name}: x") for name in "bcd"),
        DiffLine("-", "e: x"),
        DiffLine("+", "e: z"),
        *(DiffLine(" ", f"{name}: x") for name in "fgh"),
        DiffLine("@", "3 unchanged lines"),
    )


def test_thousands_of_lines_that_repeat_are_compared_in_time() -> None:
    # Compared line by line with all that are alike, these took minutes.
    item: Document = {"kind": "Pod", "containers": [{"name": "a", "image": "x"}]}
    fixed: Document = {**item, "volumes": [{"name": "b", "emptyDir": {"medium": "Memory"}}]}
    lines = _diff({"items": [item] * 1_000}, {"items": [fixed] * 1_000})
    assert sum(line.sign == "+" for line in lines) >= 4_000
