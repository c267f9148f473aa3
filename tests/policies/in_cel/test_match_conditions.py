"""Which pods the API server shows to the admission webhook, by a real evaluator of CEL."""

import copy
import datetime as dt
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings as examples, strategies as st

from benchmarks.corpus import CLUSTERS, example_clusters
from gpuplane.admission.loaded_rules import cluster_engine
from gpus.catalog import load_catalog
from policies.admission import CREATE, Review
from policies.cel.pod import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    IS_NO_STATIC_POD,
    LIMITS,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    TOLERATIONS,
    VOLUMES,
)
from policies.custom.expressions import Expressions
from policies.engine import Engine
from policies.gpu_names import NAMES
from policies.in_cel.match_conditions import (
    ASKING,
    MAX_IN_CONTAINER,
    MAX_IN_POD,
    MAX_IN_TERM,
    MatchCondition,
    gpu_pod_conditions,
    match_conditions,
)
from policies.settings import Settings
from tests.policies.conftest import affinity

Shown: TypeAlias = Callable[..., bool]


def shown_by(conditions: Iterable[MatchCondition]) -> Shown:
    """Return what tells whether a pod meets all conditions; an error in one is an error here."""
    expressions = Expressions(("object", "request"))
    compiled = [expressions.compile(each["expression"]) for each in conditions]

    def is_shown(pod: dict[str, Any], **request: Any) -> bool:
        asked = {"operation": "CREATE", "userInfo": {}, **request}
        data = {"object": pod, "request": asked}
        values = [expressions.value(each, data) for each in compiled]
        assert all(type(value) is bool for value in values), values
        return all(values)

    return is_shown


def pod_of(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "app", "resources": {}, **(container or {})}]
    return {"metadata": {}, "spec": {"containers": containers, **spec}}


def pod_asking(**resources: Any) -> dict[str, Any]:
    """Return a pod whose container has these limits, requests or claims."""
    return pod_of({"resources": resources})


def pod_requiring(terms: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a pod whose node must meet one of the terms."""
    return pod_of(affinity=affinity(*terms))


@pytest.fixture(scope="session")
def onprem() -> Settings:
    return cluster_engine(CLUSTERS, "onprem").settings


@pytest.fixture(scope="session")
def is_shown(onprem: Settings) -> Shown:
    return shown_by(match_conditions(onprem))


@pytest.fixture(scope="session")
def is_shown_to_be_fixed(onprem: Settings) -> Shown:
    return shown_by(gpu_pod_conditions(onprem))


MAX_CONDITIONS = 64
"""https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/"""


@pytest.fixture(scope="module")
def engine(onprem: Settings) -> Engine:
    return Engine(onprem)


def _affinity(key: str) -> dict[str, Any]:
    return pod_requiring([{"matchExpressions": [{"key": key, "operator": "Exists"}]}])


UNCONCERNED = {
    "nothing": pod_of(),
    "no spec at all": {"metadata": {}, "spec": {}},
    "cpu": pod_asking(limits={"cpu": "1", "memory": "1Gi"}, requests={"cpu": "1"}),
    "another extended resource": pod_asking(limits={"vpc.amazonaws.com/efa": 1}),
    "what every pod tolerates": pod_of(
        tolerations=[
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
        ]
    ),
    "a zone": pod_of(nodeSelector={"topology.kubernetes.io/zone": "a"}),
    "an affinity to a zone": _affinity("topology.kubernetes.io/zone"),
    "an architecture": pod_of(nodeSelector={"kubernetes.io/arch": "amd64"}),
    "an affinity to an architecture": _affinity("kubernetes.io/arch"),
    "an empty affinity": pod_of(affinity={"nodeAffinity": {}}),
    "other variables": pod_of({"env": [{"name": "A", "value": "1"}]}),
    "another runtime class": pod_of(runtimeClassName="gvisor"),
    "other volumes": pod_of(volumes=[{"name": "a", "emptyDir": {}}]),
}
ASKING_FOR_GPUS = {
    "a limit": pod_asking(limits={"nvidia.com/gpu": 1}),
    "a request": pod_asking(requests={"nvidia.com/gpu": "1"}),
    "a device class": pod_asking(limits={"deviceclass.resource.kubernetes.io/gpu.nvidia.com": 1}),
    "a resource that names no GPU": pod_asking(limits={"nvidia.com/gup": 1}),
    "a resource that is not offered": pod_asking(limits={"nvidia.com/mig-1g.5gb": 1}),
    "an init container": pod_of(
        initContainers=[{"name": "i", "resources": {"limits": {"amd.com/gpu": 1}}}]
    ),
    "a claim": pod_of(resourceClaims=[{"name": "gpu"}]),
    "a claim of a container": pod_asking(claims=[{"name": "gpu"}]),
}
ASKING_FOR_NONE = {
    "an ephemeral container": pod_of(
        ephemeralContainers=[{"name": "e", "env": [{"name": "NVIDIA_VISIBLE_DEVICES"}]}]
    ),
    "a variable": pod_of({"env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable of AMD": pod_of({"env": [{"name": "AMD_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable of Gaudi": pod_of({"env": [{"name": "HABANA_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable that begins as Gaudi's": pod_of({"env": [{"name": "HABANA_VISIBLE_DEVICES_X"}]}),
    "a path of the node": pod_of(volumes=[{"name": "a", "hostPath": {"path": "/dev/nvidia0"}}]),
    "a runtime class of GPUs": pod_of(runtimeClassName="nvidia-cdi"),
    "a toleration": pod_of(tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}]),
    "a toleration of everything": pod_of(tolerations=[{"operator": "Exists"}]),
    "a pool": pod_of(nodeSelector={"gpuplane.io/pool": "h200"}),
    "an affinity to a model": _affinity("gpuplane.io/gpu-model"),
    "its node": pod_of(nodeName="gpu-0"),
}
CONCERNED = ASKING_FOR_GPUS | ASKING_FOR_NONE


@pytest.mark.parametrize("pod", UNCONCERNED.values(), ids=UNCONCERNED)
def test_a_pod_that_concerns_no_rule_is_kept_away(is_shown: Shown, pod: dict[str, Any]) -> None:
    assert not is_shown(pod)


@pytest.mark.parametrize("pod", CONCERNED.values(), ids=CONCERNED)
def test_a_pod_that_concerns_a_rule_is_shown(is_shown: Shown, pod: dict[str, Any]) -> None:
    assert is_shown(pod)


@pytest.mark.parametrize("pod", ASKING_FOR_GPUS.values(), ids=ASKING_FOR_GPUS)
def test_a_pod_that_asks_for_gpus_is_shown_to_be_fixed(
    is_shown_to_be_fixed: Shown, pod: dict[str, Any]
) -> None:
    assert is_shown_to_be_fixed(pod)


@pytest.mark.parametrize(
    "pod", [*UNCONCERNED.values(), *ASKING_FOR_NONE.values()], ids=[*UNCONCERNED, *ASKING_FOR_NONE]
)
def test_a_pod_that_asks_for_none_is_not_shown_to_be_fixed(
    is_shown_to_be_fixed: Shown, pod: dict[str, Any]
) -> None:
    assert not is_shown_to_be_fixed(pod)


def test_a_pod_that_has_its_node_is_not_shown_for_it(is_shown: Shown) -> None:
    assert not is_shown(pod_of(nodeName="gpu-0"), operation="UPDATE")


@pytest.mark.parametrize("vendor", load_catalog().vendors)
def test_a_gpu_of_any_vendor_is_shown(is_shown: Shown, vendor: str) -> None:
    resource = load_catalog().vendors[vendor].resource
    assert is_shown(pod_asking(limits={resource: 1}))


@pytest.mark.parametrize("name", example_clusters())
def test_the_conditions_of_an_example_can_be_evaluated(name: str) -> None:
    settings = cluster_engine(CLUSTERS, name).settings
    for conditions in (match_conditions(settings), gpu_pod_conditions(settings)):
        shown = shown_by(conditions)
        assert (shown(pod_of()), shown(CONCERNED["a limit"])) == (False, True)
        names = [condition["name"] for condition in conditions]
        assert len(set(names)) == len(names) <= MAX_CONDITIONS


AMOUNTS = st.dictionaries(
    st.sampled_from(["cpu", "nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-1g.18gb.shared"]),
    st.sampled_from(["0", "1", "0.5", 2]),
    max_size=2,
)
CONTAINER = st.fixed_dictionaries(
    {"name": st.just("c"), "image": st.sampled_from(["a", "registry.example.com/a:1"])},
    optional={
        "resources": st.fixed_dictionaries({}, optional={"limits": AMOUNTS, "requests": AMOUNTS}),
        "env": st.lists(
            st.fixed_dictionaries(
                {"name": st.sampled_from(["A", "LD_PRELOAD", *NAMES])},
                optional={"value": st.sampled_from(["all", "void", "none"])},
            ),
            max_size=2,
        ),
        "securityContext": st.just({"privileged": True}),
        "volumeMounts": st.just([{"name": "v", "mountPath": "/dev"}]),
    },
)
TOLERATION = st.fixed_dictionaries(
    {},
    optional={
        "key": st.sampled_from(["nvidia.com/gpu", "amd.com/gpu", "a", ""]),
        "operator": st.sampled_from(["Exists", "Equal"]),
        "value": st.just("present"),
        "effect": st.just("NoSchedule"),
    },
)
LABELS = st.dictionaries(
    st.sampled_from(["gpuplane.io/pool", "gpuplane.io/gpu-model", "zone"]),
    st.sampled_from(["h200", "l40s", "a"]),
    max_size=2,
)
EXPRESSION = st.fixed_dictionaries(
    {
        "key": st.sampled_from(["gpuplane.io/pool", "nvidia.com/gpu.product", "zone"]),
        "operator": st.sampled_from(["In", "Exists"]),
        "values": st.just(["h200"]),
    }
)
TERMS = st.lists(
    st.fixed_dictionaries({}, optional={"matchExpressions": st.lists(EXPRESSION, max_size=2)}),
    max_size=2,
)
POD = st.fixed_dictionaries(
    {
        "metadata": st.just({"name": "pod"}),
        "spec": st.fixed_dictionaries(
            {"containers": st.lists(CONTAINER, min_size=1, max_size=2)},
            optional={
                "initContainers": st.lists(CONTAINER, max_size=1),
                "ephemeralContainers": st.lists(CONTAINER, max_size=1),
                "resourceClaims": st.just([{"name": "gpu"}]),
                "tolerations": st.lists(TOLERATION, max_size=2),
                "nodeSelector": LABELS,
                "affinity": TERMS.map(lambda terms: affinity(*terms)),
                "hostIPC": st.just(True),
                "runtimeClassName": st.sampled_from(["nvidia", "nvidia-legacy", "gvisor"]),
                "nodeName": st.just("gpu-0"),
                "volumes": st.sampled_from(
                    [
                        [{"name": "v", "hostPath": {"path": "/dev/nvidia0"}}],
                        [{"name": "v", "emptyDir": {"medium": "Memory"}}],
                    ]
                ),
            },
        ),
    }
)


@given(pod=POD, namespace=st.sampled_from(["simulation", "robotics", "default"]))
@examples(max_examples=3 * examples().max_examples)
def test_no_rule_has_anything_to_say_of_a_pod_that_is_kept_away(
    is_shown: Shown, engine: Engine, pod: dict[str, Any], namespace: str
) -> None:
    if is_shown(pod):
        return
    for fixes in (True, False):
        review = Review(namespace, dt.date(2026, 11, 21), operation=CREATE, fixes=fixes)
        admission = engine.admit(copy.deepcopy(pod), review)
        assert (admission.operations, admission.outcomes) == ((), ())


@given(pod=POD, namespace=st.sampled_from(["simulation", "robotics", "default"]))
@examples(max_examples=3 * examples().max_examples)
def test_no_rule_fixes_a_pod_that_is_not_shown_to_be_fixed(
    is_shown_to_be_fixed: Shown, engine: Engine, pod: dict[str, Any], namespace: str
) -> None:
    if is_shown_to_be_fixed(pod):
        return
    review = Review(namespace, dt.date(2026, 11, 21), operation=CREATE)
    assert engine.admit(copy.deepcopy(pod), review).operations == ()


def _each(count: int) -> dict[str, Any]:
    return {f"a{number}": "1" for number in range(count)}


LARGE: dict[str, Callable[[int], dict[str, Any]]] = {
    CONTAINERS: lambda count: pod_of(
        initContainers=[{"name": "i"}], ephemeralContainers=[{"name": "e"}] * (count - 2)
    ),
    VOLUMES: lambda count: pod_of(volumes=[{"name": "a", "emptyDir": {}}] * count),
    TOLERATIONS: lambda count: pod_of(tolerations=[{"key": "a"}] * count),
    NODE_SELECTOR: lambda count: pod_of(nodeSelector=_each(count)),
    NODE_TERMS: lambda count: pod_requiring([{}] * count),
    LIMITS: lambda count: pod_asking(limits=_each(count)),
    REQUESTS: lambda count: pod_asking(requests=_each(count)),
    ENVIRONMENT: lambda count: pod_of({"env": [{"name": "A"}] * count}),
    EXPRESSIONS: lambda count: pod_requiring([{}, {"matchExpressions": [{"key": "a"}] * count}]),
}
"""Pods that concern no rule, by what they have that many of."""
BOUNDS = {**MAX_IN_POD, **MAX_IN_CONTAINER, **MAX_IN_TERM}


@pytest.mark.parametrize("field", BOUNDS)
def test_a_pod_is_shown_where_it_is_too_large_to_be_read(is_shown: Shown, field: str) -> None:
    make, most = LARGE[field], BOUNDS[field]
    assert [is_shown(make(count)) for count in (most, most + 1)] == [False, True]


@pytest.mark.parametrize("field", BOUNDS)
def test_a_pod_is_shown_to_be_fixed_where_it_is_too_large_to_ask(
    is_shown_to_be_fixed: Shown, field: str
) -> None:
    make, most = LARGE[field], BOUNDS[field]
    shown = [is_shown_to_be_fixed(make(count)) for count in (most, most + 1)]
    assert shown == [False, field in ASKING]


KUBELET = {"groups": ["system:nodes", "system:authenticated"]}
SOMEBODY = {"groups": ["ml-research", "system:authenticated"]}


@pytest.mark.parametrize(
    ("operation", "user", "shown"),
    [
        ("CREATE", KUBELET, False),
        ("CREATE", SOMEBODY, True),
        ("CREATE", {}, True),
        ("UPDATE", SOMEBODY, False),
    ],
)
def test_a_static_pod_is_kept_away_where_a_kubelet_shows_it(
    operation: str, user: dict[str, Any], shown: bool
) -> None:
    pod = pod_of()
    pod["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "a"}
    is_shown = shown_by([IS_NO_STATIC_POD])
    assert is_shown(pod, operation=operation, userInfo=user) is shown
