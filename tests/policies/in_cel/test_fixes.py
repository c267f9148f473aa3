"""The fixes in CEL make of a pod what the rules make of it."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from benchmarks.corpus import CLUSTERS, example_clusters
from gpuplane.admission.loaded_rules import cluster_engine
from gpus.platform_names import FIXED
from gpus.sharing import SharingKind
from policies.admission import UPDATE, Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.in_cel.cluster_fixes import fix_stages
from policies.operation import copied
from policies.quantity import read_quantity
from policies.rule import nothing
from policies.rule_name import Mode, RuleName
from policies.rules import RULES
from policies.settings import EnforcedSecurity, PodSecurity, RuleException, Settings, UnequalGpus
from tests.policies.conftest import LABELLED_QUEUES, QUEUES, SETTINGS, gpu_pod
from tests.policies.in_cel.evaluator import Fixer
from tests.policies.in_cel.stored import TODAY, defaulted, without_empty
from tests.policies.in_cel.varied_pods import varied_pods

PODS = 75
"""For each cluster."""
FIXING = {rule.name for rule in RULES if rule.in_cel.fixes is not nothing}
BY_MPS = replace(
    SETTINGS.pools[3], resources=(replace(SETTINGS.pools[3].resources[0], sharing=SharingKind.MPS),)
)
RESTRICTED = EnforcedSecurity(PodSecurity.RESTRICTED, 37)
SPECIAL = replace(
    SETTINGS,
    pools=(*SETTINGS.pools[:3], BY_MPS),
    unequal_gpus=UnequalGpus.USE_LIMITS,
    runtime_class="nvidia",
    queue_scheduler=QUEUES,
    pod_security_user=1000,
    modes={RuleName.TOLERATIONS: Mode.WARN},
    namespaces={
        **{
            name: replace(each, pod_security=RESTRICTED)
            for name, each in SETTINGS.namespaces.items()
        },
        "plain": replace(SETTINGS.namespaces["plain"], modes={RuleName.TOLERATIONS: Mode.ENFORCE}),
    },
)
"""What no example cluster has."""
LABELLED = replace(SPECIAL, queue_scheduler=LABELLED_QUEUES)
"""Queues that pods name in a label."""


@pytest.fixture(scope="module", params=[*example_clusters(), "special", "labelled"])
def settings(request: pytest.FixtureRequest) -> Settings:
    if special := {"special": SPECIAL, "labelled": LABELLED}.get(request.param):
        return special
    return cluster_engine(CLUSTERS, request.param).settings


def _pods(settings: Settings) -> Iterator[tuple[str, Document]]:
    for namespace, pod in varied_pods(settings, seed=8, count=PODS):
        sent = defaulted(pod)
        if sent is not None and _has_whole_gpus(sent) and namespace != "kube-system":
            yield namespace, sent


def _has_whole_gpus(pod: Document) -> bool:
    """Tell whether the pod can be valid: nothing is fixed of one whose GPUs cannot be added."""
    return all(
        isinstance(count := read_quantity(amount), int) and count >= 0
        for field in ("initContainers", "containers")
        for container in pod["spec"].get(field, ())
        for amounts in container.get("resources", {}).values()
        if isinstance(amounts, dict)
        for name, amount in amounts.items()
        if "/" in name
    )


def test_every_rule_that_fixes_does_so_in_cel() -> None:
    assert {rule.name for rule in RULES if rule.severity is rule.severity.FIX} == FIXING


def test_the_pod_is_the_one_that_the_rules_make_and_needs_nothing_more(settings: Settings) -> None:
    engine, fixer = Engine(settings), Fixer(settings)
    fixed: Counter[str] = Counter()
    for namespace, pod in _pods(settings):
        admission = engine.admit(copied(pod), Review(namespace, TODAY))
        made = fixer.fix(pod, namespace)
        assert made == without_empty(admission.document), pod
        assert fixer.fix(made, namespace) == made
        fixed.update(o.finding.rule for o in admission.outcomes if o.effect is Effect.FIXED)
    able = {one.name for one in RULES if one.applies(settings) and one.in_cel.fixes(settings)}
    assert set(fixed) == able


def test_of_an_update_it_fixes_what_the_rules_do(settings: Settings) -> None:
    engine, fixer = Engine(settings), Fixer(settings)
    for namespace, pod in _pods(settings):
        review = Review(namespace, TODAY, operation=UPDATE, old=pod)
        made = fixer.fix(pod, namespace, UPDATE)
        assert made == without_empty(engine.admit(copied(pod), review).document), pod


@pytest.mark.parametrize(
    "debugger",
    [
        {},
        {"envFrom": [{"configMapRef": {"name": "mine"}}]},
        {"env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]},
    ],
    ids=["no variable", "variables from elsewhere", "closed"],
)
def test_of_ephemeral_containers_it_fixes_those_that_are_added(debugger: Document) -> None:
    old = gpu_pod(ephemeralContainers=[{"name": "other", "image": "cuda:11"}])
    pod = copied(old)
    pod["spec"]["ephemeralContainers"].append({"name": "debug", "image": "cuda:12", **debugger})
    review = Review("plain", TODAY, UPDATE, subresource="ephemeralcontainers", old=old)
    fixed = Engine(SETTINGS).admit(copied(pod), review).document
    assert Fixer(SETTINGS).fix(pod, "plain", UPDATE, old) == fixed
    assert Fixer(SETTINGS).fix(fixed, "plain", UPDATE, old) == fixed


@pytest.mark.parametrize(
    ("time", "rules"),
    [
        ("2026-11-21T23:59:59Z", "tolerations,shared-memory"),
        ("2026-11-22T00:00:00Z", "tolerations,priority-class,shared-memory"),
        (None, "tolerations,priority-class,shared-memory"),
    ],
)
def test_an_exception_holds_until_the_day_on_which_the_pod_is_written(
    time: str | None, rules: str
) -> None:
    until = RuleException(
        RuleName.PRIORITY_CLASS, "training", "moves", "a@b.c", dt.date(2026, 11, 21)
    )
    only = dict.fromkeys(RuleName, Mode.OFF) | dict.fromkeys(
        (RuleName.TOLERATIONS, RuleName.PRIORITY_CLASS, RuleName.SHARED_MEMORY), Mode.ENFORCE
    )
    fixer = Fixer(replace(SETTINGS, exceptions=(until,), modes=only))
    limits = {"nvidia.com/gpu": "1"}
    pod: Document = {
        "metadata": {"managedFields": [{"time": time}] if time else []},
        "spec": {"containers": [{"name": "train", "resources": {"limits": limits}}]},
    }
    assert fixer.fix(pod, "training")["metadata"]["annotations"] == {FIXED: rules}


def test_where_no_rule_is_enforced_there_is_nothing_to_fix() -> None:
    assert fix_stages(replace(SETTINGS, mode=Mode.AUDIT)) == ()


def test_a_rule_that_is_enforced_nowhere_costs_nothing() -> None:
    settings = replace(SETTINGS, modes={RuleName.NODE_AFFINITY: Mode.WARN})
    assert len(fix_stages(settings)) == len(fix_stages(SETTINGS)) - 1
