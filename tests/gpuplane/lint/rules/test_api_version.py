"""The tables of versions say what compiled schemas and pinned CustomResourceDefinitions say."""

from itertools import pairwise
from typing import NamedTuple

import pytest

from gpuplane.lint.rules.api_version import CoreVersion, CustomState, core_versions, custom_versions
from tests.pinned_definitions import PinnedDefinitions, all_of
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema_files import committed_schemas, core_folder

MINORS = [str(minor) for minor in KubernetesVersion]
CORE = core_versions()
OLDEST = MINORS[0]


def _kinds(minor: str) -> set[tuple[str, str]]:
    """Return `apiVersion` and kind, in lower case, of the schemas of a minor version."""
    folder = committed_schemas() / core_folder(minor)
    found = set()
    for file in folder.glob("*/*_*.json"):
        kind, _, version = file.stem.rpartition("_")
        found.add((f"{file.parent.name}/{version}", kind))
    return found


BY_MINOR = {minor: _kinds(minor) for minor in MINORS}


def _order(minor: str) -> int:
    return int(minor.partition(".")[2])


def _is_there(version: CoreVersion, kind: str, minor: str) -> bool:
    return (version.api_version, kind.lower()) in BY_MINOR[minor]


def test_what_is_removed_has_no_schema_from_then_on_and_one_before() -> None:
    for (_, kind), version in CORE.items():
        for minor in MINORS if version.removed else ():
            is_served = _order(minor) < _order(version.removed)
            assert (
                _is_there(version, kind, minor)
                or not is_served
                or version.deprecated == (version.removed)
            ), (version, minor)
            assert is_served or not _is_there(version, kind, minor), (version, minor)


def test_what_is_deprecated_and_not_removed_has_a_schema() -> None:
    for (_, kind), version in CORE.items():
        if version.deprecated and not version.removed:
            assert all(_is_there(version, kind, minor) for minor in MINORS), version


def test_what_came_later_has_a_schema_from_then_on() -> None:
    for (_, kind), version in CORE.items():
        if version.introduced:
            there = [minor for minor in MINORS if _is_there(version, kind, minor)]
            assert there == [m for m in MINORS if _order(m) >= _order(version.introduced)], version


def test_every_version_that_a_minor_no_longer_has_is_in_the_table() -> None:
    known = {(api_version, kind.lower()) for api_version, kind in CORE}
    for before, after in pairwise(MINORS):
        assert BY_MINOR[before] - BY_MINOR[after] - known == set()


def test_every_stable_version_that_a_minor_brings_is_in_the_table() -> None:
    known = {(api_version, kind.lower()) for api_version, kind in CORE}
    for before, after in pairwise(MINORS):
        stable = {each for each in BY_MINOR[after] if each[0].endswith("/v1")}
        assert stable - BY_MINOR[before] - known == set()


def test_what_takes_the_place_of_a_version_is_there_in_the_newest_minor() -> None:
    for (_, kind), version in CORE.items():
        if version.replacement and not kind.startswith(("Event", "Resource", "PodScheduling")):
            assert (version.replacement, kind.lower()) in BY_MINOR[MINORS[-1]], version


class Pinned(NamedTuple):
    """A version in a pinned CustomResourceDefinition."""

    served: bool
    deprecated: bool


@pytest.fixture(scope="module")
def pinned(pinned_definitions: PinnedDefinitions) -> dict[tuple[str, str], dict[str, Pinned]]:
    found: dict[tuple[str, str], dict[str, Pinned]] = {}
    for spec in (each["spec"] for each in all_of(pinned_definitions)):
        found.setdefault((spec["group"], spec["names"]["kind"]), {}).update(
            {
                each["name"]: Pinned(each["served"], each.get("deprecated", False))
                for each in spec["versions"]
            }
        )
    return found


Definitions = dict[tuple[str, str], dict[str, Pinned]]


def test_a_row_on_a_custom_resource_says_what_its_definition_says(pinned: Definitions) -> None:
    groups = {group for group, _ in pinned}
    for (api_version, kind), row in custom_versions().items():
        group, _, version = api_version.partition("/")
        assert group in groups, row
        stated = pinned.get((group, kind), {}).get(version)
        is_served = stated is not None and stated.served
        assert is_served == (row.state is CustomState.DEPRECATED), (row, kind, stated)
        # Of the standard channel, the definitions name what the experimental one serves.
        assert stated is not None or row.state is CustomState.REMOVED, (row, kind)


def test_a_replacement_is_served_and_not_deprecated(pinned: Definitions) -> None:
    for (_, kind), row in custom_versions().items():
        api_version, _, other = row.replacement.partition(" ")
        group, _, version = api_version.partition("/")
        assert pinned[(group, other or kind)][version] == Pinned(served=True, deprecated=False), row


def test_every_version_that_a_definition_warns_of_has_a_row(pinned: Definitions) -> None:
    flagged = {
        (f"{group}/{version}", kind)
        for (group, kind), versions in pinned.items()
        for version, state in versions.items()
        if state.deprecated or not state.served
    }
    assert flagged - custom_versions().keys() == set()
