from itertools import combinations

import pytest

from policies.operation import Operation, apply
from policies.pod import Pod
from policies.reach import Offer
from policies.rule import Context
from policies.settings import Settings
from tests.policies.conftest import affinity, gpu_pod

MODEL, POOL = "gpuplane.io/gpu-model", "gpuplane.io/pool"
POOLS = ("h100", "a100-spot", "a100-mig", "t4")


@pytest.fixture
def context(settings: Settings) -> Context:
    return Context(
        settings,
        Offer(settings.pools, settings.absent_labels),
        "plain",
        settings.namespaces["plain"],
    )


def _pod(context: Context) -> Pod:
    """Return a pod with more terms than are cached, so that each search finds another reach."""
    expression = {"key": MODEL, "operator": "In", "values": ["h100", "a100"]}
    chosen = [list(names) for size in range(1, 5) for names in combinations(POOLS, size)]
    pools = [{"key": POOL, "operator": "In", "values": names} for names in chosen]
    terms = [{"matchExpressions": [expression, pool]} for pool in pools]
    return Pod(gpu_pod(affinity=affinity(*terms)), context.offer.names.is_gpu)


def _names(context: Context, pod: Pod) -> list[str]:
    return [pool.name for pool in context.reach(pod).pools]


def test_the_reach_of_a_pod_is_found_once(context: Context) -> None:
    pod = _pod(context)
    assert context.offer.reach(pod) is not context.offer.reach(pod)
    assert context.reach(pod) is context.reach(pod)


def test_the_reach_of_a_changed_pod_is_found_again(context: Context) -> None:
    pod = _pod(context)
    assert _names(context, pod) == ["h100", "a100-spot"]
    operation = Operation("add", "/spec/nodeSelector", {MODEL: "a100"})
    apply(pod.document, [operation])
    pod.changed([operation])
    assert _names(context, pod) == ["a100-spot"]


def test_the_reach_stays_where_no_pool_depends_on_the_change(context: Context) -> None:
    pod = _pod(context)
    found = context.reach(pod)
    pod.changed(
        [Operation("add", "/spec/tolerations/-", {}), Operation("add", "/spec/volumes", [])]
    )
    assert context.reach(pod) is found


def test_the_reach_is_that_of_the_pod_that_is_asked_about(context: Context) -> None:
    pod, other = _pod(context), Pod({}, context.offer.names.is_gpu)
    assert [_names(context, each) for each in (pod, other, pod)] == [
        ["h100", "a100-spot"],
        [],
        ["h100", "a100-spot"],
    ]


def test_a_context_for_another_pod_knows_nothing_of_this_one(context: Context) -> None:
    pod = _pod(context)
    assert context.reach(pod) is not context.for_another_pod().reach(pod)
