"""The metrics of the training operator that rules read.

Source: pkg/common/metrics.go of https://github.com/kubeflow/trainer at v1.9.4. Counters, by
`job_namespace` and by `framework`, such as `pytorch`.
"""

JOBS_FAILED = "training_operator_jobs_failed_total"
JOBS_RESTARTED = "training_operator_jobs_restarted_total"
