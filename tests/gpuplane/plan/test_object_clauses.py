"""What the first sentence says of objects that no figure shows."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.effects.network_policies import TOLD as CLOSED
from gpuplane.plan.object_clauses import object_clauses
from gpuplane.plan.plan import ClusterPlan
from gpuplane.versions.comparison import PlacedObject, Subject

NO_MORE = "quotas allow no new {labels} in {places}"
REFUSING = "{bindings} can refuse new objects on {clusters}"
SUSPENDED = "running jobs of teams on {clusters} are suspended"


def _object(
    verdict: Verdict, told: str, namespace: str = "", *fields: str, is_held: bool = False
) -> PlannedObject:
    key = ObjectKey("", "Kind", namespace, f"{namespace}-{told}")
    effects = tuple(Effect(verdict, each, "Why.", "", told=told) for each in fields or ("",))
    return PlannedObject(PlacedObject("part", key), Change.ADDED, effects, is_held=is_held)


def _plan(*objects: PlannedObject, cluster: str = "lab") -> ClusterPlan:
    return ClusterPlan(cluster, Subject.LIVE, "1.0.0", "1.1.0", objects=objects)


SERVICES = ('spec.hard["services.loadbalancers"]', 'spec.hard["services.nodeports"]')
QUOTAS = [_object(Verdict.DEFERRED, NO_MORE, each, *SERVICES) for each in ("one", "two")]
BINDING = _object(Verdict.DEFERRED, REFUSING)
OTHER_BINDING = replace(
    BINDING, placed=PlacedObject("part", ObjectKey("", "Kind", "", "another one"))
)
POLICIES = [_object(Verdict.DISRUPTIVE, CLOSED, each) for each in "abcd"]
KUEUE = _object(Verdict.DISRUPTIVE, SUSPENDED)


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        pytest.param([_plan(_object(Verdict.SAFE, SUSPENDED))], [], id="what is safe is not told"),
        pytest.param([_plan(_object(Verdict.ROLLING, ""))], [], id="nor what figures show"),
        pytest.param(
            [_plan(*QUOTAS)],
            ["quotas allow no new services.loadbalancers, services.nodeports in lab/one, lab/two"],
            id="alike objects have one clause, with the fields of each",
        ),
        pytest.param(
            [_plan(QUOTAS[0], _object(Verdict.DEFERRED, NO_MORE, "two", SERVICES[0]))],
            [
                "quotas allow no new services.loadbalancers, services.nodeports in lab/one",
                "quotas allow no new services.loadbalancers in lab/two",
            ],
            id="quotas on other fields have another one",
        ),
        pytest.param(
            [_plan(*POLICIES)],
            ["NetworkPolicies newly refuse connections in lab/a, lab/b, lab/c, 1 more"],
            id="of many places the last are counted",
        ),
        pytest.param(
            [_plan(KUEUE), _plan(KUEUE, cluster="hub")],
            ["running jobs of teams on lab, hub are suspended"],
            id="clusters are named once",
        ),
        pytest.param(
            [_plan(_object(Verdict.DANGEROUS, SUSPENDED, is_held=True))],
            ["running jobs of teams on lab are suspended when somebody confirms it"],
            id="what waits for somebody says so",
        ),
        pytest.param(
            [_plan(BINDING, OTHER_BINDING, *QUOTAS, POLICIES[0], KUEUE)],
            [
                "NetworkPolicies newly refuse connections in lab/a",
                "running jobs of teams on lab are suspended",
                "2 more admission policies can refuse new objects on lab",
                "2 more objects can refuse or hold back what starts",
            ],
            id="the gravest come first, and the last are counted",
        ),
        pytest.param(
            [_plan(*(_object(Verdict.DISRUPTIVE, each) for each in "abcde"), BINDING)],
            [
                *"abc",
                "2 more objects can disturb what runs",
                "1 more object can refuse or hold back what starts",
            ],
            id="what is counted says whether it disturbs what runs",
        ),
    ],
)
def test_objects_are_told_by_kind(plans: Sequence[ClusterPlan], said: list[str]) -> None:
    assert [*object_clauses(plans)] == said
