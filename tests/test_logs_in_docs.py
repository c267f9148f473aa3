"""The labels by which the page on monitoring has lines of logs told apart."""

from pathlib import Path

import yaml

from gpus.platform_names import KEYS
from policies.workloads.job_label import JOB_LABELS

PAGE = Path(__file__).parents[1] / "docs" / "monitoring.md"
_, _, SECTION = PAGE.read_text(encoding="utf-8").partition("\n## Logs\n")


def test_the_label_of_each_kind_of_job_is_listed() -> None:
    keys = [each.key for each in JOB_LABELS.values()]
    assert [key for key in keys if f"`{key}`" not in SECTION] == []


def test_the_collector_reads_labels_that_pods_have() -> None:
    _, _, shown = SECTION.partition("```yaml\n")
    collector = yaml.safe_load(shown.partition("```")[0])["processors"]["k8sattributes"]
    read = {each["key"] for each in collector["extract"]["labels"]}
    own = {key for key in read if key.startswith("gpuplane.io/")}
    assert own <= set(KEYS)
    assert all(f"`{key}`" in SECTION for key in read)
