"""The problem on the page of each rule, and what `gpuplane admit` says of it."""

import copy
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED
from policies.operation import apply
from policies.rule_name import RuleName, rule_page
from tests.binaries.machine import GPUPLANE
from tests.e2e.folders import REPOSITORY
from webhook.admission_round import patch_of

_PROBLEM = re.compile(r"\n## Problem\n\n```yaml\n(.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Outcome:
    denial: str | None = None
    """Why it is refused; None where it is admitted."""
    fixed: str | None = None
    """The rules that fixed it; None where none did, and of what is refused."""
    warnings: tuple[str, ...] = ()


def problems(platform: Platform) -> dict[RuleName, Document]:
    """Return the pods of the pages whose problem stands in a namespace of a cluster."""
    found = {rule: _problem(rule_page(rule)) for rule in RuleName}
    namespaces = policy_settings(platform).namespaces
    return {rule: pod for rule, pod in found.items() if pod["metadata"]["namespace"] in namespaces}


def admitted_by_tool(cluster: str, pods: Sequence[Document], folder: Path) -> list[Outcome]:
    """Return what `gpuplane admit` says of pods; the folder takes the file that it reads."""
    manifest = folder / "pods.yaml"
    manifest.write_text("---\n".join(map(to_yaml, pods)))
    done = subprocess.run(
        [GPUPLANE, "admit", manifest, "--cluster", cluster, "--output", "review"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    return list(_outcomes(pods, done.stdout.splitlines()))


def fixed_of(pod: Document) -> str | None:
    """Return which rules fixed a pod, as it says itself."""
    fixed: str | None = pod["metadata"].get("annotations", {}).get(FIXED)
    return fixed


def _problem(page: str) -> Document:
    (manifest,) = _PROBLEM.findall(page)
    (pod,) = from_yaml(manifest)
    return pod


def _outcomes(pods: Sequence[Document], answers: Sequence[str]) -> Iterator[Outcome]:
    """Yield what comes of each pod; of each there are two answers, the first of which fixes."""
    for pod, mutation, validation in zip(pods, answers[::2], answers[1::2], strict=True):
        response = json.loads(validation)["response"]
        warnings = tuple(response.get("warnings", ()))
        if not response["allowed"]:
            yield Outcome(denial=response["status"]["message"], warnings=warnings)
            continue
        fixed = copy.deepcopy(pod)
        apply(fixed, patch_of(mutation.encode()))
        yield Outcome(fixed=fixed_of(fixed), warnings=warnings)
