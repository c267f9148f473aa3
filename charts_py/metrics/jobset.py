"""The metrics of JobSet that rules read.

Source: pkg/metrics/metrics.go of https://github.com/kubernetes-sigs/jobset at v0.12.0. A counter,
by the `namespace` and `jobset_name` of the JobSet.
"""

FAILED = "jobset_failed_total"
