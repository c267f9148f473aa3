"""How Kubeflow Trainer is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.kubeflow_trainer.definition import KUBEFLOW_TRAINER

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_leaves_jobset_to_the_component_of_that_name(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert KUBEFLOW_TRAINER.values(platform_of(sample("training"))) == {
        "fullnameOverride": "kubeflow-trainer",
        "jobset": {"install": False},
        "image": {"tag": "v2.3.0"},
        "manager": {"replicas": 2},
    }
    assert "jobset" in KUBEFLOW_TRAINER.depends_on
