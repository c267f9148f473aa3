"""What changes of GPU sharing do to the nodes of pools."""

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import document, placed


def _plugin_config(**configs: str) -> dict[PlacedObject, Document]:
    return placed(document("v1 ConfigMap", {"data": configs}, "device-plugin-config"))


def _labelled(config: str) -> dict[PlacedObject, Document]:
    labels = {"gpuplane.io/pool": "t4", "nvidia.com/device-plugin.config": config}
    return placed(
        document(
            "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool",
            {"spec.nodeLabels": labels, "spec.maxCount": 10},
        )
    )


SLICED = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
RENAMED = SLICED.replace("{resources", "{renameByDefault: true, resources")
MPS = SLICED.replace("timeSlicing", "mps")


@pytest.mark.parametrize(
    ("new", "verdict", "reason"),
    [
        (
            SLICED.replace("4", "8"),
            Verdict.ROLLING,
            (
                "The device plugin restarts to go from old to new: running pods stay, and new ones "
                "wait for it."
            ),
        ),
        (
            RENAMED,
            Verdict.DISRUPTIVE,
            (
                "The device plugin goes from old to new and names its resources differently: "
                "running pods stay; new ones that ask for the old name stay Pending, and those "
                "that ask for the new one may get GPUs that running pods still use. Drain the "
                "nodes first."
            ),
        ),
        (
            MPS,
            Verdict.DISRUPTIVE,
            (
                "The device plugin goes from old to new: an MPS control daemon starts, and sets "
                "the GPUs to EXCLUSIVE_PROCESS. Running pods do not compute through it: they may "
                "keep it from their GPUs, and processes that they start fail. Drain the nodes "
                "first."
            ),
        ),
    ],
)
def test_another_label_of_sharing_does_what_both_configurations_say(
    new: str, verdict: Verdict, reason: str
) -> None:
    configs = _plugin_config(old=SLICED, new=new)
    (planned,) = planned_objects(configs | _labelled("old"), configs | _labelled("new"))
    assert [(each.verdict, each.reason) for each in planned.effects] == [(verdict, reason)]
    assert planned.rollouts == (Rollout(Mechanism.PLUGIN_RESTART, "t4", nodes=10),)


@pytest.mark.parametrize(
    ("new", "daemon"),
    [
        (MPS.replace("4", "8"), "the MPS control daemon restarts, and the processes that"),
        (SLICED, "the MPS control daemon quits, and the processes that"),
    ],
)
def test_processes_fail_whose_mps_control_daemon_stops(new: str, daemon: str) -> None:
    configs = _plugin_config(old=MPS, new=new)
    (planned,) = planned_objects(configs | _labelled("old"), configs | _labelled("new"))
    assert [(each.verdict, each.reason) for each in planned.effects] == [
        (
            Verdict.DISRUPTIVE,
            f"The device plugin goes from old to new: {daemon} compute through it fail.",
        )
    ]


def test_a_text_of_sharing_is_about_the_pools_that_have_it() -> None:
    pool = _labelled("shared")
    found = planned_objects(
        pool | _plugin_config(shared=SLICED), pool | _plugin_config(shared=RENAMED)
    )
    assert [(each.verdict, each.pools) for each in found] == [(Verdict.SAFE, ("t4",))]
