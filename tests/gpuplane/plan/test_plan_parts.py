"""What the parts of a plan list, and what they sum up."""

from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import Subject
from tests.gpuplane.plan.single_change import document, placed

WITHIN = {"metadata.namespace": "gpuplane-system"}


def test_what_goes_with_its_namespace_is_summed_up_unless_more_is_lost() -> None:
    going = placed(
        document("v1 Namespace", {}, "gpuplane-system"),
        document("apps/v1 Deployment", WITHIN),
        document("v1 ConfigMap", WITHIN, "one"),
        document("v1 ConfigMap", WITHIN, "two"),
        document("v1 PersistentVolumeClaim", WITHIN),
        document("v1 ConfigMap", {"metadata.namespace": "monitoring"}),
    )
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "2.0.0", objects=planned_objects(going, {}))
    (part,) = parts(plan, None)
    assert [str(each) for each in part.objects] == [
        "part: ConfigMap monitoring/example",
        "part: Namespace gpuplane-system",
        "part: PersistentVolumeClaim gpuplane-system/example",
    ]
    assert part.notes == (
        "With the namespace gpuplane-system goes what it has: 2 ConfigMap, 1 Deployment.",
    )
