"""How long the rules take for one pod, beside decoding the same pod with the standard library.

Run by `python -m benchmarks.policies`. The ratio compares machines; the microseconds do not.
"""

import datetime as dt
import json
import sys
import time
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table

from benchmarks.reviewed import cpu_pod, gpu_pod, rule_settings
from policies.admission import CREATE, Admission, Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.rule_name import RuleName

ROUNDS = 40
PODS = 250
"""Pods of one round; its time is their mean. The best round counts, which nothing disturbed."""

FIXES = (
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    RuleName.GRANTED_POOLS,
    RuleName.TOLERATIONS,
    RuleName.SHARED_MEMORY,
)
"""What is fixed in the first pod."""
REVIEW = Review("research", dt.date(2026, 11, 21), CREATE)


def main() -> None:
    engine = Engine(rule_settings())
    repaired = _repaired(engine)
    table = Table("pod", "bytes", "admit, us", "json.loads, us", "ratio")
    pods = {"four fixes": gpu_pod(), "nothing to fix": repaired, "no GPU": cpu_pod()}
    for name, pod in pods.items():
        source = json.dumps(pod)
        admit = _best(lambda document: engine.admit(document, REVIEW), source)
        decode = _best(partial(_decode, source), source)
        figures = (f"{admit:.1f}", f"{decode:.1f}", f"{admit / decode:.2f}")
        table.add_row(name, str(len(source)), *figures)
    Console().print(table)


def _decode(source: str, _document: Document) -> Document:
    decoded: Document = json.loads(source)
    return decoded


def _best(run: Callable[[Document], object], source: str) -> float:
    """Return the microseconds that one run takes, on documents that no other run has changed."""
    best = float("inf")
    for _ in range(ROUNDS):
        documents = [json.loads(source) for _ in range(PODS)]
        start = time.perf_counter()
        for document in documents:
            run(document)
        best = min(best, time.perf_counter() - start)
    return best / PODS * 1e6


def _repaired(engine: Engine) -> Document:
    admission = engine.admit(gpu_pod(), REVIEW)
    _must(admission, tuple((rule, Effect.FIXED) for rule in FIXES))
    _must(engine.admit(cpu_pod(), REVIEW), ())
    again = engine.admit(admission.document, REVIEW)
    _must(again, ())
    return again.document


def _must(admission: Admission, expected: tuple[tuple[RuleName, Effect], ...]) -> None:
    found = tuple((outcome.finding.rule, outcome.effect) for outcome in admission.outcomes)
    if found != expected:
        sys.exit(f"the pod is not what this measures: {found} instead of {expected}")


if __name__ == "__main__":
    main()
