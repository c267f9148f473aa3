import pytest

from tests.policies.workloads.partial_pods import LIMITS, SPOT, partial_pods

WORKFLOW = {
    "entrypoint": "all",
    "tolerations": SPOT,
    "volumes": [{"name": "data"}],
    "templates": [
        {"name": "all", "dag": {"tasks": [{"name": "a", "template": "train"}]}},
        {
            "name": "train",
            "container": {"image": "{{inputs.parameters.image}}", "resources": LIMITS},
            "sidecars": [{"name": "log", "image": "log:1"}],
            "volumes": [{"name": "own"}],
        },
        {
            "name": "scan",
            "tolerations": [],
            "script": {"image": "scan:1", "resources": {"limits": {"nvidia.com/gpu": "{{n}}"}}},
        },
        {"name": "both", "containerSet": {"containers": [{"name": "one"}, {"name": "two"}]}},
    ],
}
VOLUMES = [{"name": "data"}]
WORKFLOW_PODS = {
    "/templates/1": {
        "spec": {
            "tolerations": SPOT,
            "volumes": [*VOLUMES, {"name": "own"}],
            "containers": [
                {"name": "main", "resources": LIMITS},
                {"name": "log", "image": "log:1"},
            ],
        }
    },
    "/templates/2": {
        "spec": {
            "tolerations": [],
            "volumes": VOLUMES,
            "containers": [{"name": "main", "image": "scan:1", "resources": {"limits": {}}}],
        }
    },
    "/templates/3": {
        "spec": {
            "tolerations": SPOT,
            "volumes": VOLUMES,
            "containers": [{"name": "one"}, {"name": "two"}],
        }
    },
}


@pytest.mark.parametrize("kind", ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate"])
def test_each_template_of_a_workflow_that_runs_containers_is_a_part(kind: str) -> None:
    assert partial_pods("argoproj.io/v1alpha1", kind, WORKFLOW) == {
        f"/spec{pointer}": pod for pointer, pod in WORKFLOW_PODS.items()
    }


def test_the_templates_of_a_cron_workflow_are_parts() -> None:
    spec = {"schedules": ["@daily"], "workflowSpec": WORKFLOW}
    assert partial_pods("argoproj.io/v1alpha1", "CronWorkflow", spec) == {
        f"/spec/workflowSpec{pointer}": pod for pointer, pod in WORKFLOW_PODS.items()
    }
