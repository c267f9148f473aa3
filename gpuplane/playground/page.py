"""The page, as one file that loads nothing."""

import hashlib
import os
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from string import Template

import msgspec

from gpuplane.admission.rule_text import custom_rule_text
from gpuplane.playground.cluster_facts import PlaygroundCluster, PlaygroundFacts, playground_cluster
from gpuplane.playground.playground_answer import playground_answer
from policies.admission import Effect, today
from policies.rule_name import ApiRule, RuleName, rule_page

_NAMESPACE = re.compile(r"^  namespace: (?P<name>\S+)$", re.MULTILINE)
_PROBLEM = re.compile(r"^## Problem\n+```yaml\n(?P<manifest>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageCluster:
    name: str
    namespaces: tuple[str, ...]
    """Namespaces of its teams."""
    own: Mapping[str, str]
    """Its rules of the platform team's own as YAML, by name."""


@dataclass(frozen=True, slots=True)
class PageExample:
    of_rule: bool
    """Whether it shows what a rule is about; others are the repository's."""
    name: str
    text: str
    cluster: str
    """A cluster with a team that has its namespace; empty where there is none."""


@dataclass(frozen=True, slots=True)
class PageData:
    """What the page offers to choose, and shows beside findings."""

    clusters: tuple[PageCluster, ...]
    examples: tuple[PageExample, ...]
    rules: Mapping[str, str]
    """The page of each rule, in Markdown, by name."""


_SCRIPTS_BEFORE = ("elements.js", "share_link.js")
_SCRIPTS_AFTER = ("editor.js", "summary.js", "results.js", "playground.js")
"""Scripts that are the same whoever answers, before the one that asks, and after it."""
_MAY_DO_NOTHING = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
}


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers what the page asks."""

    script: str
    """The file of the script that asks."""
    where: str
    """A sentence for people: where manifests go."""
    allowed: Mapping[str, str]
    """What the page may do besides running its script, as directives of a content security policy
    (https://www.w3.org/TR/CSP3/)."""
    blocks: Mapping[str, str]
    """Further data for the script, by the ID of the element that holds it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and what it may do."""

    html: bytes
    policy: str
    """Its content security policy."""


def build_page(data: PageData, answering: Answering) -> Page:
    scripts = (*_SCRIPTS_BEFORE, answering.script, *_SCRIPTS_AFTER)
    script, style = "".join(map(page_file, scripts)), page_file("playground.css")
    policy = _policy(answering, script, style)
    # In HTML, `<` could end the element of the data.
    shown = msgspec.json.encode(data).decode().replace("<", "\\u003c")
    blocks = {"data": shown, **answering.blocks}
    html = Template(page_file("index.html")).substitute(
        policy=policy,
        where=answering.where,
        style=style,
        script=script,
        blocks="".join(
            f'<script type="text/plain" id="{name}">{content}</script>\n'
            for name, content in blocks.items()
        ),
    )
    return Page(html.encode(), policy)


def page_file(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _policy(answering: Answering, script: str, style: str) -> str:
    may = {**_MAY_DO_NOTHING, "script-src": _hash(script), "style-src": _hash(style)}
    for name, sources in answering.allowed.items():
        may[name] = f"{may[name]} {sources}" if name in may else sources
    return "; ".join(f"{name} {sources}" for name, sources in may.items())


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def page_data(clusters: Sequence[PlaygroundFacts], examples: Path) -> PageData:
    """Return what a page about these clusters offers; `examples` is a folder, or none.

    The page opens with the first example: of the folder, the one that needs the most fixes.
    """
    rules = {rule.value: rule_page(rule) for rule in RuleName}
    problems = ((name, _PROBLEM.search(page)) for name, page in rules.items())
    of_rules = [(True, name, problem["manifest"]) for name, problem in problems if problem]
    of_folder = [(False, *one) for one in _of_folder(examples)]
    found = [PageExample(*one, _at_home(one[-1], clusters)) for one in (*of_folder, *of_rules)]
    judges = {facts.name: playground_cluster(facts) for facts in clusters}
    shown = sorted(found[: len(of_folder)], key=partial(_fixes, judges), reverse=True)
    return PageData(
        clusters=tuple(
            PageCluster(
                name=facts.name,
                namespaces=tuple(facts.quotas),
                own={own.name: custom_rule_text(own) for own in facts.settings.own},
            )
            for facts in clusters
        ),
        examples=(*shown, *found[len(of_folder) :]),
        rules=rules | {each.value: rule_page(each) for each in ApiRule},
    )


def _fixes(judges: Mapping[str, PlaygroundCluster], example: PageExample) -> int:
    """Return how many fixes admit it; none where it is not admitted."""
    if not example.cluster:
        return 0
    answer = playground_answer(judges[example.cluster], example.text, None, today())
    findings = [each for one in answer.objects for each in one.findings]
    return sum(each.effect == Effect.FIXED for each in findings) if answer.allowed else 0


def _of_folder(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield manifests; a page may be published, so that no link brings in what lies elsewhere."""
    real = folder.resolve()
    for file in sorted(folder.glob("*.yaml")):
        if file.is_file() and Path(os.path.realpath(file)).is_relative_to(real):
            yield file.stem, file.read_bytes().decode(errors="replace")


def _at_home(manifest: str, clusters: Sequence[PlaygroundFacts]) -> str:
    names = {found["name"] for found in _NAMESPACE.finditer(manifest)}
    return next((facts.name for facts in clusters if names & facts.quotas.keys()), "")
