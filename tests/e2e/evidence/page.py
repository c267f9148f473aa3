"""`docs/evidence.md`: a table a case, of every claim with what was measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.binaries.argo_cd import ARGO_CD_VERSION
from tests.binaries.control_plane import KUBERNETES_VERSION
from tests.binaries.pinned_program import MODULE
from tests.e2e.evidence.evidence import Gap, Proof

CASES = {
    "releases": "The whole of dist/ applies",
    "argo_cd": "Argo CD syncs it",
    "webhook": "The webhook in the path of pods",
    "claims": "Sharing, placement, preemption, quotas and access",
    "benchmarks": "Load through the API server",
}
"""Title by the folder of its tests, in the order of the page."""

GAPS = "What does not hold"

_HEAD = """\
# Evidence

What `make e2e` saw on real components: API server, controller manager and scheduler of Kubernetes
{kubernetes}, etcd {etcd}, Argo CD {argo_cd}, and the webhook as `gpuplane serve` serves it. A run
in which every test ran and none failed has written it: a claim stands here because the assertions
of its test held. Another run writes the same unless a fact has changed.

What is assumed, besides what a row says:

- There is no kubelet: pods are admitted, scheduled, preempted and deleted, and their containers do
  not run. Where a controller waits for a pod, the test reports its state in the kubelet's place.
- Nodes have the labels, taints and resources of the pools of a cluster file, and all of their CPU
  and memory is allocatable.
- All runs on one machine, on loopback, and etcd does not wait for the disk. No row depends on how
  fast that machine is: `make bench-apiserver` and `make bench-webhook` measure time.
- Objects are those that `dist/` holds, custom resource definitions those that are pinned.
"""


def write_page(page: Path, proofs: Iterable[Proof], gaps: Sequence[Gap]) -> bool:
    """Write the page; return whether that changed it. Raises ValueError for a test of no case."""
    text = "\n".join([_head(), *_tables(list(proofs)), *_gaps(gaps)])
    if page.is_file() and page.read_text(encoding="utf-8") == text:
        return False
    page.write_text(text, encoding="utf-8")
    return True


def cell(text: str) -> str:
    """Return Markdown that stands in one cell of a table, and holds no HTML."""
    line = " ".join(text.split()).replace("|", r"\|")
    return re.sub(r"(`[^`]*`)|<", lambda found: found[1] or "&lt;", line)


def _head() -> str:
    return _HEAD.format(kubernetes=KUBERNETES_VERSION, argo_cd=ARGO_CD_VERSION, etcd=_etcd())


def _etcd() -> str:
    """Return the version of etcd that go.mod pins."""
    pins = (MODULE / "go.mod").read_text(encoding="utf-8")
    (version,) = re.findall(r"^\s*go\.etcd\.io/etcd/server/v3 v(\S+)", pins, re.MULTILINE)
    return str(version)


def _tables(proofs: Sequence[Proof]) -> Iterator[str]:
    by_case = [(_case(proof.file), proof) for proof in proofs]
    for case, title in CASES.items():
        rows = [proof for its, proof in by_case if its == case]
        if rows:
            yield f"## {title}\n\n| Claim | Measured | Test |\n|---|---|---|"
            for row in sorted(rows, key=lambda proof: proof.file):
                link = _link(row.file, row.test)
                yield f"| {cell(row.claim)} | {cell(row.measured)} | {link} |"
            yield ""


def _gaps(gaps: Sequence[Gap]) -> Iterator[str]:
    if gaps:
        yield f"## {GAPS}\n\n| Test | Why |\n|---|---|"
        # A test with parameters fails for each of them, and of one reason.
        for gap in sorted(dict.fromkeys(gaps), key=lambda gap: gap.file):
            yield f"| {_link(gap.file, gap.test)} | {cell(gap.reason)} |"
        yield ""


def _link(file: str, test: str) -> str:
    return f"[`{test}`](../tests/e2e/{file})"


def _case(file: str) -> str:
    """Return the case of a test file."""
    case, _, _ = file.partition("/")
    if case not in CASES:
        raise ValueError(f"{file} shows something, but is in none of: {', '.join(CASES)}")
    return case
