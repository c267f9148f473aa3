"""Which pods the API server shows to the admission webhook, by a real evaluator of CEL."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from charts_py.components.webhook_configuration.large_pods import (
    ASKING,
    MAX_IN_CONTAINER,
    MAX_IN_POD,
    MAX_IN_TERM,
)
from charts_py.components.webhook_configuration.match_conditions import (
    gpu_pod_conditions,
    match_conditions,
)
from charts_py.components.webhook_configuration.pod_fields import (
    CONTAINERS,
    EXPRESSIONS,
    LIMITS,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    TOLERATIONS,
    VARIABLES,
    VOLUMES,
)
from charts_py.platform.policy_settings import policy_settings
from gpus.catalog import load_catalog
from policies.admission import CREATE, Review
from policies.device_variable import NAMES
from policies.engine import Engine

if TYPE_CHECKING:
    from charts_py.components.webhook_configuration.match_conditions import MatchCondition
    from charts_py.platform.platform import Platform
    from policies.settings import Settings

    Shown: TypeAlias = Callable[..., bool]

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

MAX_CONDITIONS = 64
"""https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/"""


def _shown(stated: list[MatchCondition]) -> Shown:
    """Return what tells whether a pod meets all conditions; an error in one is an error here."""
    variables = {"object": cel.Type.DYN, "request": cel.Type.DYN}
    environment = cel.NewEnv(variables=variables, extensions=[optional.ExtOptional()])
    conditions = [environment.compile(each["expression"]) for each in stated]

    def is_shown(pod: dict[str, Any], **request: Any) -> bool:
        data = {"object": pod, "request": {"operation": "CREATE", "userInfo": {}, **request}}
        values = [condition.eval(data=data).value() for condition in conditions]
        assert all(type(value) is bool for value in values), values
        return all(values)

    return is_shown


@pytest.fixture(scope="module")
def settings(example: Callable[[str], Platform]) -> Settings:
    return policy_settings(example("onprem"))


@pytest.fixture(scope="module")
def is_shown(settings: Settings) -> Shown:
    return _shown(match_conditions(settings))


@pytest.fixture(scope="module")
def is_shown_to_be_fixed(settings: Settings) -> Shown:
    return _shown(gpu_pod_conditions(settings))


@pytest.fixture(scope="module")
def engine(settings: Settings) -> Engine:
    return Engine(settings)


def _pod(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "app", "resources": {}, **(container or {})}]
    return {"metadata": {}, "spec": {"containers": containers, **spec}}


def _resources(**resources: Any) -> dict[str, Any]:
    return _pod({"resources": resources})


def _affinity(key: str) -> dict[str, Any]:
    return _terms_of([{"matchExpressions": [{"key": key, "operator": "Exists"}]}])


def _terms_of(terms: list[dict[str, Any]]) -> dict[str, Any]:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return _pod(affinity={"nodeAffinity": required})


UNCONCERNED = {
    "nothing": _pod(),
    "no spec at all": {"metadata": {}, "spec": {}},
    "cpu": _resources(limits={"cpu": "1", "memory": "1Gi"}, requests={"cpu": "1"}),
    "another extended resource": _resources(limits={"vpc.amazonaws.com/efa": 1}),
    "what every pod tolerates": _pod(
        tolerations=[
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
        ]
    ),
    "a zone": _pod(nodeSelector={"topology.kubernetes.io/zone": "a"}),
    "an affinity to a zone": _affinity("topology.kubernetes.io/zone"),
    "an architecture": _pod(nodeSelector={"kubernetes.io/arch": "amd64"}),
    "an affinity to an architecture": _affinity("kubernetes.io/arch"),
    "an empty affinity": _pod(affinity={"nodeAffinity": {}}),
    "other variables": _pod({"env": [{"name": "A", "value": "1"}]}),
    "another runtime class": _pod(runtimeClassName="gvisor"),
    "other volumes": _pod(volumes=[{"name": "a", "emptyDir": {}}]),
}
ASKING_FOR_GPUS = {
    "a limit": _resources(limits={"nvidia.com/gpu": 1}),
    "a request": _resources(requests={"nvidia.com/gpu": "1"}),
    "a device class": _resources(limits={"deviceclass.resource.kubernetes.io/gpu.nvidia.com": 1}),
    "a resource that is not offered": _resources(limits={"nvidia.com/mig-1g.5gb": 1}),
    "an init container": _pod(
        initContainers=[{"name": "i", "resources": {"limits": {"amd.com/gpu": 1}}}]
    ),
    "a claim": _pod(resourceClaims=[{"name": "gpu"}]),
    "a claim of a container": _resources(claims=[{"name": "gpu"}]),
}
ASKING_FOR_NONE = {
    "an ephemeral container": _pod(
        ephemeralContainers=[{"name": "e", "env": [{"name": "NVIDIA_VISIBLE_DEVICES"}]}]
    ),
    "a variable": _pod({"env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable of AMD": _pod({"env": [{"name": "AMD_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable of Gaudi": _pod({"env": [{"name": "HABANA_VISIBLE_DEVICES", "value": "all"}]}),
    "a variable that begins as Gaudi's": _pod({"env": [{"name": "HABANA_VISIBLE_DEVICES_X"}]}),
    "a path of the node": _pod(volumes=[{"name": "a", "hostPath": {"path": "/dev/nvidia0"}}]),
    "a runtime class of GPUs": _pod(runtimeClassName="nvidia-cdi"),
    "a toleration": _pod(tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}]),
    "a toleration of everything": _pod(tolerations=[{"operator": "Exists"}]),
    "a pool": _pod(nodeSelector={"gpuplane.io/pool": "h200"}),
    "an affinity to a model": _affinity("gpuplane.io/gpu-model"),
    "its node": _pod(nodeName="gpu-0"),
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
    assert not is_shown(_pod(nodeName="gpu-0"), operation="UPDATE")


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
    is_shown: Shown, operation: str, user: dict[str, Any], shown: bool
) -> None:
    pod = _resources(limits={"nvidia.com/gpu": 1})
    pod["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "a"}
    assert is_shown(pod, operation=operation, userInfo=user) is shown


@pytest.mark.parametrize("vendor", load_catalog().vendors)
def test_a_gpu_of_any_vendor_is_shown(is_shown: Shown, vendor: str) -> None:
    resource = load_catalog().vendors[vendor].resource
    assert is_shown(_resources(limits={resource: 1}))


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_the_conditions_of_an_example_can_be_evaluated(
    example: Callable[[str], Platform], name: str
) -> None:
    settings = policy_settings(example(name))
    for conditions in (match_conditions(settings), gpu_pod_conditions(settings)):
        shown = _shown(conditions)
        assert (shown(_pod()), shown(CONCERNED["a limit"])) == (False, True)
        names = [condition["name"] for condition in conditions]
        assert len(set(names)) == len(names) <= MAX_CONDITIONS


def _each(count: int) -> dict[str, Any]:
    return {f"a{number}": "1" for number in range(count)}


LARGE: dict[str, Callable[[int], dict[str, Any]]] = {
    CONTAINERS: lambda count: _pod(
        initContainers=[{"name": "i"}], ephemeralContainers=[{"name": "e"}] * (count - 2)
    ),
    VOLUMES: lambda count: _pod(volumes=[{"name": "a", "emptyDir": {}}] * count),
    TOLERATIONS: lambda count: _pod(tolerations=[{"key": "a"}] * count),
    NODE_SELECTOR: lambda count: _pod(nodeSelector=_each(count)),
    NODE_TERMS: lambda count: _terms_of([{}] * count),
    LIMITS: lambda count: _resources(limits=_each(count)),
    REQUESTS: lambda count: _resources(requests=_each(count)),
    VARIABLES: lambda count: _pod({"env": [{"name": "A"}] * count}),
    EXPRESSIONS: lambda count: _terms_of([{}, {"matchExpressions": [{"key": "a"}] * count}]),
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
                "affinity": TERMS.map(
                    lambda terms: {
                        "nodeAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": {
                                "nodeSelectorTerms": terms
                            }
                        }
                    }
                ),
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
@examples(max_examples=300, deadline=None)
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
@examples(max_examples=300, deadline=None)
def test_no_rule_fixes_a_pod_that_is_not_shown_to_be_fixed(
    is_shown_to_be_fixed: Shown, engine: Engine, pod: dict[str, Any], namespace: str
) -> None:
    if is_shown_to_be_fixed(pod):
        return
    review = Review(namespace, dt.date(2026, 11, 21), operation=CREATE)
    assert engine.admit(copy.deepcopy(pod), review).operations == ()
