"""Jobs wait by classes of their teams."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.admission_policies.jobs import (
    RUNTIME_SNAPSHOTS,
    job_priorities_policies,
    train_job_policies,
)
from charts_py.components.admission_policy import Policy, json_patch
from charts_py.components.kubeflow_trainer import MANAGER, NAMESPACE
from charts_py.components.kueue.api import PRIORITY
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.objects.document import Document
from charts_py.platform.policy_settings import policy_settings
from policies.rule_name import Mode, RuleName
from policies.settings import Settings
from policies.workloads.job_priority import is_unranked, rank, refusal, refused
from policies.workloads.pod_replacement import REPLACES_EARLY
from tests.charts_py.components.evaluated import evaluated, is_taken
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith


@pytest.fixture
def settings(platform_after: PlatformWith) -> Settings:
    return policy_settings(platform_after("queues"))


def test_a_policy_holds_the_namespaces_of_the_same_classes_to_them(settings: Settings) -> None:
    policies = list(job_priorities_policies(PRIORITY, settings, sets_default=False))
    found = [(each.kind, each.name, _names_of(each.namespaces)) for each in policies]
    assert found == [
        (
            "ValidatingAdmissionPolicy",
            "job-priorities.research-batch.gpuplane.io",
            ["research-batch", "research-training"],
        ),
        ("ValidatingAdmissionPolicy", "job-priorities.serving.gpuplane.io", ["serving"]),
    ]
    allowed = ("training", "batch")
    assert policies[0].spec()["validations"] == [
        {
            "expression": f"size({refused(PRIORITY, allowed)}) == 0",
            "messageExpression": refusal(PRIORITY, allowed),
            "reason": "Forbidden",
        }
    ]


def _names_of(selector: Mapping[str, Any]) -> list[str]:
    (expression,) = selector["matchExpressions"]
    return list(expression["values"])


def test_it_is_about_every_kind_that_kueue_holds_back(settings: Settings) -> None:
    policy, *_ = job_priorities_policies(PRIORITY, settings, sets_default=False)
    assert policy.rule == {
        "apiGroups": [
            "",
            "apps",
            "batch",
            "jobset.x-k8s.io",
            "kubeflow.org",
            "leaderworkerset.x-k8s.io",
            "ray.io",
            "trainer.kubeflow.org",
        ],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": [
            "deployments",
            "jaxjobs",
            "jobs",
            "jobsets",
            "leaderworkersets",
            "mpijobs",
            "paddlejobs",
            "pods",
            "pytorchjobs",
            "rayclusters",
            "rayjobs",
            "rayservices",
            "statefulsets",
            "tfjobs",
            "trainjobs",
            "xgboostjobs",
        ],
    }


def test_jobs_get_the_class_of_their_pods_where_these_get_one(settings: Settings) -> None:
    batch = replace(
        settings.namespaces["research-batch"], modes={RuleName.PRIORITY_CLASS: Mode.AUDIT}
    )
    settings = replace(settings, namespaces={**settings.namespaces, "research-batch": batch})
    naming = [
        each
        for each in job_priorities_policies(PRIORITY, settings, sets_default=True)
        if each.kind == "MutatingAdmissionPolicy"
    ]
    assert [each.name for each in naming] == [
        "named-job-priorities.research-training.gpuplane.io",
        "named-job-priorities.serving.gpuplane.io",
    ]
    spec = naming[0].spec()
    assert (spec["failurePolicy"], spec["matchConditions"], spec["mutations"]) == (
        "Ignore",
        [{"name": "names-no-class", "expression": is_unranked(PRIORITY)}],
        [json_patch(rank(PRIORITY, "training"))],
    )
    assert {"pods", "deployments"}.isdisjoint(naming[0].rule["resources"])


@pytest.mark.parametrize(
    ("engine", "version", "policies", "webhooks"),
    [
        ("queues", "1.35", {"job-priorities"}, ["mutate.pods", "mutate.jobs", "validate.pods"]),
        ("queues", "1.36", {"job-priorities", "named-job-priorities"}, ["mutate.pods"]),
        # KAI ranks pods, which get theirs.
        ("kai", "1.35", {"job-priorities"}, ["mutate.pods", "validate.pods"]),
        ("kai", "1.36", {"job-priorities"}, ["mutate.pods"]),
    ],
)
def test_the_webhook_names_classes_where_the_api_server_cannot(
    platform_after: PlatformWith,
    documents_of_component: DocumentsOf,
    engine: str,
    version: str,
    policies: set[str],
    webhooks: list[str],
) -> None:
    platform = platform_after(engine, ('"1.36"', f'"{version}"'))
    names = {
        name.partition(".")[0]
        for (component,) in [tuple(ADMISSION_POLICIES.plan(platform))]
        for name in _names(documents_of_component(component))
    }
    assert {name for name in names if "job" in name} == policies
    (component,) = WEBHOOK_CONFIGURATION.plan(platform)
    documents = documents_of_component(component)
    called = [each for document in documents for each in document["webhooks"]]
    assert [each["name"].removesuffix(".gpuplane.io") for each in called] == webhooks
    for each in called:
        if each["name"].startswith("mutate.jobs"):
            (condition,) = each["matchConditions"]
            assert condition["expression"] == f"({is_unranked(PRIORITY)}) || {REPLACES_EARLY}"
            assert each["clientConfig"]["service"]["path"] == "/mutate"


def _names(documents: tuple[Document, ...]) -> Iterator[str]:
    return (each["metadata"]["name"] for each in documents)


def test_without_queues_jobs_are_nobodys_business(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = ADMISSION_POLICIES.plan(example("onprem"))
    assert not [name for name in _names(documents_of_component(component)) if "job" in name]


CPUS = {"cpu": "96"}
GPUS = {"nvidia.com/gpu": "8"}
WITH_TRAINER = ("teams:\n", "training: {trainer: {}}\nteams:\n")
MEMBER, TRAINER = "jane", f"system:serviceaccount:{NAMESPACE}:{MANAGER}"


@pytest.fixture
def resources_per_node(example: Load) -> Policy:
    policy, _ = train_job_policies(example("training"))
    return policy


def _job(**resources: dict[str, str]) -> dict[str, Any]:
    trainer = {"numNodes": 4, **({"resourcesPerNode": resources} if resources else {})}
    return {"spec": {"runtimeRef": {"name": "torch-h100"}, "trainer": trainer}}


@pytest.mark.parametrize(
    ("job", "before", "passes"),
    [
        ({"spec": {"runtimeRef": {"name": "torch-h100"}}}, None, True),
        (_job(), None, True),
        (_job(limits=GPUS), None, True),
        (_job(limits=GPUS, requests=CPUS), None, True),
        (_job(requests=CPUS), None, False),
        (_job(limits={"memory": "1Ti"}), None, False),
        # Trainer counts processes, and Kubernetes devices, by limits.
        (_job(requests=GPUS), None, False),
        (_job(limits={"vpc.amazonaws.com/efa": "32"}), None, False),
        # The rule of its kind that `trainer` is immutable lets one be added.
        (_job(requests=CPUS), {"spec": {"runtimeRef": {"name": "torch-h100"}}}, False),
        # Of before the policy, which Kueue suspends and resumes.
        (_job(requests=CPUS), _job(requests=CPUS), True),
    ],
)
def test_a_job_that_states_resources_states_its_gpus(
    resources_per_node: Policy, job: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    assert is_taken(resources_per_node, job, before) is passes


def test_it_is_told_what_to_write(resources_per_node: Policy) -> None:
    (validation,) = resources_per_node.spec()["validations"]
    assert evaluated(validation["messageExpression"], {"object": _job(requests=CPUS)}) == (
        "spec.trainer.resourcesPerNode states no GPUs: the queue would count none, and the job run "
        "with those of its runtime. Repeat the limit on GPUs of torch-h100 in its limits, or leave "
        "resourcesPerNode out."
    )


@pytest.mark.parametrize(
    ("name", "user", "is_judged"),
    [
        ("a-runtime-snapshot", MEMBER, True),
        ("a-runtime-snapshot", TRAINER, False),
        ("a-runtime-snapshot-b", MEMBER, False),
        ("settings", MEMBER, False),
    ],
)
def test_only_trainer_writes_snapshots(name: str, user: str, is_judged: bool) -> None:
    data = {"object": {"metadata": {"name": name}}, "request": {"userInfo": {"username": user}}}
    conditions = RUNTIME_SNAPSHOTS.spec()["matchConditions"]
    assert all(evaluated(each["expression"], data) for each in conditions) is is_judged


def _snapshot(runtime: str, *owners: str) -> dict[str, Any]:
    references = [{"uid": owner} for owner in owners]
    metadata = {"ownerReferences": references} if references else {}
    return {"metadata": metadata, "data": {"runtime": runtime}}


@pytest.mark.parametrize(
    ("snapshot", "before", "passes"),
    [
        (_snapshot("a", "1"), None, False),
        (_snapshot("b", "1"), _snapshot("a", "1"), False),
        ({"metadata": {}}, _snapshot("a"), False),
        # The snapshot of an earlier job, for one that has its name.
        (_snapshot("a", "2"), _snapshot("a", "1"), False),
        (_snapshot("a", "1"), _snapshot("a", "1"), True),
        (_snapshot("a"), _snapshot("a", "1"), True),
    ],
)
def test_a_snapshot_stays_as_it_is_and_whose_it_is(
    snapshot: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    assert is_taken(RUNTIME_SNAPSHOTS, snapshot, before) is passes


@pytest.mark.parametrize(
    ("name", "replaced", "expected"),
    [
        ("queues", (WITH_TRAINER,), True),
        ("queues", (), False),
        # A scheduler counts the pods that there are.
        ("volcano", (WITH_TRAINER,), False),
        ("training", (), False),
    ],
)
def test_they_are_there_where_trainer_runs_what_kueue_counts(
    platform_after: PlatformWith, name: str, replaced: tuple[tuple[str, str], ...], expected: bool
) -> None:
    platform = platform_after(name, *replaced)
    assert bool([*train_job_policies(platform)]) is expected
