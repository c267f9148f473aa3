"""What the page offers to choose: clusters, examples, and the pages of rules."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuplane.admission.rule_text import own_rule_text
from gpuplane.playground.cluster_facts import ClusterFacts
from policies.rule_name import RuleName
from policies.rule_page import rule_page

OF_REPOSITORY, OF_RULES = "Of this repository", "What rules are about"
"""Where examples are from."""
_NAMESPACE = re.compile(r"^  namespace: (?P<name>\S+)$", re.MULTILINE)
_PROBLEM = re.compile(r"^## Problem\n+```yaml\n(?P<manifest>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageCluster:
    """A cluster to choose."""

    name: str
    namespaces: tuple[str, ...]
    """Of its teams."""
    own: Mapping[str, str]
    """Its rules of the platform team's own as YAML, by name."""


@dataclass(frozen=True, slots=True)
class PageExample:
    """A manifest to choose."""

    source: str
    name: str
    text: str
    cluster: str
    """One with a team that has its namespace; empty where there is none."""


@dataclass(frozen=True, slots=True)
class PageData:
    """What the page offers to choose, and shows beside findings."""

    clusters: tuple[PageCluster, ...]
    examples: tuple[PageExample, ...]
    rules: Mapping[str, str]
    """The page of each rule, in Markdown, by name."""


def page_data(clusters: Sequence[ClusterFacts], examples: Path) -> PageData:
    """Return what a page about these clusters offers; `examples` is a folder, or none."""
    rules = {rule.value: rule_page(rule) for rule in RuleName}
    found = [(OF_REPOSITORY, *one) for one in _of_folder(examples)]
    found += [(OF_RULES, *one) for one in _of_rules(rules)]
    return PageData(
        clusters=tuple(map(_cluster, clusters)),
        examples=tuple(PageExample(*one, _at_home(one[-1], clusters)) for one in found),
        rules=rules,
    )


def _cluster(facts: ClusterFacts) -> PageCluster:
    return PageCluster(
        name=facts.name,
        namespaces=tuple(facts.quotas),
        own={own.name: own_rule_text(own) for own in facts.settings.own},
    )


def _of_folder(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield manifests; a page may be published, so that no link brings in what lies elsewhere."""
    real = folder.resolve()
    for file in sorted(folder.glob("*.yaml")):
        if file.is_file() and Path(os.path.realpath(file)).is_relative_to(real):
            yield file.stem, file.read_bytes().decode(errors="replace")


def _of_rules(rules: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the problem that each page begins with."""
    for name, page in rules.items():
        if found := _PROBLEM.search(page):
            yield name, found["manifest"]


def _at_home(manifest: str, clusters: Sequence[ClusterFacts]) -> str:
    names = {found["name"] for found in _NAMESPACE.finditer(manifest)}
    return next((facts.name for facts in clusters if names & facts.quotas.keys()), "")
