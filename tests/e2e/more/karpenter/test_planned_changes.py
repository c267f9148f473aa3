"""Karpenter does to nodes what the plan says of a change to their NodePool."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import PlannedObject, Verdict
from gpuplane.plan.rollout import Mechanism
from tests.e2e.control_plane.api_client import JSON_PATCH
from tests.e2e.more.karpenter.cluster import PATIENCE_SECONDS, ProvisionedCluster, is_true
from tests.e2e.plan.changes import plan_of, stated
from tests.e2e.polling import once_seen

POOL = "h100"
NODE_POOL = f"{POOL}.minimum"
"""Static, and its budgets let no node go that has drifted."""
SPOT = "h100-spot"
NODE_CLAIM = {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim"}
HASH = "karpenter.sh/nodepool-hash"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"

DRIFTING: Mapping[str, Document] = {
    "label": {"template": {"metadata": {"labels": {"example.com/changed": "true"}}}},
    "annotation": {"template": {"metadata": {"annotations": {"example.com/changed": "true"}}}},
    "expireAfter": {"template": {"spec": {"expireAfter": "720h"}}},
    "terminationGracePeriod": {"template": {"spec": {"terminationGracePeriod": "2h"}}},
    "taint": {
        "template": {
            "spec": {
                "taints": [
                    {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
                    {"key": "example.com/changed", "effect": "NoSchedule"},
                ]
            }
        }
    },
}
"""Changes of the spec of the NodePool, as a merge patch."""
SAFE: Mapping[str, Document] = {
    "raised limit": {"limits": {"nodes": "9"}},
    "limit below what is there": {"limits": {"nodes": "3"}},
    "budgets": {"disruption": {"budgets": [{"nodes": "0"}]}},
    "later consolidation": {"disruption": {"consolidateAfter": "3h"}},
}


def _of_node(spec: Document, **fields: object) -> Document:
    """Return a change of the fields of the nodes of a NodePool."""
    assert spec["template"]["spec"].keys() >= fields.keys()
    return {"template": {"spec": fields}}


OF_THE_SAME_HASH: Mapping[str, Callable[[Document], Document]] = {
    "weight": lambda _: {"weight": 7},
    "order of taints": lambda spec: _of_node(spec, taints=spec["template"]["spec"]["taints"][::-1]),
    "unit of expireAfter": lambda spec: _of_node(spec, expireAfter="43200m"),
    "unit of terminationGracePeriod": lambda spec: _of_node(spec, terminationGracePeriod="360m"),
}
"""Likewise, of a spec with two taints, `720h` and `6h`."""


@pytest.fixture
def before(cluster: ProvisionedCluster) -> Iterator[Document]:
    """The NodePool, which is what it was in the end, with as many nodes, none of them drifted."""
    cluster.wait_for_minimum(POOL, cluster.platform.pool(POOL).spec.nodes.min)
    found = _node_pool(cluster)
    yield found
    _restore(cluster, found)
    _claims_once(cluster, found["spec"]["replicas"], is_drifted=False)


def _restore(cluster: ProvisionedCluster, before: Document) -> None:
    spec = [{"op": "replace", "path": "/spec", "value": before["spec"]}]
    cluster.client.patch(before, spec, content_type=JSON_PATCH)


def _node_pool(cluster: ProvisionedCluster) -> Document:
    return cluster.client.get("karpenter.sh/v1", "NodePool", NODE_POOL)


def _change(
    cluster: ProvisionedCluster, before: Document, spec: Mapping[str, Any]
) -> PlannedObject:
    """Change a NodePool; return what the plan says of it, once Karpenter has seen the change."""
    after = cluster.client.patch(before, {"spec": spec}).document
    generation = after["metadata"]["generation"]
    cluster.client.wait_for(before, lambda found: _observed(found) == generation, PATIENCE_SECONDS)
    return plan_of(stated(before), stated(after))


def _observed(node_pool: Document) -> int:
    """Return the generation of a NodePool that Karpenter has last validated."""
    conditions = {each["type"]: each for each in node_pool["status"]["conditions"]}
    generation: int = conditions["ValidationSucceeded"]["observedGeneration"]
    return generation


def _claims_once(
    cluster: ProvisionedCluster, count: int, *, is_drifted: bool
) -> Collection[Document]:
    """Return the NodeClaims once there are so many, and all of them have drifted, or none."""
    return once_seen(
        lambda: cluster.claims(NODE_POOL),
        lambda found: [is_true(each, "Drifted") for each in found] == [is_drifted] * count,
        f"{count} of {NODE_POOL}, drifted: {is_drifted}",
        PATIENCE_SECONDS,
    )


def _uids(claims: Collection[Document]) -> set[str]:
    return {each["metadata"]["uid"] for each in claims}


@pytest.mark.parametrize("spec", DRIFTING.values(), ids=DRIFTING)
def test_all_nodes_drift_by_a_change_that_is_safe_while_the_budget_is_zero(
    cluster: ProvisionedCluster, before: Document, spec: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    planned = _change(cluster, before, spec)
    (rollout,) = planned.rollouts
    assert (planned.verdict, rollout.mechanism, rollout.limits, rollout.nodes) == (
        Verdict.SAFE,
        Mechanism.DRIFT,
        ("0",),
        len(claims),
    )
    assert _uids(_claims_once(cluster, len(claims), is_drifted=True)) == _uids(claims)


@pytest.mark.parametrize("spec", SAFE.values(), ids=SAFE)
def test_no_node_drifts_or_goes_by_a_safe_change(
    cluster: ProvisionedCluster, before: Document, spec: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    assert _change(cluster, before, spec).verdict is Verdict.SAFE
    found = cluster.claims(NODE_POOL)
    assert _uids(found) == _uids(claims)
    assert not any(is_true(each, "Drifted") for each in found)
    # By these it is decided.
    hashes = {each["metadata"]["annotations"][HASH] for each in (_node_pool(cluster), *found)}
    assert len(hashes) == 1


@pytest.mark.parametrize("change", OF_THE_SAME_HASH.values(), ids=OF_THE_SAME_HASH)
def test_a_template_with_the_same_hash_is_safe(
    cluster: ProvisionedCluster, change: Callable[[Document], Document]
) -> None:
    # A NodePool that follows pods, since a static one has no weight, and without nodes, since these
    # drift by the hash.
    before = cluster.client.get("karpenter.sh/v1", "NodePool", SPOT)
    assert _change(cluster, before, change(before["spec"])).verdict is Verdict.SAFE
    after = cluster.client.wait_for(before)
    assert after["metadata"]["annotations"][HASH] == before["metadata"]["annotations"][HASH]
    assert after["spec"] != before["spec"]
    _restore(cluster, before)


def test_no_node_drifts_by_a_requirement_that_lets_in_more(
    cluster: ProvisionedCluster, before: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    spec = _requirements(before, {INSTANCE_TYPE: ["p5.48xlarge", "p5e.48xlarge"]})
    assert _change(cluster, before, spec).verdict is Verdict.SAFE
    assert _uids(_claims_once(cluster, len(claims), is_drifted=False)) == _uids(claims)


def test_nodes_drift_by_a_requirement_that_they_do_not_meet(
    cluster: ProvisionedCluster, before: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    planned = _change(cluster, before, _requirements(before, {INSTANCE_TYPE: ["p5e.48xlarge"]}))
    assert (planned.verdict, planned.rollouts[0].limits) == (Verdict.SAFE, ("0",))
    assert _uids(_claims_once(cluster, len(claims), is_drifted=True)) == _uids(claims)


def _requirements(node_pool: Document, changed: Mapping[str, list[str]]) -> Document:
    stated = node_pool["spec"]["template"]["spec"]["requirements"]
    made = [{**each, "values": changed.get(each["key"], each["values"])} for each in stated]
    return {"template": {"spec": {"requirements": made}}}


def test_nodes_go_by_fewer_replicas_whatever_the_budget_and_come_by_more(
    cluster: ProvisionedCluster, before: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    replicas = before["spec"]["replicas"]
    planned = _change(cluster, before, {"replicas": replicas - 1})
    (rollout,) = planned.rollouts
    assert (planned.verdict, rollout.mechanism, rollout.nodes) == (
        Verdict.DISRUPTIVE,
        Mechanism.SCALE_IN,
        1,
    )
    fewer = _claims_once(cluster, replicas - 1, is_drifted=False)
    assert _uids(fewer) < _uids(claims)
    assert _change(cluster, _node_pool(cluster), {"replicas": replicas}).verdict is Verdict.SAFE
    assert _uids(_claims_once(cluster, replicas, is_drifted=False)) > _uids(fewer)


def test_all_nodes_go_with_their_node_pool_whatever_the_budget(
    cluster: ProvisionedCluster, before: Document
) -> None:
    claims = cluster.claims(NODE_POOL)
    planned = plan_of(stated(before), None)
    (rollout,) = planned.rollouts
    assert (planned.verdict, rollout.mechanism, rollout.nodes) == (
        Verdict.DISRUPTIVE,
        Mechanism.POOL_DELETION,
        len(claims),
    )
    cluster.client.delete(before)
    for each in (before, *({**NODE_CLAIM, **claim} for claim in claims)):
        cluster.client.wait_until_gone(each, PATIENCE_SECONDS)
    cluster.client.apply(stated(before))
    cluster.wait_for_minimum(POOL, len(claims))
