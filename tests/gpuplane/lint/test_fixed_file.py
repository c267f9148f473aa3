import os
import re
from pathlib import Path

import pytest

from gpuplane.lint.fixed_file import FixedFile, write_fixed
from gpuplane.lint.lint_source import LintSource


def test_a_diff_keeps_the_ends_of_lines_and_tells_of_a_missing_one() -> None:
    source = LintSource("a.yaml", b"a: 1\r\nb: 2")
    assert "".join(FixedFile(source, b"a: 1\r\nb: 2\r\nc: 3\r\n").diff()) == (
        "--- a.yaml\n"
        "+++ a.yaml\n"
        "@@ -1,2 +1,3 @@\n"
        " a: 1\r\n"
        "-b: 2\n"
        "\\ No newline at end of file\n"
        "+b: 2\r\n"
        "+c: 3\r\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("-a b.yaml", "-a b.yaml"),
        ("a\n+++ b\x1b.yaml", r'"a\012+++ b\033.yaml"'),
        ('"ö\\', r'"\"\303\266\\"'),
        (os.fsdecode(b"\xff"), r'"\377"'),
    ],
)
def test_no_name_of_a_file_ends_its_line_in_a_diff(name: str, written: str) -> None:
    first, second, *_ = FixedFile(LintSource(name, b"a: 1\n"), b"a: 2\n").diff()
    assert (first, second) == (f"--- {written}\n", f"+++ {written}\n")


def test_what_changes_is_written_and_nothing_else(tmp_path: Path) -> None:
    files = []
    for name, after in (("a.yaml", b"a: 1\n"), ("below/a.yaml", b"a: 2\n")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"a: 1\n")
        files.append(FixedFile(LintSource(str(path), b"a: 1\n"), after))
    (tmp_path / "a.yaml").write_bytes(b"changed since\n")
    write_fixed(files)
    assert [Path(each.source.shown_as).read_bytes() for each in files] == [
        b"changed since\n",
        b"a: 2\n",
    ]


def test_what_somebody_else_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    paths = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    for path in paths:
        path.write_bytes(b"a: 1\n")
    files = [FixedFile(LintSource(str(path), b"a: 1\n"), b"a: 2\n") for path in paths]
    paths[1].write_bytes(b"a: 3\n")
    said = f"{paths[1]} has changed since it was read; nothing is changed"
    with pytest.raises(OSError, match=re.escape(said)):
        write_fixed(files)
    assert [path.read_bytes() for path in paths] == [b"a: 1\n", b"a: 3\n"]


def test_nothing_is_written_where_nothing_changes() -> None:
    write_fixed([FixedFile(LintSource("no-such-file.yaml", b""), b"")])
