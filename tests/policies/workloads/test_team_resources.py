from pathlib import Path
from typing import Any

import pytest
import yaml

from policies.workloads import team_resources
from policies.workloads.registry import WORKLOAD_KINDS
from policies.workloads.team_resources import isolated_job_labels

FACTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())


@pytest.mark.parametrize("fact", [*FACTS])
def test_the_roles_of_teams_name_resources(fact: str) -> None:
    found = getattr(team_resources, FACTS[fact]["function"])()
    assert {group: [*names] for group, names in found.items()} == FACTS[fact]["resources"]


def test_the_pods_of_training_jobs_are_isolated() -> None:
    assert isolated_job_labels() == {
        "jobset": "jobset.sigs.k8s.io/jobset-name",
        "kubeflow": "training.kubeflow.org/job-name",
        "volcano": "volcano.sh/job-name",
    }


def test_no_two_controllers_set_one_job_label() -> None:
    labels = {known.job_label for known in WORKLOAD_KINDS if known.job_label}
    assert len({label.key for label in labels}) == len(labels)
    assert len({label.owner for label in labels}) == len(labels)
