"""The preset for Renovate finds what platform repositories pin."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from charts_py.components.registry import known_charts
from gpuplane.new_repository.source import Source, git_commit, vendored_wheel, wheel_at

PRESET = json.loads((Path(__file__).parents[1] / "renovate" / "platform.json").read_text("utf-8"))
COMMIT, DIGEST = "0123456789" * 4, f"sha256:{'ab' * 32}"
ADDRESS = "https://git.example.com/team/gpuplane"


def found(path: str, text: str) -> list[dict[str, str | None]]:
    """Return the pins that the preset finds in a file of a repository."""
    return [
        match.groupdict()
        for manager in PRESET["customManagers"]
        if any(re.search(each.strip("/"), path) for each in manager["managerFilePatterns"])
        for match in _matches(manager["matchStrings"], text)
    ]


def _matches(patterns: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what the last pattern finds in what those before it do."""
    first, *others = patterns
    # Python's syntax of named groups.
    for match in re.finditer(first.replace("(?<", "(?P<"), text):
        yield from _matches(others, match[0]) if others else (match,)


def test_gpuplane_is_found_by_the_tag_and_the_commit_that_init_writes() -> None:
    requirement = git_commit(ADDRESS, COMMIT, "v0.1.0").requirement
    assert found("platform/requirements/gpuplane.txt", f"{requirement}\n") == [
        {"currentValue": "v0.1.0", "packageName": ADDRESS, "currentDigest": COMMIT}
    ]


@pytest.mark.parametrize(
    "source",
    [
        git_commit(ADDRESS, COMMIT),
        vendored_wheel("gpuplane-0.1.0-py3-none-any.whl", b""),
        wheel_at("https://files.example.com/gpuplane-0.1.0-py3-none-any.whl", "ab" * 32),
    ],
)
def test_gpuplane_without_a_tag_is_left_to_people(source: Source) -> None:
    assert found("requirements/gpuplane.txt", f"{source.requirement}\n") == []


@pytest.mark.parametrize(
    ("image", "name", "tag"),
    [
        ("ghcr.io/team/gpuplane-webhook", "ghcr.io/team/gpuplane-webhook", None),
        ("ghcr.io/team/gpuplane-webhook:0.1.0", "ghcr.io/team/gpuplane-webhook", "0.1.0"),
        ("registry.example.com:5000/webhook:1", "registry.example.com:5000/webhook", "1"),
    ],
)
@pytest.mark.parametrize("written", ['webhook: {{image: "{}"}}', "webhook:\n  image: {}\n"])
def test_the_webhook_image_is_found_by_its_digest(
    written: str, image: str, name: str, tag: str | None
) -> None:
    assert found("clusters/fleet.yaml", written.format(f"{image}@{DIGEST}")) == [
        {"depName": name, "currentValue": tag, "currentDigest": DIGEST}
    ]


@pytest.mark.parametrize(
    "written",
    [
        'charts:\n  versions:\n    gpu-operator: v26.7.1\n    kueue: "0.20.0" # a fix\ncost: {}\n',
        "charts: {versions: {gpu-operator: v26.7.1, kueue: 0.20.0}}\nversion: 1.2.3\n",
    ],
)
def test_the_versions_of_charts_are_found(written: str) -> None:
    assert found("clusters/fleet.yaml", written) == [
        {"depName": "gpu-operator", "currentValue": "v26.7.1"},
        {"depName": "kueue", "currentValue": "0.20.0"},
    ]


def test_each_chart_has_a_place_where_newer_versions_are() -> None:
    named = [name for rule in PRESET["packageRules"] for name in rule.get("matchDepNames", ())]
    assert sorted(named) == sorted((*known_charts(), "gpuplane"))


def test_the_locks_are_left_to_releases() -> None:
    assert [rule["matchFileNames"] for rule in PRESET["packageRules"] if "enabled" in rule] == [
        ["**/requirements/platform.txt", "**/requirements/webhook.txt"]
    ]
