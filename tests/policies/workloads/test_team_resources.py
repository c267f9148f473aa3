from policies.workloads.registry import WORKLOAD_KINDS
from policies.workloads.team_resources import (
    created_resources,
    isolated_job_labels,
    read_only_resources,
    scale_resources,
    status_resources,
    written_status_resources,
)


def test_a_team_creates_the_workloads_of_users() -> None:
    assert created_resources() == {
        "": ("pods", "replicationcontrollers"),
        "agents.x-k8s.io": ("sandboxes",),
        "apps": ("deployments", "statefulsets"),
        "apps.kruise.io": ("clonesets", "statefulsets"),
        "apps.nvidia.com": ("nimpipelines", "nimservices"),
        "argoproj.io": (
            "cronworkflows",
            "experiments",
            "rollouts",
            "workflows",
            "workflowtemplates",
        ),
        "batch": ("cronjobs", "jobs"),
        "batch.volcano.sh": ("cronjobs", "jobs"),
        "disaggregatedset.x-k8s.io": ("disaggregatedsets",),
        "extensions.agents.x-k8s.io": ("sandboxclaims", "sandboxwarmpools"),
        "grove.io": ("podcliquesets",),
        "jobset.x-k8s.io": ("jobsets",),
        "kubeflow.org": (
            "jaxjobs",
            "mpijobs",
            "notebooks",
            "paddlejobs",
            "pytorchjobs",
            "tfjobs",
            "xgboostjobs",
        ),
        "leaderworkerset.x-k8s.io": ("leaderworkersets",),
        "nvidia.com": ("dynamocomponentdeployments", "dynamographdeployments"),
        "production-stack.vllm.ai": ("vllmruntimes",),
        "ray.io": ("rayclusters", "raycronjobs", "rayjobs", "rayservices"),
        "sagemaker.amazonaws.com": ("hyperpodpytorchjobs",),
        "serving.knative.dev": ("configurations", "services"),
        "serving.kserve.io": (
            "inferenceservices",
            "llminferenceserviceconfigs",
            "llminferenceservices",
            "servingruntimes",
        ),
        "sparkoperator.k8s.io": ("scheduledsparkapplications", "sparkapplications"),
        "trainer.kubeflow.org": ("trainjobs",),
    }


def test_a_team_reads_what_others_make_of_its_workloads() -> None:
    assert read_only_resources() == {
        "": ("podtemplates",),
        "apps": ("daemonsets", "replicasets"),
        "apps.kruise.io": ("broadcastjobs", "daemonsets"),
        "argoproj.io": ("analysisruns", "analysistemplates"),
        "extensions.agents.x-k8s.io": ("sandboxtemplates",),
        "flow.volcano.sh": ("jobtemplates",),
        "grove.io": ("podcliques",),
        "keda.sh": ("scaledjobs",),
        "kueue.x-k8s.io": ("workloads",),
        "slinky.slurm.net": ("loginsets", "nodesets"),
        "trainer.kubeflow.org": ("trainingruntimes",),
        "workload.codeflare.dev": ("appwrappers",),
    }


def test_a_team_scales_what_it_creates() -> None:
    assert scale_resources() == {
        "": ("replicationcontrollers/scale",),
        "agents.x-k8s.io": ("sandboxes/scale",),
        "apps": ("deployments/scale", "statefulsets/scale"),
        "apps.kruise.io": ("clonesets/scale", "statefulsets/scale"),
        "argoproj.io": ("rollouts/scale",),
        "extensions.agents.x-k8s.io": ("sandboxwarmpools/scale",),
        "grove.io": ("podcliquesets/scale",),
        "kubeflow.org": ("jaxjobs/scale", "paddlejobs/scale", "pytorchjobs/scale"),
        "leaderworkerset.x-k8s.io": ("leaderworkersets/scale",),
        "production-stack.vllm.ai": ("vllmruntimes/scale",),
    }


def test_a_client_writes_the_status_of_a_rollout_alone() -> None:
    assert written_status_resources() == {"argoproj.io": ("rollouts/status",)}


def test_the_status_of_workloads_in_a_namespace_is_shown() -> None:
    assert status_resources() == {
        "": ("pods/status", "replicationcontrollers/status"),
        "agents.x-k8s.io": ("sandboxes/status",),
        "apps": (
            "daemonsets/status",
            "deployments/status",
            "replicasets/status",
            "statefulsets/status",
        ),
        "apps.kruise.io": (
            "broadcastjobs/status",
            "clonesets/status",
            "daemonsets/status",
            "statefulsets/status",
        ),
        "apps.nvidia.com": ("nimpipelines/status", "nimservices/status"),
        "argoproj.io": ("rollouts/status",),
        "batch": ("cronjobs/status", "jobs/status"),
        "batch.volcano.sh": ("cronjobs/status", "jobs/status"),
        "disaggregatedset.x-k8s.io": ("disaggregatedsets/status",),
        "extensions.agents.x-k8s.io": ("sandboxclaims/status", "sandboxwarmpools/status"),
        "flow.volcano.sh": ("jobtemplates/status",),
        "grove.io": ("podcliques/status", "podcliquesets/status"),
        "jobset.x-k8s.io": ("jobsets/status",),
        "keda.sh": ("scaledjobs/status",),
        "kubeflow.org": (
            "jaxjobs/status",
            "mpijobs/status",
            "notebooks/status",
            "paddlejobs/status",
            "pytorchjobs/status",
            "tfjobs/status",
            "xgboostjobs/status",
        ),
        "kueue.x-k8s.io": ("workloads/status",),
        "leaderworkerset.x-k8s.io": ("leaderworkersets/status",),
        "nvidia.com": ("dynamocomponentdeployments/status", "dynamographdeployments/status"),
        "production-stack.vllm.ai": ("vllmruntimes/status",),
        "ray.io": (
            "rayclusters/status",
            "raycronjobs/status",
            "rayjobs/status",
            "rayservices/status",
        ),
        "sagemaker.amazonaws.com": ("hyperpodpytorchjobs/status",),
        "serving.knative.dev": ("configurations/status", "services/status"),
        "serving.kserve.io": ("inferenceservices/status", "llminferenceservices/status"),
        "slinky.slurm.net": ("loginsets/status", "nodesets/status"),
        "sparkoperator.k8s.io": ("scheduledsparkapplications/status", "sparkapplications/status"),
        "trainer.kubeflow.org": ("trainjobs/status",),
        "workload.codeflare.dev": ("appwrappers/status",),
    }


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
