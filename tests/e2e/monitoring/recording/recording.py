"""What rules record of given series.

Each file of this folder is of one topic:

```yaml
cluster: eks                            # of clusters/, whose rules are evaluated; eks by default
given:                                  # series of every case, in promtool's notation
  kube_node_labels{node="a", label_gpuplane_io_pool="h100"}: 1x10
tests:
  what is the case:
    series: {}                          # further series, or others in place of given ones
    at: 5m                              # when; by default after five minutes
    records:                            # expressions, each with all that it returns
      pool:gpuplane_capacity_gpus:sum{pool="h100"}:
        '{pool="h100"}': 8              # to three decimals
```
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from tests.e2e.monitoring.promtool import Promtool, write_platform_tests

FOLDER = Path(__file__).parent

CLUSTERS = FOLDER / "clusters"


@dataclass(frozen=True, slots=True)
class Recording:
    """One case, and what is recorded."""

    topic: str
    cluster: Path
    """The file of the cluster whose rules are evaluated."""
    name: str
    series: Mapping[str, str | int]
    at: str
    records: Mapping[str, Mapping[str, float]]
    """What each expression returns: values by their labels."""

    def play(self, promtool: Promtool, folder: Path) -> None:
        """Raise PromtoolError where the rules of its cluster record something else."""
        case = {
            "interval": "1m",
            "input_series": [{"series": s, "values": str(v)} for s, v in self.series.items()],
            "promql_expr_test": [
                {
                    "expr": f"round({expression}, 0.001)",
                    "eval_time": self.at,
                    "exp_samples": [{"labels": k, "value": v} for k, v in samples.items()],
                }
                for expression, samples in self.records.items()
            ],
        }
        promtool.test_rules(write_platform_tests([case], platform_of(self.cluster), folder))


@cache
def platform_of(cluster: Path) -> Platform:
    return load_platform(cluster, None)


def read_recordings(folder: Path = FOLDER) -> Iterator[Recording]:
    """Yield every case of every topic."""
    for file in sorted(folder.glob("*.yaml")):
        yield from recordings_of(file.stem, yaml.load(file.read_bytes(), yaml.CSafeLoader))


def recordings_of(topic: str, content: Mapping[str, Any]) -> Iterator[Recording]:
    cluster = CLUSTERS / f"{content.get('cluster', 'eks')}.yaml"
    for name, case in content["tests"].items():
        series = {**content.get("given", {}), **case["series"]}
        yield Recording(topic, cluster, name, series, case.get("at", "5m"), case["records"])
