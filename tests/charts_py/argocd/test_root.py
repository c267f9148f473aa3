"""The Application that a person applies once."""

from collections.abc import Callable

from constructs import Construct

from charts_py.argocd import root as root_application
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

_Synthesize = Callable[[Callable[[Construct], object]], tuple[Document, ...]]


def test_the_root_application_follows_the_live_application_and_the_project(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of: _Synthesize,
) -> None:
    (document,) = documents_of(root_application.construct(platform_of(sample("fleet-member"))))
    assert document["metadata"]["name"] == "sample-root"
    assert document["metadata"]["namespace"] == "gitops"
    assert document["spec"]["source"] == {
        "repoURL": "https://git.example.com/platform.git",
        "targetRevision": "stable",
        "path": "dist/sample",
        "directory": {"include": "{live-application.yaml,project.yaml}"},
    }


def test_the_root_application_is_the_same_for_every_live_version(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of: _Synthesize,
) -> None:
    roots = [
        documents_of(root_application.construct(platform_of(text)))
        for text in (sample("fleet-member"), sample("fleet-member", ("live: 1.0.0", "live: 1.1.0")))
    ]
    assert roots[0] == roots[1]
