"""The metrics of KubeRay's operator that rules read.

Source: ray-operator/controllers/ray/metrics of https://github.com/ray-project/kuberay at v1.7.0.
`namespace` and `name` are those of the RayJob.
"""

JOB_STATUS = "kuberay_job_deployment_status"
"""1 for the `deployment_status` that a RayJob has."""
