"""The lines of a cluster file that share GPUs as recommended."""

from collections.abc import Iterator
from typing import Any

import yaml

from gpuplane.reports.recommendation.recommendation import Layout, Recommendation


def pool_blocks(recommendation: Recommendation) -> Iterator[str]:
    """Yield what each pool has in the cluster file, below a comment that says for whom it is."""
    target = recommendation.target
    for number, layout in enumerate(recommendation.layouts):
        block = {"pools": {target.pool_name(number): pool_fields(layout, recommendation)}}
        lines = yaml.safe_dump(block, sort_keys=False, default_flow_style=None, width=1000)
        yield f"# {_for_whom(layout, number, recommendation)}\n{lines}"


def pool_fields(layout: Layout, recommendation: Recommendation) -> dict[str, Any]:
    """Return the fields of a pool that the recommendation sets."""
    target = recommendation.target
    fields = {} if target.in_file else target.cluster.content["pools"][target.pool.name]
    machine = {name: fields[name] for name in ("instanceType", "gpu", "gpus") if name in fields}
    return {**machine, **layout.option.trial.block}


def _for_whom(layout: Layout, number: int, recommendation: Recommendation) -> str:
    whom = f"For {', '.join(layout.workloads)}"
    target = recommendation.target
    return f"{whom}: a pool beside {target.pool.name}, like it but for" if number else f"{whom}:"
