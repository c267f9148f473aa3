from typing import Any

import pytest
from hypothesis import given, settings as examples, strategies as st
from msgspec.structs import replace

from gpus.sharing import SharingKind
from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.operation import apply
from policies.rule_name import RuleName
from policies.rules.granted_pools import RULE
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings
from tests.policies.conftest import TODAY, admit, affinity, found, gpu_pod, message

OWN = "granted"
"""A namespace that may use a100-spot and t4; nvidia.com/gpu is offered by h100, too."""
POOL = "gpuplane.io/pool"
ARCH = "kubernetes.io/arch"
MIG = "nvidia.com/mig-1g.10gb"


def _in(*pools: str) -> Document:
    return {"key": POOL, "operator": "In", "values": list(pools)}


def _term(*expressions: Document) -> Document:
    return {"matchExpressions": list(expressions)}


def _fixed(pod: Document) -> Document:
    (finding,) = found(RULE, pod, OWN)
    apply(pod, finding.fix)
    assert found(RULE, pod, OWN) == []
    affinity: Document = pod["spec"]["affinity"]
    return affinity


def test_a_pool_of_the_namespace_that_offers_it_is_required() -> None:
    assert message(found(RULE, gpu_pod(), OWN)) == (
        "/spec/affinity The pod may run on other pools than a100-spot, those of namespace "
        "granted that can hold it. Require the node label gpuplane.io/pool in "
        "spec.affinity.nodeAffinity."
    )
    assert _fixed(gpu_pod()) == affinity(_term(_in("a100-spot")))


def test_it_is_required_in_each_term_that_selects_other_pools() -> None:
    zone = {"key": "zone", "operator": "Exists"}
    spot = {"key": "gpuplane.io/purchase", "operator": "In", "values": ["spot"]}
    node = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}
    required = _in("a100-spot")
    dead: list[Any] = [{}, _term(), {"matchFields": []}]
    pod = gpu_pod(affinity=affinity(_term(zone), _term(required), _term(spot), *dead, node))
    assert _fixed(pod) == affinity(
        _term(zone, required), _term(required), _term(spot, required), *dead, node | _term(required)
    )


@pytest.mark.parametrize(
    "spec",
    [
        {"nodeSelector": {POOL: "a100-spot"}},
        {"nodeSelector": {POOL: "a100-spot", "zone": "a"}},
        {"affinity": affinity(_term(_in("a100-spot")), _term(_in("a100-spot", "elsewhere")))},
    ],
)
def test_a_pod_that_is_kept_to_them_is_left_alone(spec: Any) -> None:
    assert found(RULE, gpu_pod(**spec), OWN) == []


AFFINITY = (
    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
)
SELECTED = "/spec/nodeSelector/gpuplane.io~1pool"


@pytest.mark.parametrize(
    ("selector", "terms", "path", "pool"),
    [
        ({POOL: "h100"}, [], SELECTED, "h100"),
        ({POOL: "t4"}, [], SELECTED, "t4"),
        ({POOL: "elsewhere"}, [], SELECTED, "elsewhere"),
        ({}, [_term(_in("h100")), {}], f"{AFFINITY}/0/matchExpressions/0", "h100"),
        (
            {"zone": "a"},
            [{}, _term(_in("h100", "t4"))],
            f"{AFFINITY}/1/matchExpressions/0",
            "h100 or t4",
        ),
        ({POOL: "h100"}, [_term(_in("a100-spot"))], SELECTED, "h100"),
    ],
)
def test_a_pod_that_selects_none_of_them_is_refused_for_what_excludes_them(
    selector: Any, terms: Any, path: str, pool: str
) -> None:
    pod = gpu_pod(nodeSelector=selector, affinity=affinity(*terms))
    field = "spec.nodeSelector" if path == SELECTED else "spec.affinity"
    assert message(found(RULE, pod, OWN)) == (
        f"{path} The pod selects nodes with gpuplane.io/pool {pool}, but there are none in "
        "a100-spot, where namespace granted can get nvidia.com/gpu. gpuplane.io/pool is a100-spot "
        "there. "
        f"Correct it in {field}, or leave it out."
    )


@pytest.mark.parametrize("limits", [{MIG: 1}, {MIG: 1, "nvidia.com/gpu": 1}])
def test_what_only_other_pools_offer_is_refused(limits: Document) -> None:
    pod = gpu_pod({"resources": {"limits": limits}})
    assert message(found(RULE, pod, OWN)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1mig-1g.10gb "
        "The pod asks for nvidia.com/mig-1g.10gb, which no pool of namespace "
        "granted offers. Ask for what they offer: nvidia.com/gpu, nvidia.com/gpu.shared."
    )


def test_what_none_of_them_offers_together_is_refused() -> None:
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpu.shared": 1}
    assert message(found(RULE, gpu_pod({"resources": {"limits": limits}}), OWN)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu "
        "The pod asks for nvidia.com/gpu and nvidia.com/gpu.shared, which no "
        "single pool of namespace granted offers together. Split the pod into one for each "
        "pool."
    )


def test_nothing_can_run_where_no_pool_is_granted(settings: Settings) -> None:
    none = {OWN: replace(settings.namespaces[OWN], pools=())}
    assert message(found(RULE, gpu_pod(), OWN, namespaces=none)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu "
        "The pod asks for nvidia.com/gpu, which no pool of namespace granted "
        "offers. Add a pool to the quota of the namespace in the cluster file."
    )


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": "x"}, {"nvidia.com/mig-7g.80gb": 1}])
def test_what_another_rule_refuses_is_left_to_it(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}}), OWN) == []


PLUGIN = "nvidia.com/dra-kubelet-plugin"
PAUSED = {"key": PLUGIN, "operator": "In", "values": ["paused-for-driver-upgrade"]}
ABSENT = {"key": PLUGIN, "operator": "DoesNotExist"}


@pytest.mark.parametrize("expression", [PAUSED, ABSENT])
def test_a_label_that_other_tools_change_excludes_no_pool(
    settings: Settings, expression: Document
) -> None:
    labelled = [replace(p, labels={**p.labels, PLUGIN: "true"}) for p in settings.pools]
    pod = gpu_pod(affinity=affinity(_term(_in("a100-spot")), _term(expression)))
    (finding,) = found(RULE, pod, OWN, pools=tuple(labelled))
    apply(pod, finding.fix)
    assert pod["spec"]["affinity"] == affinity(
        _term(_in("a100-spot")), _term(expression, _in("a100-spot"))
    )
    assert found(RULE, pod, OWN, pools=tuple(labelled)) == []


@pytest.mark.parametrize("operator", ["NotIn", "DoesNotExist", "Exists"])
def test_what_nodes_without_labels_meet_names_no_pool(operator: str) -> None:
    expression = {"key": POOL, "operator": operator, "values": ["h100", "a100-mig", "t4"]}
    terms = _term(_in("a100-spot")), _term(expression)
    assert _fixed(gpu_pod(affinity=affinity(*terms))) == affinity(
        _term(_in("a100-spot")), _term(expression, _in("a100-spot"))
    )


_KEYS = st.sampled_from([POOL, "gpuplane.io/purchase", "gpuplane.io/x", PLUGIN, ARCH, "zone"])
_VALUES = st.sampled_from(["h100", "a100-spot", "t4", "spot", "true", "paused", "arm64", "a"])
_EXPRESSIONS = st.fixed_dictionaries(
    {
        "key": _KEYS,
        "operator": st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist"]),
        "values": st.lists(_VALUES, min_size=1, max_size=2),
    }
)
_TERMS = st.lists(st.lists(_EXPRESSIONS, max_size=2), max_size=3)
_NODE_LABELS = st.dictionaries(st.sampled_from([PLUGIN, ARCH, "zone"]), _VALUES)


@given(
    terms=_TERMS,
    selector=st.dictionaries(_KEYS, _VALUES, max_size=1),
    others=_NODE_LABELS,
    claims=st.booleans(),
)
@examples(max_examples=3 * examples().max_examples)
def test_a_pod_that_passes_lands_on_no_pool_of_others_whatever_else_labels_its_nodes(
    settings: Settings, terms: Any, selector: Any, others: Document, claims: bool
) -> None:
    labelled = [replace(p, labels={**p.labels, PLUGIN: "true"}) for p in settings.pools]
    engine = Engine(replace(settings, pools=tuple(labelled)), (RULE,))
    resources = {} if claims else {"limits": {"nvidia.com/gpu": 1}}
    spec: Document = {"containers": [{"resources": resources}], "nodeSelector": selector}
    spec["resourceClaims"] = [{"name": "claim"}] if claims else []
    spec["affinity"] = affinity(*(_term(*expressions) for expressions in terms)) if terms else {}
    for fixes in (True, False):
        admission = engine.admit({"spec": spec}, Review(OWN, TODAY, fixes=fixes))
    if not admission.allowed:
        return
    for pool in labelled:
        if pool.name not in ("a100-spot", "t4"):
            own = {key: value for key, value in pool.labels.items() if key.startswith("gpuplane")}
            assert not _lands(spec, {**own, **others})
    assert claims or not _lands(spec, others)  # nor on their nodes before they have labels


def _lands(spec: Document, labels: Document) -> bool:
    """Whether the scheduler finds the node fit.

    Source: `Matches` in https://github.com/kubernetes/apimachinery/blob/master/pkg/labels/selector.go
    """
    if not spec["nodeSelector"].items() <= labels.items():
        return False
    node_affinity = spec["affinity"].get("nodeAffinity")
    if node_affinity is None:
        return True
    terms = node_affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    stated = [term["matchExpressions"] for term in terms if term["matchExpressions"]]
    return any(all(_matches(expression, labels) for expression in term) for term in stated)


def _matches(expression: Document, labels: Document) -> bool:
    value = labels.get(expression["key"])
    match expression["operator"]:
        case "In":
            return value is not None and value in expression["values"]
        case "NotIn":
            return value not in expression["values"]
        case "Exists":
            return value is not None
        case _:
            return value is None


@pytest.fixture
def pools(settings: Settings) -> tuple[PoolSettings, ...]:
    """The pools, of which t4 offers shares under the name of whole GPUs, as on GKE."""
    *others, t4 = settings.pools
    shares = OfferedResource("nvidia.com/gpu", 16, SharingKind.TIME_SLICING)
    return (*others, replace(t4, resources=(shares,)))


@pytest.mark.parametrize(
    ("amount", "able"), [(1, ["a100-spot", "t4"]), (2, ["a100-spot"]), (99, ["a100-spot", "t4"])]
)
def test_pools_that_cannot_hold_it_are_left_out_unless_none_can(
    pools: Any, amount: int, able: list[str]
) -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": amount}}})
    (finding,) = found(RULE, pod, OWN, pools=pools)
    apply(pod, finding.fix)
    assert pod["spec"]["affinity"] == affinity(_term(_in(*able)))


@pytest.mark.parametrize("granted", [("dra", "t4"), ("t4",), ()])
def test_a_pod_with_claims_alone_is_kept_off_all_pools_but_its_own_that_give_gpus_to_claims(
    settings: Settings, dra_pool: PoolSettings, granted: Any
) -> None:
    pools = (*settings.pools, dra_pool)
    own = NamespaceSettings(team="granted", purpose="batch", pools=granted)
    pod = gpu_pod({"resources": {}}, resourceClaims=[{"name": "gpu"}])
    others = [pool.name for pool in settings.pools] + ([] if "dra" in granted else ["dra"])
    excluded = {"key": POOL, "operator": "NotIn", "values": others}
    changes: Any = {"pools": pools, "namespaces": {OWN: own}}
    (finding,) = found(RULE, pod, OWN, **changes)
    assert message([finding]) == (
        "/spec/affinity The pod holds claims and asks for no GPU resource, and may run on "
        "pools where claims of namespace granted get no GPU. Exclude the node label "
        "gpuplane.io/pool of these in spec.affinity.nodeAffinity."
    )
    apply(pod, finding.fix)
    assert pod["spec"]["affinity"] == affinity(_term(excluded))
    assert found(RULE, pod, OWN, **changes) == []


@pytest.mark.parametrize("namespace", ["plain", "foreign"])
def test_a_namespace_of_no_team_or_without_a_choice_may_use_all(namespace: str) -> None:
    assert found(RULE, gpu_pod(), namespace) == []


def test_a_pod_without_gpus_is_left_alone() -> None:
    assert admit(gpu_pod({"resources": {"limits": {"cpu": 1}}}), OWN).operations == ()


def test_validation_refuses_a_pod_that_was_not_fixed() -> None:
    outcomes = admit(gpu_pod(), OWN, review={"fixes": False}).outcomes
    (outcome,) = (each for each in outcomes if each.finding.rule is RuleName.GRANTED_POOLS)
    assert outcome.effect is Effect.DENIED


@pytest.mark.parametrize("model", ["h100", "a100"])
def test_a_pod_that_its_annotations_keep_to_some_of_them_is_fixed_once_and_passes(
    settings: Settings, model: str
) -> None:
    several = replace(settings.namespaces[OWN], pools=("a100-spot", "h100"), spot=True)
    own = {**settings.namespaces, OWN: several}
    pod = gpu_pod()
    pod["metadata"]["annotations"] = {"gpuplane.io/gpu-model": model}
    fixed = admit(pod, OWN, namespaces=own)
    (term,) = fixed.document["spec"]["affinity"]["nodeAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]["nodeSelectorTerms"]
    of_model = {"key": "gpuplane.io/gpu-model", "operator": "In", "values": [model]}
    assert term == _term(_in("h100", "a100-spot"), of_model)
    assert admit(fixed.document, OWN, namespaces=own).operations == ()
    assert admit(fixed.document, OWN, {"fixes": False}, namespaces=own).allowed


def test_the_tolerations_are_those_of_the_pools_that_are_left(settings: Settings) -> None:
    own = {OWN: replace(settings.namespaces[OWN], pools=("h100",), spot=True)}
    document = admit(gpu_pod(), OWN, namespaces=own).document
    assert [each["key"] for each in document["spec"]["tolerations"]] == ["nvidia.com/gpu"]
