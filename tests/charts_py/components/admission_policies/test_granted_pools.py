"""What the API server refuses by itself, by a real evaluator of CEL, beside what the rule says."""

import copy
import datetime as dt
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings as examples, strategies as st
from msgspec.structs import replace

from charts_py.components.admission_policies.granted_pools import (
    Grant,
    granted_pools_policies,
    grants_of,
)
from charts_py.components.admission_policy import Policy
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import POOL
from policies.admission import Effect, Review
from policies.custom.expressions import evaluated_functions
from policies.engine import Engine
from policies.pod import Pod
from policies.reach import Offer
from policies.rule_name import Mode, RuleName
from policies.rules.granted_pools import RULE
from policies.settings import RuleException, Settings
from tests.charts_py.fixture_types import Load

Refusal: TypeAlias = Callable[..., str | None]

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

NAMESPACE = "recommendations"
"""It may use a100-mixed and h100-spot; others are h100, which offers nvidia.com/gpu, too, and
a10g-notebooks, whose nodes offer it until they share their GPUs."""
TODAY = dt.date(2026, 11, 21)
GPU = "nvidia.com/gpu"
MODEL = "NVIDIA-H100-80GB-HBM3"
REFUSED = (
    "GPU pods of this namespace run on a100-mixed, h100-spot only; require the node label "
    "gpuplane.io/pool with one of them in spec.nodeSelector or spec.affinity.nodeAffinity. The "
    "admission webhook gpuplane-webhook adds that where it answers."
)


@pytest.fixture(scope="module")
def settings(example: Load) -> Settings:
    return policy_settings(example("training"))


@pytest.fixture(scope="module")
def refusal(settings: Settings) -> Refusal:
    """Return what tells why a pod is refused; None where it is not."""
    probed = replace(settings, exempt_service_accounts=("recommendations/probe",))
    spec = _policy(probed).spec()
    conditions = [_compiled(each["expression"]) for each in spec["matchConditions"]]
    validations = [(_compiled(each["expression"]), each["message"]) for each in spec["validations"]]

    def judge(pod: dict[str, Any], *groups: str) -> str | None:
        request = {"namespace": NAMESPACE, "operation": "CREATE", "userInfo": {"groups": [*groups]}}
        data = {"object": pod, "request": request}

        def holds(expression: Any) -> bool:
            value = expression.eval(data=data).value()
            assert type(value) is bool, value
            return value

        if not all(holds(each) for each in conditions):
            return None
        failed = [message for expression, message in validations if not holds(expression)]
        return failed[0] if failed else None

    return judge


def _policy(settings: Settings) -> Policy:
    (policy,) = (
        each
        for each in granted_pools_policies(settings)
        if each.name == f"granted-pools.{NAMESPACE}.gpuplane.io"
    )
    return policy


def _compiled(expression: str) -> Any:
    environment = cel.NewEnv(
        variables={"object": cel.Type.DYN, "request": cel.Type.DYN},
        extensions=[optional.ExtOptional(), evaluated_functions()],
    )
    return environment.compile(expression)


def _pod(resource: str = GPU, amount: str = "1", **spec: Any) -> dict[str, Any]:
    containers = [{"name": "main", "resources": {"limits": {resource: amount}}}]
    return {"metadata": {}, "spec": {"containers": containers, **spec}}


def _affinity(*terms: Any) -> dict[str, Any]:
    required = {"nodeSelectorTerms": list(terms)}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def _term(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


OWN = _term(POOL, "In", "h100-spot")
NO_OTHERS = _term(POOL, "NotIn", "h100", "a10g-notebooks")
NO_POOL = _term(POOL, "DoesNotExist")
CLAIMS = [{"name": "gpus", "resourceClaimName": "gpus"}]
NODE = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}


@pytest.mark.parametrize(
    "pod",
    [
        _pod(),
        _pod(nodeSelector={"topology.kubernetes.io/zone": "us-east-1a"}),
        _pod(nodeSelector={POOL: "h100"}),
        _pod(nodeSelector={"gpuplane.io/gpu-model": "h100"}),
        _pod(nodeSelector={"kubernetes.io/os": "linux"}),
        _pod(nodeSelector={POOL: "a10g-notebooks"}),
        _pod(affinity=_affinity(_term(POOL, "In", "h100-spot", "a10g-notebooks"))),
        _pod(affinity=_affinity(OWN, NO_OTHERS)),
        _pod(affinity=_affinity(OWN, NO_POOL)),
        _pod(resourceClaims=CLAIMS, affinity=_affinity(NO_OTHERS)),
        _pod("nvidia.com/mig-1g.10gb"),
        _pod("nvidia.com/mig-1g.10gb", resourceClaims=CLAIMS),
        _pod(affinity=_affinity(OWN, _term("topology.kubernetes.io/zone", "Exists"))),
        _pod(affinity=_affinity(OWN, NODE)),
        _pod(nodeSelector={"gpuplane.io/purchase": "spot"}),
        _pod(affinity=_affinity(_term("nvidia.com/gpu.product", "NotIn", MODEL))),
        _pod("cpu", resourceClaims=CLAIMS),
        _pod("cpu", resourceClaims=CLAIMS, nodeSelector={POOL: "a10g-notebooks"}),
        {"spec": {"containers": [], "initContainers": _pod()["spec"]["containers"]}},
    ],
)
def test_a_pod_that_can_land_on_a_pool_of_others_is_refused(
    refusal: Refusal, pod: dict[str, Any]
) -> None:
    assert refusal({"metadata": {}, **pod}) == REFUSED


def _naming(count: int) -> dict[str, Any]:
    """Return a term with so many expressions of the label of the pool."""
    return {"matchExpressions": OWN["matchExpressions"] * count}


@pytest.mark.parametrize(
    ("most", "more"), [([OWN] * 64, [OWN] * 65), ([_naming(68)], [_naming(69)])]
)
def test_more_terms_than_it_can_afford_to_read_are_refused(
    refusal: Refusal, most: Any, more: Any
) -> None:
    assert refusal(_pod(affinity=_affinity(*most))) is None
    assert refusal(_pod("cpu", affinity=_affinity(*more))) is None
    assert refusal(_pod(affinity=_affinity(*more))) == (
        "GPU pods of this namespace have at most 64 node selector terms, of at most 68 "
        "expressions, in spec.affinity.nodeAffinity."
    )


def test_more_expressions_than_it_can_afford_to_hold_against_every_pool_are_refused(
    refusal: Refusal,
) -> None:
    most = [_naming(4)] * 64
    more = [*most[1:], _naming(5)]
    assert refusal(_pod(affinity=_affinity(*most))) is None
    assert refusal(_pod("cpu", affinity=_affinity(*more))) is None
    assert refusal(_pod(affinity=_affinity(*more))) == (
        "GPU pods of this namespace have at most 256 expressions of the node label "
        "gpuplane.io/pool in spec.affinity.nodeAffinity; name several pools in one."
    )


def test_a_static_pod_passes_where_a_kubelet_shows_it(refusal: Refusal) -> None:
    static = _pod() | {"metadata": {"annotations": {"kubernetes.io/config.mirror": "a"}}}
    assert [refusal(static, group) for group in ("system:nodes", "ml-research")] == [None, REFUSED]


@pytest.mark.parametrize(
    "pod",
    [
        _pod(nodeSelector={POOL: "h100-spot"}),
        _pod(affinity=_affinity(OWN, OWN | NODE, {})),
        _pod("cpu", resourceClaims=CLAIMS, affinity=_affinity(NO_OTHERS, NO_POOL)),
        _pod("nvidia.com/mig-1g.10gb", nodeSelector={POOL: "a100-mixed"}),
        _pod("cpu"),
        _pod("cpu", resourceClaims=CLAIMS, nodeSelector={POOL: "h100-spot"}),
        _pod(amount="0"),
        _pod(serviceAccountName="probe"),
        _pod() | {"metadata": {"deletionTimestamp": "2026-11-21T10:00:00Z"}},
        _pod(nodeSelector={"kubernetes.io/os": "windows"}),
    ],
)
def test_a_pod_that_cannot_or_is_none_of_its_business_passes(
    refusal: Refusal, pod: dict[str, Any]
) -> None:
    assert refusal(pod) is None


VALUES = st.sampled_from(["h100", "h100-spot", "a100-mixed", "a10g-notebooks", "spot", MODEL])
OPERATORS = st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt"])


def _terms(labels: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    expressions = st.fixed_dictionaries(
        {"key": labels, "operator": OPERATORS, "values": st.lists(VALUES, max_size=3)}
    )
    stated = {
        "matchExpressions": st.lists(expressions, max_size=2),
        "matchFields": st.just(NODE["matchFields"]),
    }
    return st.fixed_dictionaries({}, optional=stated)


def _pods(*labels: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return pods that select nodes by these labels."""
    keys = st.sampled_from(labels)
    return st.builds(
        _pod,
        st.sampled_from([GPU, "nvidia.com/mig-1g.10gb", "nvidia.com/gpu.shared", "cpu"]),
        st.sampled_from(["0", "1", "8"]),
        nodeSelector=st.dictionaries(keys, VALUES, max_size=2),
        affinity=st.lists(_terms(keys), max_size=3).map(lambda terms: _affinity(*terms)),
        resourceClaims=st.sampled_from([[], CLAIMS]),
    )


@given(pod=_pods(POOL, "zone"))
@examples(max_examples=3 * examples().max_examples)
def test_it_refuses_exactly_what_the_label_of_the_pool_lets_land_on_those_of_others(
    refusal: Refusal, settings: Settings, pod: dict[str, Any]
) -> None:
    offer = Offer(settings.pools, settings.absent_labels)
    granted = settings.namespaces[NAMESPACE].pools or ()
    read = Pod(pod, offer.names.is_gpu)
    lands = any(pool.name not in granted for pool in offer.reach(read).landing)
    refused = refusal(pod) is not None
    assert refused is (lands and read.asks_for_gpu)


@given(pod=_pods(POOL, "gpuplane.io/purchase", "gpuplane.io/x", "nvidia.com/gpu.product"))
@examples(max_examples=3 * examples().max_examples)
def test_it_refuses_nothing_that_the_rule_lets_pass(
    refusal: Refusal, settings: Settings, pod: dict[str, Any]
) -> None:
    admission = Engine(settings, (RULE,)).admit(copy.deepcopy(pod), Review(NAMESPACE, TODAY))
    if not admission.with_effect(Effect.DENIED):
        assert refusal(admission.document) is None


def test_it_is_bound_to_the_namespaces_that_may_use_some_of_the_pools_of_a_vendor(
    settings: Settings,
) -> None:
    assert grants_of(settings) == (
        Grant(("a100-mixed", "h100-spot"), (NAMESPACE,)),
        Grant(("a10g-notebooks",), ("research-notebooks",)),
        Grant(("h100", "h100-spot"), ("research-training",)),
    )
    policy = _policy(settings)
    selector = {
        "matchExpressions": [
            {"key": "kubernetes.io/metadata.name", "operator": "In", "values": [NAMESPACE]}
        ]
    }
    assert policy.spec()["matchConstraints"]["namespaceSelector"] == selector
    assert policy.binding_spec() == {
        "policyName": "granted-pools.recommendations.gpuplane.io",
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": selector},
    }


def test_it_is_bound_to_none_where_others_have_gpus_of_other_vendors_only(
    settings: Settings,
) -> None:
    own = settings.namespaces[NAMESPACE]
    pools = tuple(
        pool if pool.name in (own.pools or ()) else replace(pool, vendor="amd")
        for pool in settings.pools
    )
    assert grants_of(replace(settings, pools=pools, namespaces={NAMESPACE: own})) == ()


def test_namespaces_with_the_same_pools_share_a_policy_that_has_the_name_of_the_first(
    settings: Settings,
) -> None:
    own = settings.namespaces[NAMESPACE]
    turned = replace(own, pools=("h100-spot", "a100-mixed"))
    namespaces = {"ads": turned, NAMESPACE: own, "search": replace(own, pools=("h100",))}
    changed = replace(settings, namespaces=namespaces)
    assert grants_of(changed) == (
        Grant(("a100-mixed", "h100-spot"), ("ads", NAMESPACE)),
        Grant(("h100",), ("search",)),
    )
    assert [each.name for each in granted_pools_policies(changed)] == [
        "granted-pools.ads.gpuplane.io",
        "granted-pools.search.gpuplane.io",
    ]


def test_it_has_no_variables_which_can_end_an_api_server(settings: Settings) -> None:
    assert [each.name for each in granted_pools_policies(settings) if each.variables] == []


def test_no_expression_grows_with_the_number_of_namespaces(settings: Settings) -> None:
    (pool,) = (each for each in settings.pools if each.name == "h100")
    names = [f"pool-{number:02}-of-a-long-name" for number in range(100)]
    pools = tuple(replace(pool, name=name, labels={POOL: name}) for name in names)
    own = settings.namespaces[NAMESPACE]
    namespaces = {
        f"namespace-{number}": replace(own, pools=tuple(names[number % 80 :][:15]))
        for number in range(400)
    }
    policies = list(granted_pools_policies(replace(settings, pools=pools, namespaces=namespaces)))
    longest = max(
        len(each["expression"])
        for policy in policies
        for each in (*policy.conditions, *policy.validations)
    )
    assert len(policies) == 80
    assert longest < 10_000


def test_it_is_about_no_namespace_where_the_rule_is_not_enforced(settings: Settings) -> None:
    rule = RuleName.GRANTED_POOLS
    exception = RuleException(rule, NAMESPACE, "a migration", "a@example.com", TODAY)
    own = settings.namespaces[NAMESPACE]
    alone = replace(settings, namespaces={NAMESPACE: own})
    assert grants_of(alone)
    for changed in (
        replace(alone, mode=Mode.WARN),
        replace(alone, modes={rule: Mode.OFF}),
        replace(alone, exceptions=(exception,)),
        replace(alone, namespaces={NAMESPACE: replace(own, modes={rule: Mode.AUDIT})}),
    ):
        assert grants_of(changed) == ()
