import datetime as dt

import pytest

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.lint_source import LintSource
from policies.admission import Review
from policies.engine import Engine
from policies.settings import NamespaceSettings, Settings

_MANIFEST = """\
apiVersion: v1
kind: Pod
metadata: {{name: train, namespace: {namespace}}}
spec: {{containers: [{{name: main, image: a:1, resources: {{limits: {{{resource}: 1}}}}}}]}}
"""
_GPU = "nvidia.com/gpu"


def _messages(content: str, *teams: str, namespace: str | None = None) -> list[str]:
    owned = {each: NamespaceSettings("research", "training") for each in teams}
    settings = Settings("test", namespaces=owned, exempt_namespaces=("gpu-operator",))
    judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(Engine(settings)))
    judgement = Judgement([judge], Review("default", dt.date(2026, 11, 29)), namespace)
    found = judge_file(LintSource("a.yaml", content.encode()), judgement).findings
    return [
        f"{each.start}: {each.full_message}" for each in found if each.rule == "unknown-namespace"
    ]


def test_gpus_in_a_namespace_of_no_team_are_told_with_the_nearest_that_has_one() -> None:
    content = _MANIFEST.format(namespace="research", resource=_GPU)
    (message,) = _messages(content, "research-training", "web")
    assert message == (
        "a.yaml:3:25: Pod train: The namespace research belongs to no team, so that no quota "
        "counts its GPUs, and no rule about teams judges it; nearest: research-training. Name a "
        "namespace of a team, or have the platform team give it to one."
    )


@pytest.mark.parametrize(
    ("namespace", "resource", "teams"),
    [
        ("research", _GPU, ("research",)),
        ("gpu-operator", _GPU, ("research",)),
        ("kube-system", _GPU, ("research",)),
        ("web", "cpu", ("research",)),
        ("$TEAM", _GPU, ("research",)),
        ("research", _GPU, ()),
    ],
    ids=["of a team", "exempt", "of Kubernetes", "no GPUs", "placeholder", "no teams"],
)
def test_nothing_is_told_where_no_team_would_be_asked(
    namespace: str, resource: str, teams: tuple[str, ...]
) -> None:
    assert _messages(_MANIFEST.format(namespace=namespace, resource=resource), *teams) == []


def test_the_namespace_that_the_command_names_is_told_in_place_of_the_objects() -> None:
    content = _MANIFEST.format(namespace="web", resource=_GPU)
    assert _messages(content, "research", namespace="research") == []
    (message,) = _messages(content, "web", namespace="wep")
    assert message == (
        "a.yaml:3:1: Pod train: The namespace wep of --namespace belongs to no team, so that no "
        "quota counts its GPUs, and no rule about teams judges it; nearest: web. Name a namespace "
        "of a team, or have the platform team give it to one."
    )


def test_gpus_in_no_namespace_are_told_that_those_of_a_context_follow() -> None:
    content = _MANIFEST.format(namespace='""', resource=_GPU)
    assert _messages(content, "research", namespace="research") == []
    (message,) = _messages(content, "research")
    assert message == (
        "a.yaml:3:1: Pod train: The object names no namespace, so kubectl uses that of your "
        "context. Write metadata.namespace, or pass --namespace."
    )
