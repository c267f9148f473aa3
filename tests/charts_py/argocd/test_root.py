"""The Application that a person applies once."""

from collections.abc import Callable

from charts_py.argocd.root import root_application
from charts_py.platform.platform import Platform


def test_the_root_application_follows_the_live_application_and_the_project(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
) -> None:
    platform = platform_of(sample("fleet-member"))
    document = root_application(platform.name, platform.cluster.gitops).document()
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
) -> None:
    changed = sample("fleet-member", ("live: 1.0.0", "live: 1.1.0"))
    platforms = [platform_of(text) for text in (sample("fleet-member"), changed)]
    roots = [root_application(each.name, each.cluster.gitops) for each in platforms]
    assert roots[0] == roots[1]
