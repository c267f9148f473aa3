import datetime as dt
import json
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.components.kueue.api import PRIORITY, PRIORITY_LABEL
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.misspelled_gpus import NEVER_STARTS
from gpuplane.lint.object_findings import admission_findings, rule_findings
from policies.admission import Review
from policies.custom_rule import CustomRule
from policies.engine import Engine
from policies.rule_name import Mode
from policies.settings import (
    EnforcedSecurity,
    NamespaceSettings,
    OfferedResource,
    PodSecurity,
    PoolSettings,
    Settings,
)
from tests.policies.conftest import GPU_TAINT, SPOT_TAINT

SETTINGS = Settings("test", namespaces={"train": NamespaceSettings("research", "training")})
JUDGE = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(Engine(SETTINGS)))
CRON_JOB = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "nightly"}}
WRAPPER = {
    "apiVersion": "workload.codeflare.dev/v1beta2",
    "kind": "AppWrapper",
    "metadata": {"name": "wrapper"},
    "spec": {"components": [{"template": CRON_JOB}]},
}


REVIEW = Review("train", dt.date(2026, 11, 29))
RESTRICTED = EnforcedSecurity(PodSecurity.RESTRICTED, 36)


def _ranked(**settings: Any) -> Engine:
    namespace = NamespaceSettings("research", "training", priorities=("training",))
    return Engine(Settings("test", namespaces={"train": namespace}, **settings))


def test_a_job_that_others_run_is_judged_by_its_own_queue_and_by_their_pools() -> None:
    pool = PoolSettings(
        "t4", "nvidia", (OfferedResource("nvidia.com/gpu", 4),), cpu=8, memory=2**40
    )
    manager, worker = _ranked(queue_priority=PRIORITY), _ranked(pools=(pool,))
    rules = ClusterRules(manager, {"worker": worker}, ("train",))
    labels = {PRIORITY_LABEL: "nobodys"}
    job = {**JOB, "metadata": {"name": "j", "namespace": "train", "labels": labels}}
    judge = ClusterJudge(ClusterFacts("manager", "1.36"), rules)
    found = list(admission_findings(judge, job, REVIEW, None))
    refused = "/metadata/labels/kueue.x-k8s.io~1priority-class"
    assert [
        (cluster, each.rule, each.pointer) for cluster, each in found if each.severity == "error"
    ] == [("manager", "priority-class", refused)]
    assert {cluster for cluster, each in found if each.pointer != refused} == {"worker"}


JOB: dict[str, Any] = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "spec": {
        "backoffLimit": 0,
        "template": {
            "spec": {
                "restartPolicy": "Never",
                "containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1}}}],
            }
        },
    },
}
EXPERIMENT = {
    "apiVersion": "kubeflow.org/v1beta1",
    "kind": "Experiment",
    "metadata": {"name": "tune"},
    "spec": {"trialTemplate": {"trialSpec": JOB}},
}


def test_a_job_goes_with_the_experiment_that_wraps_it_and_not_with_an_app_wrapper() -> None:
    wrapper = {**WRAPPER, "spec": {"components": [{"template": JOB}]}}
    document = {"kind": "List", "items": [EXPERIMENT, wrapper]}
    found = list(rule_findings(JUDGE, document, "train", None))
    place = "/items/1/spec/components/0/template/spec/ttlSecondsAfterFinished"
    assert [(each.rule, each.pointer) for each in found] == [("job-ttl", place)]


def test_each_object_of_a_list_and_within_another_is_judged_at_its_place() -> None:
    document = {"kind": "List", "items": [CRON_JOB, WRAPPER]}
    found = list(rule_findings(JUDGE, document, "train", None))
    places = ["/items/0", "/items/1/spec/components/0/template"]
    assert [(each.rule, each.severity, each.subject) for each in found] == [
        ("api-version", "error", "CronJob nightly")
    ] * 2
    assert [each.pointer for each in found] == [f"{place}/apiVersion" for place in places]
    assert [each.fix[0].path for each in found] == [each.pointer for each in found]


def _spot_pool(name: str, *, spot: bool) -> PoolSettings:
    purchase = {"gpuplane.io/purchase": "spot" if spot else "reserved"}
    taints = (GPU_TAINT, *((SPOT_TAINT,) if spot else ()))
    gpus = (OfferedResource("nvidia.com/gpu", 8),)
    labels = {"gpuplane.io/pool": name, **purchase}
    return PoolSettings(name, "nvidia", gpus, cpu=192, memory=2**41, labels=labels, taints=taints)


SPOT_QUEUE = Settings(
    "test",
    (_spot_pool("h100", spot=False), _spot_pool("h100-spot", spot=True)),
    {
        "both": NamespaceSettings("research", "training", spot=True),
        "spot": NamespaceSettings("research", "training", spot=True, pools=("h100-spot",)),
    },
    queue_priority=PRIORITY,
)
SPOT_SELECTOR = {"nodeSelector": {"gpuplane.io/purchase": "spot"}}
UNTOLERATED = (
    "The pod does not tolerate the taints nvidia.com/gpu=present:NoSchedule, "
    "gpuplane.io/purchase=spot:NoSchedule of nodes that offer nvidia.com/gpu."
)
NEVER = (
    f"{UNTOLERATED} The queue reads the template as it is written, so the job never starts.",
    "Add the tolerations to spec.template.spec.tolerations.",
)
WITHOUT_GPUS = (
    "The pod does not tolerate the taint nvidia.com/gpu=present:NoSchedule of nodes that offer "
    "nvidia.com/gpu."
)
TOLERATES = {"tolerations": [{"key": SPOT_TAINT.key, "operator": "Exists"}]}


@pytest.mark.parametrize(
    ("kind", "namespace", "spec", "queues", "told"),
    [
        ("batch/v1 Job", "both", SPOT_SELECTOR, PRIORITY, ("error", *NEVER)),
        ("batch/v1 Job", "spot", {}, PRIORITY, ("error", *NEVER)),
        ("apps/v1 StatefulSet", "spot", {}, PRIORITY, ("error", *NEVER)),
        # It starts on others, or its pods wait one by one, once admission has mended them.
        ("batch/v1 Job", "both", {}, PRIORITY, ("note", UNTOLERATED, NEVER[1])),
        ("apps/v1 Deployment", "spot", {}, PRIORITY, ("note", UNTOLERATED, NEVER[1])),
        ("batch/v1 Job", "spot", {}, None, ("note", UNTOLERATED, NEVER[1])),
        ("batch/v1 Job", "none", SPOT_SELECTOR, PRIORITY, ("note", UNTOLERATED, NEVER[1])),
        (
            "batch/v1 Job",
            "spot",
            TOLERATES,
            PRIORITY,
            ("note", WITHOUT_GPUS, "Add the toleration to spec.template.spec.tolerations."),
        ),
    ],
)
def test_a_queued_template_tolerates_spot_nodes_where_its_pods_run_on_no_others(
    kind: str, namespace: str, spec: Any, queues: Any, told: tuple[str, str, str]
) -> None:
    api_version, name = kind.split()
    pod = {**JOB["spec"]["template"]["spec"], **spec}
    job = {
        "apiVersion": api_version,
        "kind": name,
        "metadata": {"name": "j", "namespace": namespace},
        "spec": {"template": {"spec": pod}},
    }
    engine = Engine(replace(SPOT_QUEUE, queue_priority=queues))
    judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(engine))
    found = [each for _, each in admission_findings(judge, job, REVIEW, None)]
    tolerations = [each for each in found if each.rule == "tolerations"]
    assert [(each.severity, each.message, each.remedy) for each in tolerations] == [told]
    assert all(each.fix for each in tolerations)


def test_a_part_without_fields_is_judged_as_an_empty_one() -> None:
    namespace = NamespaceSettings("research", "training", pod_security=RESTRICTED)
    engine = Engine(Settings("test", namespaces={"train": namespace}))
    graph = {
        "apiVersion": "nvidia.com/v1alpha1",
        "kind": "DynamoGraphDeployment",
        "metadata": {"name": "serve"},
        "spec": {"services": {"Frontend": None}},
    }
    judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(engine))
    found = [each for _, each in admission_findings(judge, graph, REVIEW, None)]
    graph["spec"] = {"services": {"Frontend": {}}}
    assert found == [each for _, each in admission_findings(judge, graph, REVIEW, None)]


def _patch(*operations: str) -> str:
    rest = {"path": "/spec/tolerations/0", "value": {"key": "b"}}
    return json.dumps([{"op": each, **rest} for each in operations])


@pytest.mark.parametrize(
    ("mode", "patch", "severities"),
    [
        (Mode.ENFORCE, "", ["error"]),
        (Mode.WARN, "", ["warning"]),
        (Mode.AUDIT, "", ["note"]),
        (Mode.ENFORCE, _patch("add"), ["note"]),
        (Mode.ENFORCE, _patch("remove"), ["warning"]),
        (Mode.ENFORCE, _patch("remove", "add", "add"), ["warning"]),
        (Mode.ENFORCE, _patch("replace"), ["warning", "error", "error"]),  # and does not pass
    ],
)
def test_a_finding_is_as_severe_as_what_admission_does(
    mode: Mode, patch: str, severities: list[str]
) -> None:
    assert _severities(mode, patch, {"key": "a"}) == severities


def test_removing_a_null_takes_nothing_away() -> None:
    assert _severities(Mode.ENFORCE, _patch("remove"), None) == ["note"]


def _severities(mode: Mode, patch: str, toleration: object) -> list[str]:
    """Return the severities of a rule against pods with one toleration."""
    custom = CustomRule(
        "own", "object.spec.tolerations.size() != 1", "One toleration.", apply=patch
    )
    engine = Engine(Settings("test", modes={"own": mode}, own=(custom,)))
    template = {"spec": {**JOB["spec"]["template"]["spec"], "tolerations": [toleration]}}
    job = {**JOB, "spec": {**JOB["spec"], "template": template}}
    judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(engine))
    found = [each for _, each in admission_findings(judge, job, REVIEW, None)]
    return [each.severity for each in found if each.rule == "own"]


@pytest.mark.parametrize(
    ("resource", "severity"), [("nvidia.com/gpus", "error"), ("nvidia.com/hostdev", "warning")]
)
def test_a_name_that_is_nearly_that_of_a_gpu_is_an_error(resource: str, severity: str) -> None:
    container = {"name": "a", "resources": {"limits": {resource: 1}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"containers": [container]}}
    found = [each for _, each in admission_findings(JUDGE, pod, REVIEW, None)]
    named = [each for each in found if each.rule == "gpu-resource-name"]
    assert [(each.severity, NEVER_STARTS in each.message) for each in named] == [
        (severity, severity == "error")
    ]
