"""Whole files, before and after: `moves/` has a folder of both for each row of the table."""

from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.translation import MOVED_FIELDS, moves_in
from charts_py.load import load_platform
from gpuplane.migration.migrated_file import migrate_file
from tests.gpuplane.migration.conftest import CLUSTER

MOVES = sorted((Path(__file__).parent / "moves").iterdir())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sample.yaml"


@pytest.mark.parametrize("folder", MOVES, ids=lambda folder: folder.name)
def test_a_file_becomes_what_a_person_would_write(folder: Path) -> None:
    migrated = migrate_file(folder / "before.yaml")
    assert (migrated.after.decode(), migrated.undecided) == (
        (folder / "after.yaml").read_text(encoding="utf-8"),
        (),
    )


@pytest.mark.parametrize("folder", MOVES, ids=lambda folder: folder.name)
def test_migrating_again_changes_nothing(folder: Path) -> None:
    assert not migrate_file(folder / "after.yaml").is_changed


@pytest.mark.parametrize("folder", MOVES, ids=lambda folder: folder.name)
def test_before_is_refused_for_what_has_moved_alone_and_after_is_a_cluster(folder: Path) -> None:
    file = folder / "before.yaml"
    source = read_source(file, str(file))
    moved = sorted(str(move.problem) for move in moves_in(source.content))
    with pytest.raises(SpecError) as caught:
        load_platform(file, None)
    assert sorted(str(fault.problem) for fault in caught.value.faults) == moved
    assert load_platform(folder / "after.yaml", None).name == "after"


def test_every_row_of_the_table_has_a_file() -> None:
    sources = [read_source(folder / "before.yaml", folder.name) for folder in MOVES]
    shown = {move.field.path for source in sources for move in moves_in(source.content)}
    assert shown == {field.path for field in MOVED_FIELDS}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("webhook: {enabled: true, replicas: {min: 3}}\n", "webhook: {replicas: {min: 3}}\n"),
        ("webhook: {replicas: {min: 3}, enabled: true}\n", "webhook: {replicas: {min: 3}}\n"),
        ("webhook: {enabled: false}\n", "policies:\n  admission: in-tree-only\n"),
        ("webhook: {enabled: true}\n", ""),
        (
            "policies: {mode: warn} # until June\nwebhook:\n  enabled: false\n",
            "policies: {mode: warn, admission: in-tree-only} # until June\n",
        ),
        (
            "policies: {}\nwebhook: {enabled: false} # never\n",
            "policies: {admission: in-tree-only}\n# never\n",
        ),
        (
            "webhook:\n    enabled: false\n    replicas: {min: 3}\npolicies:\n    mode: warn\n",
            (
                "webhook:\n    replicas: {min: 3}\npolicies:\n    mode: warn\n"
                "    admission: in-tree-only\n"
            ),
        ),
        (
            "networkPolicyEngine: cilium\n\nnetwork:\n  dnsAddress: 10.0.0.10\n\n# The end.\n",
            "\nnetwork:\n  dnsAddress: 10.0.0.10\n  policyEngine: cilium\n\n# The end.\n",
        ),
        (
            "network:\n  dnsAddress: a\n    # b\n  # c\n# d\nnetworkPolicyEngine: cilium\n",
            "network:\n  dnsAddress: a\n    # b\n  # c\n  # d\n  policyEngine: cilium\n",
        ),
        (
            "networkPolicyEngine: cilium\nnetwork:\n  dnsAddress: a\n  # b\n# c\n",
            "network:\n  dnsAddress: a\n  # b\n  policyEngine: cilium\n# c\n",
        ),
        (
            "network: {dnsAddress: 10.0.0.10}\n\nnetworkPolicyEngine: cilium\n",
            "network: {dnsAddress: 10.0.0.10, policyEngine: cilium}\n",
        ),
        (
            "network:\n  dnsAddress: 10.0.0.10\n\nnetworkPolicyEngine: cilium\n\naddons: {}\n",
            "network:\n  dnsAddress: 10.0.0.10\n  policyEngine: cilium\n\naddons: {}\n",
        ),
        (
            "apiServer: [10.0.0.1/32,\n  10.1.0.0/28] # both\n",
            "network:\n  apiServer: [10.0.0.1/32,\n    10.1.0.0/28] # both\n",
        ),
        ("networkPolicyEngine: cilium", "network:\n  policyEngine: cilium\n"),
        (
            'addons:\r\n  gdrcopy: true # "é"\r\nnetworkPolicyEngine: cilium # #1\r\n',
            'addons:\r\n  gdrcopy: true # "é"\r\nnetwork:\r\n  policyEngine: cilium # #1\r\n',
        ),
        (
            "networkPolicyEngine: &engine cilium\naddons: *engine\n",
            "network:\n  policyEngine: &engine cilium\naddons: *engine\n",
        ),
        (
            'teams: {}\n"networkPolicyEngine": !!str cilium\n',
            "teams: {}\nnetwork:\n  policyEngine: !!str cilium\n",
        ),
    ],
)
def test_it_takes_the_style_of_the_file(before: str, after: str, file: Path) -> None:
    file.write_bytes((CLUSTER + before).encode())
    assert migrate_file(file).after.decode() == CLUSTER + after


def test_a_mark_at_the_head_of_the_file_stays(file: Path) -> None:
    file.write_bytes(f"\ufeffnetworkPolicyEngine: cilium # é\n{CLUSTER}".encode())
    after = f"\ufeffnetwork:\n  policyEngine: cilium # é\n{CLUSTER}"
    assert migrate_file(file).after.decode() == after


def test_what_the_file_begins_with_stays_there(file: Path) -> None:
    head = "# yaml-language-server: $schema=cluster.schema.json\n# Inference.\n"
    file.write_text(f"{head}networkPolicyEngine: cilium\n{CLUSTER}", encoding="utf-8")
    after = f"{head}network:\n  policyEngine: cilium\n{CLUSTER}"
    assert migrate_file(file).after.decode() == after


ENABLED = "webhook.enabled: has moved to policies.admission, where true is the default and false is"
ENGINE = "networkPolicyEngine: has moved to network.policyEngine"
BY_HAND = "and cannot be moved there for you"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "webhook: {enabled: maybe}\n",
            f'9: {ENABLED} in-tree-only; "maybe" is none of these; allowed: true, false',
        ),
        (
            "webhook: {enabled: {on: true}}\n",
            f'9: {ENABLED} in-tree-only; {{"on": true}} is none of these; allowed: true, false',
        ),
        (
            "policies:\n  admission: backstop\nwebhook:\n  enabled: false\n",
            f"12: {ENABLED} in-tree-only; line 10 states that as well; allowed: one of the two",
        ),
        (
            "network: calico\nnetworkPolicyEngine: calico\n",
            f"10: {ENGINE}, {BY_HAND}: network is not a mapping; allowed: moving it by hand",
        ),
        (
            "apiServer:\n  - 10.0.0.1/32\nnetwork: {}\n",
            (
                f"9: apiServer: has moved to network.apiServer, {BY_HAND}: its value takes several "
                "lines, and its new place is in braces; allowed: moving it by hand"
            ),
        ),
        (
            "webhook: {enabled: true, # yes\n  replicas: {min: 3}}\n",
            (
                f"9: {ENABLED} in-tree-only, {BY_HAND}: a comment stands in braces; "
                "allowed: moving it by hand"
            ),
        ),
        (
            "registries: &r\n  webhook: &w {enabled: false}\n<<: *r\n",
            (
                f"10: {ENABLED} in-tree-only, {BY_HAND}: it is merged from elsewhere in the file; "
                "allowed: moving it by hand"
            ),
        ),
        (
            "networkPolicyEngine: &e cilium\nregion: *e\nnetwork:\n  dnsAddress: 10.0.0.10\n",
            (
                f"8: {ENGINE}, {BY_HAND}: something else would change with it; "
                "allowed: moving it by hand"
            ),
        ),
    ],
)
def test_a_file_stays_as_it_was_where_a_person_has_to_decide(
    text: str, fault: str, file: Path
) -> None:
    file.write_text(CLUSTER.replace("region: europe-west4\n", "", text.count("region")) + text)
    migrated = migrate_file(file)
    told = [str(one).replace(f"{file}:", "") for one in migrated.undecided]
    assert (migrated.is_changed, told) == (False, [fault])


def test_a_file_that_cannot_be_read_has_its_own_faults(file: Path) -> None:
    file.write_text("webhook: {enabled: true}\nwebhook: {}\n", encoding="utf-8")
    with pytest.raises(SpecError, match="duplicate key"):
        migrate_file(file)
