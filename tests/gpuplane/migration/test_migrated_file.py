"""Whole files, before and after: `moves/` has a folder of both for each row of the table."""

from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.translation import MOVED_FIELDS, moves_in
from charts_py.load import load_platform
from gpuplane.migration.migrated_file import migrate_file
from tests.gpuplane.migration.conftest import CLUSTER
from tests.rows import rows_beside

each_row = rows_beside(__file__, "migrated_files.yaml")

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


@each_row("styles")
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


@each_row("undecided")
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
