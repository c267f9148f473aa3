"""What a cluster answers about a manifest, as a whole."""

import pytest
from hypothesis import given, strategies as st

from gpuplane.playground.answer import (
    Answer,
    AnswerFault,
    AnswerFinding,
    ObjectAnswer,
    PodAnswer,
    PoolAnswer,
    QuotaAnswer,
)
from gpuplane.playground.playground_answer import MAX_FAULTS, MAX_LENGTH, MAX_PODS
from tests.gpuplane.playground.conftest import Ask

JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: research-training}
spec:
  parallelism: 3
  template:
    spec:
      priorityClassName: training
      nodeSelector: {gpuplane.io/pool: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: train
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
          image: registry.example.com/research/train:1.0
          resources: {limits: {nvidia.com/gpu: 2, cpu: 8, memory: 64Gi}}
          volumeMounts: [{name: shm, mountPath: /dev/shm}]
      volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 32Gi}}]
"""


def test_an_answer_has_findings_changes_pools_and_quota(training: Ask) -> None:
    answer = training(JOB)
    (answered,) = answer.objects
    (finding,), (pod,) = answered.findings, answered.pods
    quota = QuotaAnswer(
        cluster="",
        namespace="research-training",
        resource="nvidia.com/gpu",
        asked=6.0,
        at_least=False,
        pools={"h100": 96},
        enforced=160,
    )
    assert answer == Answer(objects=(answered,), quotas=(quota,), fixed=answer.fixed)
    assert answered == ObjectAnswer(
        2, "Job train", "research-training", True, (finding,), answered.diff, (pod,)
    )
    assert finding == AnswerFinding(
        line=7,
        pointer="/spec/template/metadata/labels",
        cluster="",
        effect="fixed",
        rule="team-labels",
        message="The pod lacks the labels gpuplane.io/team, gpuplane.io/cost-center, "
        "gpuplane.io/project, gpuplane.io/owner, gpuplane.io/purpose of its team.",
        remedy="Add them to spec.template.metadata.labels.",
    )
    assert (
        "".join(f"{line.sign}{line.text}\n" for line in answered.diff)
        == """\
@16 unchanged lines
           resources: {limits: {nvidia.com/gpu: 2, cpu: 8, memory: 64Gi}}
           volumeMounts: [{name: shm, mountPath: /dev/shm}]
       volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 32Gi}}]
+    metadata:
+      labels:
+        gpuplane.io/team: research
+        gpuplane.io/cost-center: "4711"
+        gpuplane.io/project: foundation-models
+        gpuplane.io/owner: research-leads_at_example.com
+        gpuplane.io/purpose: training
"""
    )
    mig = "nvidia.com/mig-1g.10gb, nvidia.com/mig-2g.20gb, nvidia.com/mig-3g.40gb"
    shared = "nvidia.com/gpu.shared"
    left_out = "it has no nodes with gpuplane.io/pool h100: gpuplane.io/pool is h100-spot there"
    varies = "no price of spot nodes is listed, since it varies"
    pools = (
        PoolAnswer("a100-mixed", f"it offers {mig}, not nvidia.com/gpu", None, "USD", ""),
        PoolAnswer("a10g-notebooks", f"it offers {shared}, not nvidia.com/gpu", None, "USD", ""),
        PoolAnswer("h100", "", 13.76, "USD", ""),
        PoolAnswer("h100-spot", left_out, None, "USD", varies),
    )
    asks = {"nvidia.com/gpu": 2.0}
    assert pod == PodAnswer("", "research-training", "/spec/template", 3, asks, pools)


def test_another_namespace_takes_the_place_of_the_manifest_s(training: Ask) -> None:
    (answered,) = training(JOB, "elsewhere").objects
    assert (answered.namespace, answered.pods[0].namespace) == ("elsewhere", "elsewhere")


@pytest.mark.parametrize(
    ("manifest", "fault"),
    [
        ("", AnswerFault(1, 0, "no object; allowed: a mapping with apiVersion and kind")),
        (
            "kind: Pod\nspec: a: b\n",
            AnswerFault(
                2,
                8,
                'invalid YAML: a second ": " on the line, in the value "a: b"; '
                "allowed: quotes around the whole value",
            ),
        ),
        (
            "apiVersion: v1\nkind: Pod\nspec: {containers: [\ud800]}\n",
            AnswerFault(3, 21, "byte 0xED is not UTF-8; allowed: the file saved as UTF-8"),
        ),
        (
            "\napiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n",
            AnswerFault(2, 0, "an AdmissionReview; allowed: the object in it"),
        ),
        (
            "#" * (MAX_LENGTH + 1),
            AnswerFault(1, 0, f"{MAX_LENGTH + 1} bytes; allowed: at most {MAX_LENGTH}"),
        ),
    ],
)
def test_what_cannot_be_read_is_told_at_its_line(
    training: Ask, manifest: str, fault: AnswerFault
) -> None:
    assert training(manifest) == Answer(faults=(fault,))


def test_what_a_manifest_says_is_handed_on_as_it_is(training: Ask) -> None:
    script = "<script>alert(1)</script>"
    manifest = JOB.replace("name: train,", f'name: "{script}",')
    assert training(manifest).objects[0].subject == f"Job {script}"


@given(st.text(max_size=300))
def test_no_text_makes_it_fail(training: Ask, manifest: str) -> None:
    assert training(manifest).faults


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "spec", "replicas", "template", "containers", "resources"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_VALUES)
def test_no_object_makes_it_fail(training: Ask, spec: object) -> None:
    import json

    kind = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
    answer = training(json.dumps(kind))
    assert answer.faults or answer.objects


def test_a_manifest_of_very_many_pods_is_refused(training: Ask) -> None:
    pod = "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a}]}\n"
    assert not training("---\n".join([pod] * MAX_PODS)).faults
    message = "201 pods and templates of pods; allowed: at most 200"
    assert training("---\n".join([pod] * (MAX_PODS + 1))) == Answer((AnswerFault(1, 0, message),))


def test_of_very_many_faults_the_first_are_told(training: Ask) -> None:
    faults = training("a: b\n---\n" * 1000).faults
    assert len(faults) == MAX_FAULTS + 1
    assert faults[-1] == AnswerFault(201, 0, "and 900 more faults from here on")


@pytest.mark.parametrize("gpus", ["-1", "0.5"])
def test_what_is_no_number_of_gpus_fits_nowhere_and_costs_nothing(training: Ask, gpus: str) -> None:
    answer = training(JOB.replace("nvidia.com/gpu: 2", f"nvidia.com/gpu: {gpus}"))
    (pod,) = answer.objects[0].pods
    (h100,) = (pool for pool in pod.pools if pool.pool == "h100")
    assert (h100.reason, h100.hour) == (f"{gpus} of nvidia.com/gpu is not a number of GPUs", None)
    assert answer.quotas == ()


@pytest.mark.parametrize("gpus", ["1e400", f"'1{'0' * 400}'"])
def test_more_gpus_than_a_float_holds_are_the_most_that_a_quantity_has(
    training: Ask, gpus: str
) -> None:
    answer = training(JOB.replace("nvidia.com/gpu: 2", f"nvidia.com/gpu: {gpus}"))
    (pod,) = answer.objects[0].pods
    assert pod.asks == {"nvidia.com/gpu": float(2**63 - 1)}
    assert all(pool.reason for pool in pod.pools)


def test_a_pod_of_200_containers_is_answered_in_time(training: Ask) -> None:
    # With every line that repeats compared exactly, this took 20 times as long.
    limits = "resources: {limits: {nvidia.com/gpu: 1}}"
    containers = "".join(f"  - {{name: a{n}, image: x, {limits}}}\n" for n in range(200))
    metadata = "metadata: {name: a, namespace: research-training}"
    pod = f"apiVersion: v1\nkind: Pod\n{metadata}\nspec:\n  containers:\n{containers}"
    (answered,) = training(pod).objects
    assert any(line.sign == "+" for line in answered.diff)
