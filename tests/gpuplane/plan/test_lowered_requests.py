"""Which namespaces may request less than before."""

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.plan.headline import sentence
from gpuplane.plan.lowered_requests import lowered_requests
from gpuplane.plan.plan import ClusterPlan
from gpuplane.versions.comparison import ChangedObject, PlacedObject, Subject

CPU, MEMORY = (f'spec.hard["requests.{name}"]' for name in ("cpu", "memory"))
LESS_MEMORY = FieldChange(MEMORY, "14Ti", "10Ti")
LESS = (FieldChange(CPU, "1568", "1184"), LESS_MEMORY)
LESS_GPUS = FieldChange('spec.hard["requests.nvidia.com/gpu"]', "64", "48")


def _plan(*fields: FieldChange, namespaces: str = "a", kind: str = "ResourceQuota") -> ClusterPlan:
    values = tuple(
        ChangedObject(PlacedObject("team", ObjectKey("", kind, name, "quota")), fields)
        for name in namespaces
    )
    return ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", values=values)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (_plan(), []),
        (_plan(LESS_MEMORY), ["lab/a may request less memory (10Ti in place of 14Ti)"]),
        (
            _plan(*LESS),
            [
                (
                    "lab/a may request less CPU (1184 in place of 1568) and memory (10Ti in place "
                    "of 14Ti)"
                )
            ],
        ),
        (_plan(FieldChange(MEMORY, "10Ti", "14Ti")), []),
        (_plan(FieldChange(MEMORY, "1Ti", "1024Gi")), []),
        (_plan(FieldChange(MEMORY, "1Ti", Absent.ABSENT)), []),
        pytest.param(
            _plan(FieldChange('spec.hard["limits.memory"]', "14Ti", "10Ti")),
            [],
            id="limits go with requests",
        ),
        pytest.param(
            _plan(*LESS, LESS_GPUS),
            [
                (
                    "lab/a may request less CPU (1184 in place of 1568), memory (10Ti in place of "
                    "14Ti) and nvidia.com/gpu (48 in place of 64)"
                )
            ],
            id="GPUs, with what the namespace borrows",
        ),
        pytest.param(_plan(*LESS, kind="ConfigMap"), [], id="not a quota"),
        (
            _plan(*LESS, namespaces="abcd"),
            ["4 namespaces of 1 cluster may request less CPU and memory"],
        ),
    ],
)
def test_what_namespaces_may_request_less_of_is_told(plan: ClusterPlan, told: list[str]) -> None:
    assert [*lowered_requests([plan])] == told


def test_the_first_sentence_says_it() -> None:
    assert "; lab/a may request less memory (10Ti in place of 14Ti);" in sentence(
        [_plan(LESS_MEMORY)]
    )
