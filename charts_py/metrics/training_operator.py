"""The metrics of the training operator that rules read.

Source: pkg/common/metrics.go of https://github.com/kubeflow/trainer at v1.9.4. By
`job_namespace` and by `framework`, such as `pytorch`. Its counter of restarts counts some twice and
others not at all (pkg/controller.v1/common/pod.go).
"""

JOBS_FAILED = "training_operator_jobs_failed_total"
