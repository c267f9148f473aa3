"""What CEL finds by more than the pod: who asks, what was there before, what is too much."""

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from gpus.taint import Taint
from policies.admission import CREATE, NOBODY, UPDATE, Effect, Review, User
from policies.document import Document
from policies.engine import Engine
from policies.finding import Severity
from policies.in_cel.action import Action, is_taken
from policies.limits import MAX_CONTAINERS, MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS
from policies.rule_name import Mode, RuleName
from policies.settings import NamespaceSettings, NodeNameSettings, RuleException, Settings
from tests.policies.conftest import LABELLED_QUEUES, QUEUES, SETTINGS, affinity, gpu_pod
from tests.policies.in_cel.evaluator import Evaluator
from tests.policies.in_cel.stored import CREATED, TODAY, valid
from tests.policies.in_cel.varied_pods import FLOATING

DAY, LATER = CREATED[:10], "2027-06-01T10:00:00Z"
ALLOWED = NodeNameSettings(users=("scheduler",), groups=("system:nodes",))
WITH_USERS = replace(SETTINGS, node_names=ALLOWED)
ZONE = {"key": "zone", "operator": "Exists"}
TERM = {"matchExpressions": [ZONE]}
LONG = {"matchExpressions": [ZONE] * (MAX_EXPRESSIONS + 1)}
IMAGE: Document = {"image": "registry.example.com/train:1.4"}
RIGHT = {("volcano", None), ("volcano", "training")}
"""Scheduler and queue of a pod of the namespace training."""
NO_GPU: Document = {**IMAGE, "resources": {"limits": {"cpu": 1}}}


def _denials(engine: Engine, pod: Document, review: Review) -> list[str]:
    return [str(each) for each in engine.admit(pod, review).with_effect(Effect.DENIED)]


@pytest.mark.parametrize("namespace", ["training", "foreign"])
@pytest.mark.parametrize(
    ("user", "is_refused"),
    [
        (NOBODY, {"training", "foreign"}),
        (User("scheduler"), set()),
        (User("kubelet", ("system:authenticated", "system:nodes")), set()),
        (User("system:serviceaccount:foreign:volumes"), {"training"}),
        (User("system:serviceaccount:training:mine"), {"training", "foreign"}),
    ],
)
def test_whoever_creates_a_pod_may_name_its_node_as_the_rule_lets_them(
    namespace: str, user: User, is_refused: set[str]
) -> None:
    pod = valid(gpu_pod(NO_GPU, nodeName="node-1"))
    found = Evaluator(WITH_USERS).findings(pod, namespace, user)[Action.DENY]
    review = Review(namespace, TODAY, fixes=False, user=user)
    named = [each for each in _denials(Engine(WITH_USERS), pod, review) if "node-name" in each]
    assert [each for each in found if "node-name" in each] == named
    assert bool(named) is (namespace in is_refused)


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(SETTINGS)


def _found(evaluator: Evaluator, sent: Document) -> tuple[list[str], list[str]]:
    """Return what is denied and warned of, in CEL and by the rules."""
    pod = valid(sent)
    found = evaluator.findings(pod, "training")
    judged = Engine(SETTINGS).admit(pod, Review("training", TODAY, fixes=False))
    expected = [*judged.with_effect(Effect.DENIED), *judged.with_effect(Effect.WARNED)]
    return [*found[Action.DENY], *found[Action.WARN]], [str(each) for each in expected]


@pytest.mark.parametrize("image", FLOATING)
def test_an_empty_tag_or_digest_is_none_in_cel_either(evaluator: Evaluator, image: str) -> None:
    found, expected = _found(evaluator, gpu_pod({"image": image}))
    assert found == expected


@pytest.mark.parametrize("cpu", ["8e18", "8e21", "1E"])
def test_more_cpu_than_an_integer_holds_is_more_than_a_node_has(
    evaluator: Evaluator, cpu: str
) -> None:
    found, expected = _found(evaluator, gpu_pod(IMAGE, resources={"limits": {"cpu": cpu}}))
    assert found == expected
    assert [each for each in found if each.startswith("node-resources")]


@pytest.mark.parametrize("containers", [1, 20])
@pytest.mark.parametrize("count", ["9223372036854775807", "1E"])
def test_more_gpus_than_an_integer_holds_are_refused_as_others_are(
    evaluator: Evaluator, count: str, containers: int
) -> None:
    resources = ("nvidia.com/gpu", "nvidia.com/mig-1g.10gb")
    asking = {**IMAGE, "resources": {"limits": dict.fromkeys(resources, count)}}
    named = [{**asking, "name": f"c{number}"} for number in range(containers)]
    found, expected = (
        {each.partition(":")[0] for each in said}
        for said in _found(evaluator, gpu_pod(containers=named))
    )
    assert found == expected >= {RuleName.GPUS_PER_NODE}


@pytest.mark.parametrize("container", [IMAGE, NO_GPU], ids=["gpu", "no gpu"])
@pytest.mark.parametrize(
    "spec",
    [
        {"affinity": affinity(*[TERM] * (MAX_NODE_SELECTOR_TERMS + 1))},
        {"affinity": affinity(TERM, LONG)},
        {"containers": [{"name": f"c{n}", "image": "a:1"} for n in range(MAX_CONTAINERS + 1)]},
    ],
    ids=["terms", "expressions", "containers"],
)
def test_what_is_too_much_is_refused_for_that_alone(container: Document, spec: Document) -> None:
    pod = valid(gpu_pod(container, **spec))
    (refusal,) = _denials(Engine(SETTINGS), pod, Review("plain", TODAY, fixes=False))
    assert Evaluator(SETTINGS).findings(pod, "plain") == {
        Action.DENY: [refusal],
        Action.WARN: [],
        Action.AUDIT: [],
    }


@pytest.mark.parametrize(
    ("modes", "action"),
    [
        ({}, Action.DENY),
        ({"mode": Mode.WARN}, Action.WARN),
        ({"mode": Mode.AUDIT}, Action.AUDIT),
        ({"mode": Mode.OFF}, None),
    ],
)
def test_what_is_too_much_is_refused_where_any_rule_is_enforced(
    modes: Any, action: Action | None
) -> None:
    pod = valid(gpu_pod(IMAGE, affinity=affinity(LONG)))
    found = Evaluator(replace(SETTINGS, **modes)).findings(pod, "plain")
    assert [each for each in Action if found[each]] == ([] if action is None else [action])


def _with_debugger(*debuggers: Document) -> Document:
    return valid(gpu_pod(IMAGE, ephemeralContainers=list(debuggers)))


@pytest.mark.parametrize(
    "debugger",
    [
        {"name": "debug", "image": "cuda:12"},
        {"name": "debug", "image": "cuda:12", "envFrom": [{"configMapRef": {"name": "mine"}}]},
        {
            "name": "debug",
            "image": "cuda:12",
            "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
        },
    ],
    ids=["no variable", "variables from elsewhere", "closed"],
)
def test_an_ephemeral_container_is_refused_unfixed_as_it_is_added(debugger: Document) -> None:
    other = {"name": "other", "image": "cuda:11"}
    old, pod = _with_debugger(other), _with_debugger(other, debugger)
    review = Review("plain", TODAY, UPDATE, subresource="ephemeralcontainers", old=old, fixes=False)
    evaluator = Evaluator(SETTINGS)
    found = evaluator.findings(pod, "plain", NOBODY, UPDATE, "ephemeralcontainers")[Action.DENY]
    before = evaluator.findings(old, "plain", NOBODY, UPDATE, "ephemeralcontainers")[Action.DENY]
    new = [each for each in found if each not in before]
    assert new == _denials(Engine(SETTINGS), pod, review)


def test_a_capability_is_read_in_capitals_as_container_runtimes_do() -> None:
    added = {**IMAGE, "securityContext": {"capabilities": {"add": ["\u017fys_admin"]}}}
    pod = valid(gpu_pod(added))
    found = Evaluator(SETTINGS).findings(pod, "plain")[Action.DENY]
    denials = _denials(Engine(SETTINGS), pod, Review("plain", TODAY, fixes=False))
    assert [each for each in found if each.startswith("privileged")] == [
        each for each in denials if each.startswith("privileged")
    ]
    assert any(each.startswith("privileged") for each in found)


@pytest.mark.parametrize(("changed", "action"), [(CREATED, Action.AUDIT), (LATER, Action.DENY)])
def test_an_exception_ends_for_what_is_changed_after_its_day(changed: str, action: Action) -> None:
    exception = RuleException(
        RuleName.IMAGE_TAG, "plain", "a migration", "a@example.com", dt.date.fromisoformat(DAY)
    )
    settings = replace(SETTINGS, exceptions=(exception,))
    pod = valid(gpu_pod({**IMAGE, "image": "registry.example.com/a:latest"}))
    pod["metadata"]["managedFields"] = [{"manager": "kubectl", "time": changed}]
    found = Evaluator(settings).findings(pod, "plain", NOBODY, UPDATE)
    said = [each for each in Action if any("image-tag" in one for one in found[each])]
    assert said == [action]


LABELLED = replace(
    SETTINGS,
    namespaces={
        "a": NamespaceSettings("a", "batch", labels={"team": "a", "project": "p"}),
        "b": NamespaceSettings("b", "batch", labels={"team": "b", "owner": "o"}),
        "c": NamespaceSettings("c", "batch"),
    },
)


@pytest.mark.parametrize("namespace", ["a", "b", "c", "foreign"])
@pytest.mark.parametrize("labels", [{}, {"team": "b"}, {"team": "a", "project": "q", "owner": "r"}])
def test_labels_are_those_of_the_namespace(namespace: str, labels: dict[str, str]) -> None:
    pod = gpu_pod(IMAGE)
    pod["metadata"]["labels"] = labels
    pod = valid(pod)
    found = Evaluator(LABELLED).findings(pod, namespace)[Action.DENY]
    expected = _denials(Engine(LABELLED), pod, Review(namespace, TODAY, fixes=False))
    assert found == expected


MANY_TERMS = affinity(*[TERM] * (MAX_NODE_SELECTOR_TERMS + 6))
MANY: list[Document] = [{"name": f"c{n}", **IMAGE} for n in range(MAX_CONTAINERS + 1)]
ELSEWHERE: Document = {"image": "docker.io/evil/cuda:1"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"affinity": MANY_TERMS, "containers": [{"name": "a", **NO_GPU}]},
            {"tolerations": [{"operator": "Exists"}]},
        ),
        (
            {"affinity": MANY_TERMS},
            {
                "ephemeralContainers": [
                    {
                        "name": "debug",
                        "image": "registry.example.com/a:1",
                        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}],
                    }
                ]
            },
        ),
        ({"containers": MANY}, {"containers": [{"name": "c0", **ELSEWHERE}, *MANY[1:]]}),
        ({"affinity": MANY_TERMS}, {"affinity": affinity(*[TERM] * (MAX_NODE_SELECTOR_TERMS + 5))}),
    ],
    ids=["tolerations", "ephemeral container", "image among containers", "fewer terms"],
)
def test_an_update_of_what_had_too_much_is_judged(before: Document, after: Document) -> None:
    old, pod = valid(gpu_pod(IMAGE, **before)), valid(gpu_pod(IMAGE, **{**before, **after}))
    settings = replace(SETTINGS, registries=("registry.example.com/",))
    evaluator = Evaluator(settings)
    found = evaluator.findings(pod, "plain", NOBODY, UPDATE, old=old)[Action.DENY]
    known = evaluator.findings(old, "plain", NOBODY, UPDATE)[Action.DENY]
    review = Review("plain", TODAY, UPDATE, old=old, fixes=False)
    assert [each for each in found if each not in known] == _denials(Engine(settings), pod, review)


@pytest.mark.parametrize("scheduler", [None, "default-scheduler", "volcano", "mine"])
@pytest.mark.parametrize("queue", [None, "training", "serving"])
@pytest.mark.parametrize("namespace", ["training", "nobodys"])
def test_a_pod_in_another_queue_is_refused_in_cel_too(
    scheduler: str | None, queue: str | None, namespace: str
) -> None:
    pod = valid(gpu_pod(IMAGE, **({} if scheduler is None else {"schedulerName": scheduler})))
    if queue is not None:
        pod["metadata"]["annotations"] = {"scheduling.volcano.sh/queue-name": queue}
    queued = replace(SETTINGS, queue_scheduler=QUEUES)
    found, expected = (
        [each for each in said if each.startswith(RuleName.QUEUE_SCHEDULER)]
        for said in (
            Evaluator(queued).findings(pod, namespace)[Action.DENY],
            _denials(Engine(queued), pod, Review(namespace, TODAY, fixes=False)),
        )
    )
    assert found == expected
    is_right = (scheduler, queue) in RIGHT if namespace == "training" else scheduler != "mine"
    assert bool(found) is not is_right


@pytest.mark.parametrize("queue", [None, "training", "serving"])
@pytest.mark.parametrize("labels", [None, {}, {"kai.scheduler/preemptibility": "non-preemptible"}])
@pytest.mark.parametrize("operation", [CREATE, UPDATE])
def test_a_pod_without_the_labels_of_its_queue_is_refused_in_cel_too(
    queue: str | None, labels: dict[str, str] | None, operation: str
) -> None:
    pod = valid(gpu_pod(IMAGE, schedulerName="kai-scheduler"))
    if queue is not None or labels is not None:
        named = {} if queue is None else {"kai.scheduler/queue": queue}
        pod["metadata"]["labels"] = {**(labels or {}), **named}
    queued = replace(SETTINGS, queue_scheduler=LABELLED_QUEUES)
    review = Review("training", TODAY, operation, fixes=False)
    found, expected = (
        [each for each in said if each.startswith(RuleName.QUEUE_SCHEDULER)]
        for said in (
            Evaluator(queued).findings(pod, "training", NOBODY, operation)[Action.DENY],
            _denials(Engine(queued), pod, review),
        )
    )
    assert found == expected
    lacks = operation == CREATE and (queue is None or not labels)
    assert bool(found) is (lacks or queue == "serving")


UNTIL = dt.date(2026, 11, 23)


@pytest.mark.parametrize(
    ("action", "taken"), [(Action.DENY, "!({})"), (Action.WARN, "false"), (Action.AUDIT, "({})")]
)
def test_all_exceptions_that_expire_on_a_day_are_one_condition(action: Action, taken: str) -> None:
    rule = RuleName.IMAGE_REGISTRY
    exceptions = tuple(
        RuleException(rule, name, "a migration", "a@example.com", UNTIL) for name in ("a", "b", "c")
    )
    settings = replace(Settings("test", mode=Mode.ENFORCE), exceptions=exceptions)
    excepted = '(request.namespace in ["a", "b", "c"] && variables.today <= "2026-11-23")'
    assert is_taken(action, rule, Severity.REFUSE, settings) == taken.format(excepted)


@pytest.mark.parametrize("keys", [("dedicated",), ("nvidia.com/gpu", "dedicated"), ()])
def test_only_taints_of_gpus_keep_other_pods_off_in_cel_too(keys: tuple[str, ...]) -> None:
    taints = tuple(Taint(key, "", "NoSchedule") for key in keys)
    guarded, *others = SETTINGS.pools
    settings = replace(SETTINGS, pools=(replace(guarded, taints=taints), *others))
    pod = valid(gpu_pod(NO_GPU, tolerations=[{"key": key, "operator": "Exists"} for key in keys]))
    found = Evaluator(settings).findings(pod, "plain")[Action.DENY]
    denied = _denials(Engine(settings), pod, Review("plain", TODAY, fixes=False))
    assert found == denied
    assert bool(denied) is ("nvidia.com/gpu" in keys)


@pytest.mark.parametrize(
    ("namespace", "offered"),
    [
        ("plain", "nvidia.com/gpu, nvidia.com/gpu.shared, nvidia.com/mig-1g.10gb"),
        ("granted", "nvidia.com/gpu, nvidia.com/gpu.shared"),
        ("bare", "nothing"),
    ],
)
def test_what_the_namespace_may_use_is_listed_in_cel_too(namespace: str, offered: str) -> None:
    bare = NamespaceSettings(team="bare", purpose="batch", pools=())
    settings = replace(SETTINGS, namespaces={**SETTINGS.namespaces, "bare": bare})
    pod = valid(gpu_pod({**IMAGE, "resources": {"limits": {"nvidia.com/gup": "1"}}}))
    found = Evaluator(settings).findings(pod, namespace)[Action.WARN]
    (said,) = [each for each in found if "gpu-resource-name" in each]
    assert said == (
        "gpu-resource-name: The container train asks for nvidia.com/gup, which no pool offers and "
        f"which names no GPU. Ask for what is offered: {offered}."
    )
