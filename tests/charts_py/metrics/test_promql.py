import pytest

from tests.charts_py.metrics.promql import read_metrics


@pytest.mark.parametrize(
    ("expression", "metrics"),
    [
        ("up", {"up"}),
        ('absent(up{namespace="a", job="b"} == 1)', {"up"}),
        ("sum by (le) (rate(seconds_bucket[5m])) > 0.5", {"seconds_bucket"}),
        ("sum (rate(seconds_sum[5m])) without (pod) / 1e3", {"seconds_sum"}),
        ("a:used:sum * on (node) group_left (pool) b:pool:info", {"a:used:sum", "b:pool:info"}),
        ("max by (node)(errors > 0) unless max by (node)(errors offset 10m)", {"errors"}),
        ('count by (x) (label_replace(seen, "pod", "$1", "exported_pod", "(.*)"))', {"seen"}),
        ('kube_x{label="a{b} and c"} and on () kube_y', {"kube_x", "kube_y"}),
        ("max_over_time(used[1h:5m] @ end()) > bool used offset -1w", {"used"}),
        ("last_over_time(kept[1h] offset $__range)", {"kept"}),
        ("vector(0.25) == Inf or -NaN", set()),
        ("min(expiry) - time() < 604800 # of a certificate", {"expiry"}),
        ("topk by (pod) (3, memory)", {"memory"}),
        ("sum without () (memory)", {"memory"}),
    ],
)
def test_metrics_are_told_from_functions_labels_and_strings(
    expression: str, metrics: set[str]
) -> None:
    assert read_metrics(expression) == metrics
