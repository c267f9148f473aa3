"""What admission says of the labels that pods select on the example clusters, in both languages."""

import re
from functools import cache
from typing import Any

from benchmarks.corpus import CLUSTERS
from gpuplane.admission.loaded_rules import cluster_engine
from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.in_cel.action import Action
from policies.operation import copied
from policies.pod import REQUIRED
from policies.rule_name import RuleName
from tests.policies.conftest import TODAY, affinity
from tests.policies.in_cel.evaluator import Evaluator
from tests.policies.in_cel.stored import valid
from tests.rows import rows_beside

each_row = rows_beside(__file__, "node_selectors.yaml")
_EXPRESSION = re.compile(r"(\S+) (\w+)(?: \[(.*)\])?")
_NEAREST = re.compile(r"; (?:nearest: |none is ).*?(?=\.(?: |$))")
ADVICE = (RuleName.MEMORY_LIMIT, RuleName.TIME_SLICED_INFERENCE)


@cache
def _engine(cluster: str) -> Engine:
    return cluster_engine(CLUSTERS, cluster)


@cache
def _evaluator(cluster: str) -> Evaluator:
    return Evaluator(_engine(cluster).settings)


def expression(text: str) -> Document:
    """Read an expression of a term from a row."""
    matched = _EXPRESSION.fullmatch(text)
    assert matched is not None
    key, operator, values = matched.groups()
    return {"key": key, "operator": operator, **({"values": values.split(", ")} if values else {})}


def _pod(asks: str | None, selects: dict[str, str], requires: list[str]) -> Document:
    container = {
        "name": "train",
        "image": "registry.example.com/train:1",
        "resources": {"limits": {asks: "1"} if asks else {}},
    }
    term = {"matchExpressions": [expression(each) for each in requires]}
    required = {"affinity": affinity(term)} if requires else {}
    return {
        "metadata": {"name": "train"},
        "spec": {"containers": [container], "nodeSelector": selects, **required},
    }


def _says(cluster: str, namespace: str, pod: Document) -> dict[Effect, str]:
    """Return what both languages say, by what is done about it."""
    engine, sent = _engine(cluster), valid(pod)
    judged = engine.admit(copied(sent), Review(namespace, TODAY, fixes=False))
    in_cel = _evaluator(cluster).findings(sent, namespace)
    for action, effect in ((Action.DENY, Effect.DENIED), (Action.WARN, Effect.WARNED)):
        said = " ".join(map(str, judged.with_effect(effect)))
        assert " ".join(in_cel[action]) == _NEAREST.sub("", said)
    admitted = engine.admit(copied(pod), Review(namespace, TODAY))
    return {
        effect: " ".join(str(f) for f in admitted.with_effect(effect) if f.rule not in ADVICE)
        for effect in (Effect.DENIED, Effect.WARNED)
    }


@each_row("refused")
def test_a_pod_that_can_run_on_no_pool_is_refused_with_what_its_nodes_have(
    cluster: str,
    namespace: str,
    asks: str | None,
    selects: dict[str, str],
    requires: list[str],
    says: str,
) -> None:
    found = _says(cluster, namespace, _pod(asks, selects, requires))
    assert found == {Effect.DENIED: says, Effect.WARNED: ""}


@each_row("warned")
def test_a_label_that_somebody_can_change_is_warned_of(
    cluster: str,
    namespace: str,
    asks: str | None,
    selects: dict[str, str],
    requires: list[str],
    says: str,
) -> None:
    found = _says(cluster, namespace, _pod(asks, selects, requires))
    assert found == {Effect.DENIED: "", Effect.WARNED: says}


@each_row("admitted")
def test_a_pod_is_kept_to_the_pools_that_it_can_run_on_and_tolerates_their_taints(
    cluster: str,
    namespace: str,
    asks: str | None,
    selects: dict[str, str],
    requires: list[str],
    pools: list[str],
    tolerates: list[str],
) -> None:
    pod = _pod(asks, selects, requires)
    assert _says(cluster, namespace, pod)[Effect.WARNED] == ""
    fixed: Any = _engine(cluster).admit(pod, Review(namespace, TODAY))
    assert fixed.denials == ()
    spec = fixed.document["spec"]
    (term,) = spec["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    required = term["matchExpressions"][-1]
    assert (required["key"], required["values"]) == ("gpuplane.io/pool", pools)
    assert [each["key"] for each in spec["tolerations"]] == tolerates


@each_row("left_to_others")
def test_a_pod_without_gpus_may_select_what_other_nodes_have_too(
    cluster: str, namespace: str, asks: str | None, selects: dict[str, str], requires: list[str]
) -> None:
    found = _says(cluster, namespace, _pod(asks, selects, requires))
    assert found == {Effect.DENIED: "", Effect.WARNED: ""}
