from pathlib import Path

from upstream.schema_files import differences, schema_files, write_schemas


def test_what_was_written_does_not_differ(tmp_path: Path) -> None:
    compiled = {"crds/a.com/b_v1.json": b"{}\n", "metadata.json": b"[]\n"}
    write_schemas(compiled, tmp_path)
    assert schema_files(tmp_path) == compiled
    assert differences(compiled, tmp_path) == []


def test_left_over_schemas_and_folders_are_removed(tmp_path: Path) -> None:
    write_schemas({"crds/a.com/b_v1.json": b"{}\n", "crds/c.com/d_v1.json": b"{}\n"}, tmp_path)
    write_schemas({"crds/a.com/b_v1.json": b"{}\n"}, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "crds",
        "crds/a.com",
        "crds/a.com/b_v1.json",
    ]


def test_differences_are_reported_in_both_directions(tmp_path: Path) -> None:
    write_schemas({"changed.json": b"1", "left.json": b"1", "same.json": b"1"}, tmp_path)
    compiled = {"changed.json": b"2", "new.json": b"1", "same.json": b"1"}
    assert differences(compiled, tmp_path) == [
        "changed.json: differs",
        "left.json: left over",
        "new.json: missing",
    ]
