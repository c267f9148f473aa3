"""What is known of the versions of kinds."""

from gpuplane.lint.served_kinds import is_served, served_versions, versions_served
from policies.workloads.registry import WORKLOAD_KINDS
from tests.pinned_definitions import PinnedDefinitions, all_of
from tests.rows import rows_beside

each_row = rows_beside(__file__, "served_kinds.yaml")


def test_every_kind_of_a_workload_is_known() -> None:
    known = {(group, kind) for group, kinds in served_versions().items() for kind in kinds}
    assert {(each.group, each.kind) for each in WORKLOAD_KINDS} - known == set()


def test_a_version_that_a_pinned_definition_serves_and_does_not_warn_of_is_served(
    pinned_definitions: PinnedDefinitions,
) -> None:
    versions = [
        (f"{spec['group']}/{version['name']}", spec["group"], spec["names"]["kind"])
        for spec in (each["spec"] for each in all_of(pinned_definitions))
        for version in spec["versions"]
        if version["served"] and not version.get("deprecated")
    ]
    known = served_versions()
    listed = [each for each in versions if each[2] in known.get(each[1], {})]
    assert [each for each in listed if not is_served(each[0], each[2])] == []
    assert len(listed) > len(WORKLOAD_KINDS)


@each_row("served")
def test_these_versions_of_a_kind_are_served_the_most_stable_first(
    kubernetes: str, group: str, kind: str, versions: list[str]
) -> None:
    assert versions_served(group, kind, kubernetes) == versions
