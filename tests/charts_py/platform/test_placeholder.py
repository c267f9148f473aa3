"""Placeholders of new cluster files."""

from pathlib import Path

from charts_py.cluster_file.source import source_of
from charts_py.load import platform_of
from charts_py.platform.placeholder import placeholders, unset_fields, with_placeholders
from gpuplane.new_repository.new_cluster import cluster_text
from gpus.provider import Provider
from tests.example_repository import example_cluster

FLEET = with_placeholders("gitops: {repository: <gitops.repository>}").encode()
OF_THE_WEBHOOK = "webhook.image"
"""Only where there is one, and where none is named, too."""


def _unset(provider: Provider, change: tuple[str, str] = ("", "")) -> list[str]:
    text = cluster_text(example_cluster(provider)).replace(*change)
    own = source_of(text.encode(), "example.yaml")
    platform = platform_of(Path("example.yaml"), own, source_of(FLEET, "fleet.yaml"))
    return [str(fault) for fault in unset_fields(platform)]


def _pattern(line: str) -> str:
    field = line.split(": ")[1].replace("research", "*")
    return field.replace("[0]", ".*")


def test_each_is_found_in_a_new_file_and_says_what_is_right() -> None:
    found = [line for provider in Provider for line in _unset(provider)]
    assert {_pattern(line) for line in found} == {each.path for each in placeholders()} - {
        OF_THE_WEBHOOK
    }
    assert [line for line in found if " is a placeholder; allowed: " not in line] == []
    assert [line for line in found if ", such as " not in line] == []


def test_they_are_named_in_the_order_of_the_file() -> None:
    lines = [int(line.split(":")[1]) for line in _unset(Provider.AKS)[:-1]]
    assert lines == sorted(lines)


def test_one_that_is_set_is_not_named() -> None:
    change = ("nodeRole: change-me", "nodeRole: gpu-nodes")
    assert len(_unset(Provider.EKS)) - len(_unset(Provider.EKS, change)) == 1
